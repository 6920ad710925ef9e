import { findSeriousViolations } from '../../pages/axe.ts';
import { Customer, password } from '../../../../tools/browser/customer.ts';
import { Keyboard } from '../../pages/keyboard.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

test.describe('in French and on a phone’s width', () => {
  test.use({ viewport: { width: 390, height: 844 }, locale: 'fr-FR' });

  test('a visitor types a code by keyboard, chooses a title after sign-in, and owns it once', async ({
    page,
    shop: server,
    errors,
  }) => {
    errors.allow(/status of 404/);
    const shop = new ShopPage(page);
    const keyboard = new Keyboard(page);
    const customer = await Customer.signUp(server);
    const flow = shop.flow('redeem');
    const code = flow.locator('[name="code"]');

    await page.goto('/redeem');
    await expect(page).toHaveTitle(/Utiliser un code/);
    await keyboard.type(code, 'DEMO-CHOIX');
    await page.keyboard.press('Enter');
    await shop.waitForState('redeem', 'refused');
    await expect(page.getByRole('alert')).toContainText('Nous ne reconnaissons pas ce code.');

    await expect(code).toHaveValue('DEMO-CHOIX');
    await code.fill('');
    await keyboard.type(code, 'demo choice');
    await page.keyboard.press('Enter');
    await shop.waitForState('redeem', 'choosing');
    await expect(page).toHaveURL(/\/redeem\/demochoice$/);
    await expect(flow).toContainText('Votre code vous offre un de ces titres.');
    await expect(flow.locator('[data-event="title.chosen"]')).toHaveCount(0);
    await keyboard.press(flow.getByRole('button', { name: 'Se connecter et choisir' }));

    await shop.waitForState('signIn', 'asking');
    expect(page.url()).not.toContain('demochoice');
    await shop.signIn(customer.email, password);
    await shop.waitForState('redeem', 'choosing');
    await expect(page).toHaveURL(/\/redeem\/demochoice$/);
    await keyboard.press(flow.getByRole('button', { name: /^Choisir.*The Night Signalman/ }));
    await keyboard.press(flow.getByRole('button', { name: 'Utiliser pour ce titre' }));
    await shop.waitForState('redeem', 'redeemed');
    await expect(flow).toContainText('The Night Signalman');
    expect(await customer.fetchLibrary()).toEqual(['1019']);

    await page.reload();
    await shop.waitForState('redeem', 'redeemed');
    await keyboard.press(flow.getByRole('button', { name: 'Ouvrir maintenant' }));
    await shop.waitForState('viewer', 'listening');
    expect(await customer.fetchLibrary()).toEqual(['1019']);
    await page.goto('/redeem/DEMO-TITLE');
    await keyboard.press(flow.getByRole('button', { name: 'Utiliser', exact: true }));
    await shop.waitForState('redeem', 'redeemed');
    await keyboard.press(flow.getByRole('link', { name: 'Ma bibliothèque' }));
    await expect(shop.flow('library')).toContainText('The Wend');
  });
});

