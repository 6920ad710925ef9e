import type { Browser } from '@playwright/test';
import type { Email } from 'postal-mime';
import { findSeriousViolations } from '../../pages/axe.ts';
import { CheckoutPage } from '../../../../tools/browser/checkout-page.ts';
import { Customer, password } from '../../../../tools/browser/customer.ts';
import { Keyboard } from '../../pages/keyboard.ts';
import { waitForEmail, getLinkPath } from '../../../../tools/browser/emails.ts';
import { createEmail, ShopPage } from '../../../../tools/browser/shop.ts';
import type { ShopLocation } from '../../../../tools/shop/running-shop.ts';
import { expect, test } from '../../support/shop.ts';

const frenchPhone = { viewport: { width: 390, height: 844 }, locale: 'fr-FR' };

test.use(frenchPhone);

const TITLE_ID = '1001';

/**
 * Opens the link of a gift's e-mail in another browser, where `check` inspects the page, and
 * redeems the gift.
 * @returns the customer who has redeemed the gift
 */
const openGift = async (
  browser: Browser,
  server: ShopLocation,
  giftEmail: Email | undefined,
  check: (friendShop: ShopPage) => Promise<void>,
): Promise<Customer> => {
  const friendContext = await browser.newContext({ ...frenchPhone, baseURL: server.url });
  const friendShop = new ShopPage(await friendContext.newPage());
  const friend = await Customer.signUp(server);
  await friendShop.page.goto(getLinkPath(giftEmail));
  await friendShop.waitForState('redeem', 'offered');
  await check(friendShop);
  await friendShop.control('redeem.pressed').click();
  await friendShop.signIn(friend.email, password);
  await friendShop.waitForState('redeem', 'redeemed');
  await friendContext.close();
  return friend;
};

test('in French and on a phone’s width, a title is given by keyboard, and its recipient opens it', async ({
  page,
  browser,
  shop: server,
}) => {
  const shop = new ShopPage(page);
  const keyboard = new Keyboard(page);
  const checkout = new CheckoutPage(page);
  const giver = await Customer.signUp(server);
  const recipient = createEmail();
  const flow = shop.flow('purchase');

  await page.goto(`/id:${TITLE_ID}`);
  await keyboard.press(page.getByRole('link', { name: 'Offrir', exact: true }));
  await shop.signIn(giver.email, password);
  await shop.waitForState('purchase', 'writing');
  await keyboard.type(flow.locator('[name="name"]'), 'Béa Quai');
  await keyboard.type(flow.locator('[name="email"]'), 'nulle part');
  await page.keyboard.press('Enter');
  await expect(flow.locator('[name="email"]')).toBeFocused();
  await expect(flow.locator('[name="email"]')).toHaveAttribute('aria-invalid', 'true');
  await flow.locator('[name="email"]').fill(recipient);
  await keyboard.type(flow.locator('[name="message"]'), 'Joyeux anniversaire !');
  await keyboard.press(shop.control('gift.submitted'));

  await shop.waitForState('purchase', 'ready');
  const preview = flow.getByRole('region', { name: 'L’e-mail' });
  await expect(preview).toContainText('Harbour Books\u202F: A Reader vous offre un cadeau');
  await expect(preview).toContainText('Joyeux anniversaire !');
  expect(await findSeriousViolations(page, page.url())).toEqual([]);
  await keyboard.press(shop.control('pay.pressed'));
  await expect(page.getByLabel('Numéro de carte')).toBeVisible();
  await page.getByRole('button', { name: 'Annuler et revenir' }).click();

  // The typed entries are still there.
  await shop.waitForState('purchase', 'cancelled');
  await keyboard.press(shop.control('retry.pressed'));
  await shop.waitForState('purchase', 'writing');
  await expect(flow.locator('[name="message"]')).toHaveValue('Joyeux anniversaire !');
  await keyboard.press(shop.control('gift.submitted'));
  await keyboard.press(shop.control('pay.pressed'));
  await shop.fillInCard();
  const giftEmail = await waitForEmail(server, recipient, () => page.keyboard.press('Enter'));
  await checkout.waitForReceipt();
  await expect(shop.flow('receipt')).toContainText('Votre cadeau pour Béa Quai');
  await expect(shop.flow('receipt')).toContainText(recipient);
  expect(await giver.fetchLibrary()).toEqual([]);
  expect(giftEmail?.subject).toBe('Harbour Books\u202F: A Reader vous offre un cadeau');
  expect(giftEmail?.text).toContain('Joyeux anniversaire !');

  const friend = await openGift(browser, server, giftEmail, async (friendShop) => {
    await expect(friendShop.page.getByRole('heading', { level: 1 })).toHaveText('A Reader vous offre un titre');
    await expect(friendShop.flow('redeem')).toContainText('Joyeux anniversaire !');
  });
  expect(await friend.fetchLibrary()).toEqual([TITLE_ID]);

  await keyboard.press(shop.flow('receipt').getByRole('link', { name: 'Vos cadeaux' }));
  const gifts = shop.flow('gifts');
  await expect(gifts.getByRole('listitem')).toHaveCount(1);
  await expect(gifts.getByRole('listitem')).toContainText('Ouvert le');
  await expect(shop.control('resend.pressed')).toHaveCount(0);
});

