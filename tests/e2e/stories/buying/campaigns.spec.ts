import { findSeriousViolations } from '../../pages/axe.ts';
import { Customer, password } from '../../../../tools/browser/customer.ts';
import { CheckoutPage } from '../../../../tools/browser/checkout-page.ts';
import { Keyboard } from '../../pages/keyboard.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

test.use({ viewport: { width: 390, height: 844 }, locale: 'fr-FR' });

test('in French and on a phone’s width, two titles of a campaign are bought by keyboard, and a third is free', async ({
  page,
  shop: server,
}) => {
  const shop = new ShopPage(page);
  const keyboard = new Keyboard(page);
  const customer = await Customer.signUp(server);
  const flow = shop.flow('campaign');
  const getAddButton = (titleId: string) => flow.locator(`[data-event="title.added"][data-value="${titleId}"]`);
  const getRemoveButton = (titleId: string) => flow.locator(`[data-event="title.removed"][data-value="${titleId}"]`);

  await page.goto('/campaign/evening-reads');
  await shop.waitForState('campaign', 'shown');
  await expect(flow).toContainText('Achetez deux de ces titres');
  expect(await findSeriousViolations(page, page.url())).toEqual([]);
  await keyboard.press(getAddButton('1001'));
  await shop.signIn(customer.email, password);
  // The visitor's press is resumed after sign-in.
  await expect(getRemoveButton('1001')).toBeVisible();
  await shop.waitForState('campaign', 'shown');
  await expect(getAddButton('1010')).toBeDisabled();
  await expect(flow.locator('[data-progress]')).toContainText('1 titre sur 2');
  expect(await findSeriousViolations(page, 'a campaign with one title in the cart')).toEqual([]);
  await keyboard.press(getAddButton('1003'));
  await expect(flow.locator('[data-progress]')).toContainText('0 récompense choisie sur 1');
  await keyboard.press(getAddButton('1010'));
  await expect(flow.locator('[data-progress="2/2 1/1"]')).toBeVisible();
  await expect(getAddButton('1012')).toBeDisabled();

  await keyboard.press(flow.getByRole('link', { name: 'Voir le panier' }));
  await shop.waitForState('cart', { shown: 'resting' });
  await expect(shop.flow('cart').locator('[data-line="1010"]')).toContainText('Offert grâce à une offre.');
  await keyboard.press(shop.flow('cart').locator('a[href="/cart/checkout"]'));
  await shop.waitForState('purchase', 'ready');
  await keyboard.press(shop.control('pay.pressed'));
  await shop.fillInCard();
  await page.keyboard.press('Enter');
  await new CheckoutPage(page).waitForReceipt();
  expect((await customer.fetchLibrary()).toSorted()).toEqual(['1001', '1003', '1010']);
});

test('a past or future campaign is reported as such, and an unknown one is not found', async ({ page, errors }) => {
  errors.allow(/status of 404/);
  const shop = new ShopPage(page);
  await page.goto('/campaign/harbour-day');
  await shop.waitForState('campaign', 'over');
  await page.goto('/campaign/winter-lights');
  await shop.waitForState('campaign', 'notBegun');
  await page.goto('/campaign/nobody-knows');
  await shop.waitForState('campaign', 'notFound');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cette offre est introuvable');
});

test('an owned title counts neither as paid nor as reward, leaves the cart with a notice, and is in the library', async ({
  page,
  shop: server,
}) => {
  const shop = new ShopPage(page);
  const customer = await Customer.signUp(server);
  for (const titleId of ['1001', '1003']) await customer.request('cart/add', { titleId, campaignId: 'evening-reads' });
  await customer.buy('1001');
  await customer.request('cart/add', { titleId: '1001', campaignId: 'evening-reads' });
  await page.goto('/signin?return=/campaign/evening-reads');
  await shop.signIn(customer.email, password);
  const flow = shop.flow('campaign');
  await shop.waitForState('campaign', 'shown');
  await expect(flow.locator('[data-progress="1/2 0/1"]')).toBeVisible();
  await expect(flow.locator('[data-removed-owned]')).toContainText('The Keeper’s Third Log');
  await expect(flow.locator('li', { hasText: 'The Keeper’s Third Log' })).toContainText('Dans votre bibliothèque');
  await expect(flow.locator('[data-value="1001"]')).toHaveCount(0);
  await expect(flow.locator('[data-event="title.added"][data-value="1010"]')).toBeDisabled();
  await page.goto('/purchase');
  await expect(shop.flow('cart').locator('[data-line]')).toHaveCount(1);
});

test('a whole campaign is removed from the cart at once', async ({ page, shop: server }) => {
  const shop = new ShopPage(page);
  const customer = await Customer.signUp(server);
  for (const titleId of ['1001', '1003']) await customer.request('cart/add', { titleId, campaignId: 'evening-reads' });
  await customer.request('cart/add', { titleId: '1005' });
  await page.goto('/signin');
  await shop.signIn(customer.email, password);
  await shop.waitForState('landing', 'shown');
  await page.goto('/campaign/evening-reads');
  await shop.control('campaign.removed').click();
  await expect(shop.flow('campaign').locator('[data-event="title.removed"]')).toHaveCount(0);
  await page.goto('/purchase');
  await expect(shop.flow('cart').locator('[data-line]')).toHaveCount(1);
});

test('a campaign in a cart with another title is removed and restored on the cart’s page', async ({ page, shop: server }) => {
  const shop = new ShopPage(page);
  const keyboard = new Keyboard(page);
  const customer = await Customer.signUp(server);
  for (const titleId of ['1001', '1003', '1010']) await customer.request('cart/add', { titleId, campaignId: 'evening-reads' });
  await customer.request('cart/add', { titleId: '1005' });
  await page.goto('/signin');
  await shop.signIn(customer.email, password);
  await shop.waitForState('landing', 'shown');
  await page.goto('/purchase');
  const flow = shop.flow('cart');
  await shop.waitForState('cart', { shown: 'resting' });
  await expect(flow.locator('[data-line]')).toHaveCount(4);
  await expect(flow.locator('[data-line="1010"][data-is="reward"]')).toBeVisible();
  const totalStatus = flow.getByRole('status').filter({ hasText: 'Total' });
  const totalBefore = await totalStatus.textContent();
  expect(await findSeriousViolations(page, page.url())).toEqual([]);
  await keyboard.press(flow.locator('[data-campaign] [data-event="title.removed"]'));
  await expect(flow.locator('[data-line][data-removed]')).toHaveCount(3);
  expect(await findSeriousViolations(page, page.url())).toEqual([]);
  // The reward is restored last.
  const rewardResponse = page.waitForResponse((response) => /\/cart\/add\?.*titleId=1010/.test(response.url()));
  await keyboard.press(flow.locator('[data-campaign] [data-event="title.added"]'));
  await expect(flow.locator('[data-line][data-removed]')).toHaveCount(0);
  await expect(totalStatus).toHaveText(totalBefore ?? '');
  await rewardResponse;
  await page.reload();
  await expect(flow.locator('[data-line="1010"][data-is="reward"]')).toBeVisible();
  await expect(totalStatus).toHaveText(totalBefore ?? '');
});