test('a code of which the response is lost is redeemed once when the customer retries', async ({
  page,
  context,
  shop: server,
  errors,
}) => {
  errors.allow(/Failed to load resource/);
  const shop = new ShopPage(page);
  const customer = await Customer.signUp(server);
  await customer.signInBrowser(context);
  await page.goto('/redeem/demo-credits');
  await shop.waitForState('redeem', 'offered');
  await page.route('**/api/redeem/benefit*', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await shop.control('redeem.pressed').click();
  await shop.waitForState('redeem', 'unknown');
  await page.unroute('**/api/redeem/benefit*');
  await shop.control('retry.pressed').click();
  await shop.waitForState('redeem', 'redeemed');
  await expect(shop.flow('redeem')).toContainText('3 Credits');
  expect(await (await customer.request('credits/balance')).json()).toMatchObject({ CreditBalance: 3 });
});

test('credits in the top bar are updated in every tab when a code is redeemed, and link to the account', async ({
  page,
  context,
  shop: server,
}) => {
  const shop = new ShopPage(page);
  await (await Customer.signUp(server)).signInBrowser(context);
  const otherTab = await context.newPage();
  await otherTab.goto('/about');
  const getCredits = (tab: typeof page) => tab.locator('header [data-credits]');
  await expect(getCredits(otherTab)).toHaveText('0 Credits');
  await page.goto('/redeem/demo-credits');
  await expect(getCredits(page)).toHaveText('0 Credits');
  await shop.control('redeem.pressed').click();
  await shop.waitForState('redeem', 'redeemed');
  await expect(getCredits(page)).toHaveText('3 Credits');
  await expect(getCredits(otherTab)).toHaveText('3 Credits');
  await getCredits(page).click();
  await expect(page.getByRole('heading', { name: 'Credits', exact: true })).toBeInViewport();
  await page.getByRole('button', { name: 'Account', exact: true }).click();
  await page.getByRole('navigation', { name: 'Your account' }).getByRole('button', { name: 'Logout' }).click();
  await expect(getCredits(page)).toHaveCount(0);
  await expect(getCredits(otherTab)).toHaveCount(0);
});

test('a code starts a subscription with one press and without a card, and the account shows it', async ({
  page,
  context,
  shop: server,
}) => {
  const shop = new ShopPage(page);
  const customer = await Customer.signUp(server);
  await customer.signInBrowser(context);
  await page.goto('/redeem/DEMO-MONTH');
  await expect(shop.flow('redeem')).toContainText('One month of this subscription is free.');
  await shop.control('redeem.pressed').click();
  await shop.waitForState('receipt', 'subscribed');
  await expect(page.getByRole('main')).toContainText('Harbour Monthly');
  await page.getByRole('link', { name: 'Manage your subscription' }).click();
  await expect(shop.flow('ownSubscription')).toContainText('It won’t renew.');
  expect(await customer.countCharges()).toBe(0);
});

test('an invalid code is refused with the reason', async ({ page, errors }) => {
  errors.allow(/status of 4\d\d/);
  const shop = new ShopPage(page);
  for (const [code, message] of [
    ['DEMO-USED', 'This code has already been used.'],
    ['DEMO-OLD', 'This code has expired.'],
    ['PLUM-LANE', 'This code is for another shop.'],
  ]) {
    await page.goto(`/redeem/${code}`);
    await shop.waitForState('redeem', 'refused');
    await expect(page.getByRole('alert')).toContainText(message ?? '');
    await expect(shop.flow('redeem').getByLabel('Code')).toHaveValue(code ?? '');
  }
});

test('a sign-in link leads to its code, and a refused code remains in the field', async ({ page, shop: server, errors }) => {
  errors.allow(/status of 404/);
  const shop = new ShopPage(page);
  const customer = await Customer.signUp(server);
  const appliedCodes: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/redeem/apply')) appliedCodes.push(searchParams.get('code') ?? '');
  });
  await page.goto('/signin?return=/redeem/AB-12');
  await shop.signIn(customer.email, password);
  await shop.waitForState('redeem', 'refused');
  await expect(page).toHaveURL(/\/redeem\/AB-12$/);
  const code = shop.flow('redeem').getByLabel('Code');
  await expect(code).toHaveValue('AB-12');
  await expect(page.getByRole('alert')).toContainText('We don’t recognise this code.');
  await code.fill('DEMO-TITLE');
  await code.press('Enter');
  await shop.waitForState('redeem', 'offered');
  expect(appliedCodes).toEqual(['AB-12', 'DEMO-TITLE']);

  await page.goto('/redeem/…');
  await shop.waitForState('redeem', 'typing');
  expect(appliedCodes).toHaveLength(2);
});

test('the offers of codes have no serious accessibility violation', async ({ page, context, shop: server }) => {
  const shop = new ShopPage(page);
  await (await Customer.signUp(server)).signInBrowser(context);
  for (const [code, state] of [
    ['DEMO-TITLE', 'offered'],
    ['DEMO-CHOICE', 'choosing'],
    ['DEMO-TRIAL', 'payable'],
  ] as const) {
    await page.goto(`/redeem/${code}`);
    await shop.waitForState('redeem', state);
    expect(await findSeriousViolations(page, state)).toEqual([]);
  }
  await page.goto('/redeem/DEMO-CREDITS');
  await shop.control('redeem.pressed').click();
  await shop.waitForState('redeem', 'redeemed');
  expect(await findSeriousViolations(page, 'redeemed')).toEqual([]);
});