test('a giver corrects a mistyped e-mail address, and the first link stops working', async ({ page, shop: server, errors }) => {
  errors.allow(/status of 404/);
  const shop = new ShopPage(page);
  const giver = await Customer.signUp(server);
  const [wrongEmail, rightEmail] = [createEmail(), createEmail()];
  await page.goto('/signin');
  await shop.signIn(giver.email, password);
  await shop.waitForState('landing', 'shown');
  const freeTitleId = await findFreeTitle(giver);
  await page.goto(`/title/gift?titleid=${freeTitleId}`);
  await shop.flow('purchase').locator('[name="name"]').fill('Béa');
  await shop.flow('purchase').locator('[name="email"]').fill(wrongEmail);
  await shop.control('gift.submitted').click();
  const firstEmail = await waitForEmail(server, wrongEmail, () => shop.control('pay.pressed').click());
  await new CheckoutPage(page).waitForReceipt();

  await page.goto('/account');
  await shop.control('correct.pressed').click();
  await shop.flow('gifts').locator('[name="email"]').fill(rightEmail);
  const secondEmail = await waitForEmail(server, rightEmail, () => shop.control('address.submitted').click());
  await expect(shop.flow('gifts').getByRole('status')).toContainText(rightEmail);
  await page.goto(getLinkPath(firstEmail));
  await shop.waitForState('redeem', 'refused');
  await page.goto(getLinkPath(secondEmail));
  await shop.waitForState('redeem', 'offered');
});

/** Returns the id of a free title. */
const findFreeTitle = async (customer: Customer): Promise<string> => {
  const titlesXml = await (await customer.request('titles', { free: 'true', limit: '1' })).text();
  return /<TitleId>(\d+)<\/TitleId>/.exec(titlesXml)?.[1] ?? '';
};

test('in French, at the width of a phone and by keyboard, a cart with a discount code is given as one gift', async ({
  page,
  browser,
  shop: server,
  errors,
}) => {
  errors.allow(/status of 409/);
  const shop = new ShopPage(page);
  const keyboard = new Keyboard(page);
  const giver = await Customer.signUp(server);
  const recipient = createEmail();
  for (const titleId of ['1001', '1005']) await giver.request('cart/add', { titleId });
  await page.goto('/signin');
  await shop.signIn(giver.email, password);
  await shop.waitForState('landing', 'shown');

  await page.goto('/cart/checkout');
  const flow = shop.flow('purchase');
  await shop.waitForState('purchase', 'ready');
  await keyboard.type(flow.locator('[name="code"]'), 'personne-ne-l-a');
  await page.keyboard.press('Enter');
  await expect(flow.getByRole('alert')).toContainText('Nous ne reconnaissons pas ce code');
  await shop.waitForState('purchase', 'ready');
  expect(await findSeriousViolations(page, page.url())).toEqual([]);
  await flow.locator('[name="code"]').fill('DEMO-OLD');
  await page.keyboard.press('Enter');
  await expect(flow.getByRole('alert')).toContainText('expiré');
  await flow.locator('[name="code"]').fill('demo-20-percent');
  await page.keyboard.press('Enter');
  await expect(flow.locator('[data-off]')).toBeVisible();
  await expect(flow.locator('[data-code]')).toContainText('Votre code a été appliqué.');
  await expect(flow.locator('[data-line] s')).toHaveCount(2);
  expect(await findSeriousViolations(page, page.url())).toEqual([]);
  await keyboard.press(flow.getByRole('link', { name: 'Offrir', exact: true }));

  const gift = shop.flow('purchase');
  await shop.waitForState('purchase', 'writing');
  await expect(gift.locator('[data-line]')).toHaveCount(2);
  await expect(gift.locator('[data-off]')).toBeVisible();
  await keyboard.type(gift.locator('[name="name"]'), 'Béa Quai');
  await keyboard.type(gift.locator('[name="email"]'), recipient);
  await keyboard.type(gift.locator('[name="message"]'), 'Bonne lecture !');
  expect(await findSeriousViolations(page, page.url())).toEqual([]);
  await keyboard.press(shop.control('gift.submitted'));
  await shop.waitForState('purchase', 'ready');
  await expect(gift.getByRole('region', { name: 'L’e-mail' })).toContainText('A Reader vous offre 2 titres');
  expect(await findSeriousViolations(page, page.url())).toEqual([]);
  await keyboard.press(shop.control('pay.pressed'));
  await shop.fillInCard();
  const giftEmail = await waitForEmail(server, recipient, () => page.keyboard.press('Enter'));
  await new CheckoutPage(page).waitForReceipt();
  await expect(page).toHaveURL(/\/cart\/purchase\/success\?/);
  await expect(shop.flow('receipt')).toContainText('Votre cadeau de 2 titres pour Béa Quai est en cours d’envoi.');
  expect(await findSeriousViolations(page, page.url())).toEqual([]);
  expect(await giver.fetchLibrary()).toEqual([]);
  expect(await (await giver.request('cart/titles')).text()).toContain('<Count>0</Count>');
  expect(giftEmail?.text).toContain('vous offre 2 titres');

  const friend = await openGift(browser, server, giftEmail, async (friendShop) => {
    await expect(friendShop.page.getByRole('heading', { level: 1 })).toHaveText('A Reader vous offre 2 titres');
    await expect(friendShop.flow('redeem').getByRole('listitem')).toHaveCount(2);
    expect(await findSeriousViolations(friendShop.page, friendShop.page.url())).toEqual([]);
  });
  expect((await friend.fetchLibrary()).toSorted()).toEqual(['1001', '1005']);

  await keyboard.press(shop.flow('receipt').getByRole('link', { name: 'Vos cadeaux' }));
  await expect(shop.flow('gifts').getByRole('listitem')).toContainText('Ouvert le');
  await expect(shop.flow('gifts').getByRole('listitem').getByRole('link')).toHaveCount(3);
});

test('a gift is paid with credits if the giver chooses them', async ({ page, shop: server }) => {
  const shop = new ShopPage(page);
  const giver = await Customer.signUp(server);
  const recipient = createEmail();
  await page.goto('/signin');
  await shop.signIn(giver.email, password);
  await shop.waitForState('landing', 'shown');
  await page.goto('/redeem/DEMO-CREDITS');
  await shop.control('redeem.pressed').click();
  await shop.waitForState('redeem', 'redeemed');
  await page.goto(`/title/gift?titleid=${TITLE_ID}`);
  const gift = shop.flow('purchase');
  await gift.locator('[name="name"]').fill('Béa');
  await gift.locator('[name="email"]').fill(recipient);
  await shop.control('gift.submitted').click();
  await shop.waitForState('purchase', 'ready');
  await gift.locator('[data-event="credits.chosen"]').check();
  expect(await findSeriousViolations(page, page.url())).toEqual([]);
  const giftEmail = await waitForEmail(server, recipient, () => shop.control('pay.pressed').click());
  await new CheckoutPage(page).waitForReceipt();
  expect(giftEmail?.subject).toBe('Harbour Books\u202F: A Reader vous offre un cadeau');
  expect(await giver.countCharges()).toBe(0);
  expect(await giver.fetchLibrary()).toEqual([]);
});
