import { Customer } from '../../../../tools/browser/customer.ts';
import { demoAddresses } from '../../../../tools/shop/demo-addresses.ts';
import { measureHorizontalOverflow, openAndReadHeading } from '../../pages/every-address.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { findDivergences, readRecordedTrace, parseTrace } from '../../../../tools/browser/recorded-trace.ts';
import { expect, test } from '../../support/shop.ts';

/** Limit of the test that loads a page for each address. */
const timeoutMs = 300_000;

/** Error statuses that some addresses cause, for example 404 for an id that does not exist. */
const expectedErrors = /status of (?:400|401|404|409)/;

test('a customer changes the language of their account and signs out [S6.account]', async ({ page, context, shop }) => {
  const customer = await Customer.signUp(shop);
  await customer.buy('1001');
  await customer.signInBrowser(context);
  await page.goto('/account');
  const view = new ShopPage(page);
  await view.waitForState('account', 'shown');
  await expect(view.flow('account')).toContainText(customer.email);
  await expect(view.flow('account').getByRole('listitem')).toHaveCount(1);
  await view.control('language.chosen', view.flow('account')).selectOption('fr');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mon profil');
  await view.control('signOut.pressed', view.flow('account')).click();
  await expect(page).toHaveURL('/signin?return=%2Faccount');
});

test('every address has a French page that fits a phone', async ({ page, context, shop, errors }) => {
  test.setTimeout(timeoutMs);
  errors.allow(expectedErrors);
  await (await Customer.signUp(shop)).signInBrowser(context);
  const [narrowPhone, usualPhone] = [
    { width: 320, height: 640 },
    { width: 390, height: 844 },
  ];
  for (const { path } of demoAddresses) {
    await page.setViewportSize(narrowPhone);
    await openAndReadHeading(page, `${path}${path.includes('?') ? '&' : '?'}lang=fr`);
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
    await page.setViewportSize(usualPhone);
    await expect
      .poll(() => measureHorizontalOverflow(page), `pixels of ${path} beside ${usualPhone.width}`)
      .toBeLessThanOrEqual(0);
  }
});

test('a page for customers is shown after signing in', async ({ page, shop, errors }) => {
  errors.allow(expectedErrors);
  const customer = await Customer.signUp(shop);
  const view = new ShopPage(page);
  await page.goto('/pages/private/customers-notes');
  await view.waitForState('signIn', 'asking');
  await view.signIn(customer.email);
  await view.waitForState('page', 'shown');
  await expect(page).toHaveURL('/pages/private/customers-notes');
  await expect(page).toHaveTitle(/^Notes for Our Customers · /);
  await expect(view.flow('page')).toContainText('Read on every device of yours');
});

test('a link’s secret is not in the record of the visit, and is restored after signing in [S2.redirect/subscription.aspx] [S2.redirect/resetpassword.aspx]', async ({
  page,
  shop,
  errors,
}) => {
  // The code and the token of the links are invalid.
  errors.allow(/status of (?:400|404)/);
  const customer = await Customer.signUp(shop);
  const view = new ShopPage(page);
  await page.goto('/resetpassword.aspx?token=T0KEN-4711');
  await view.waitForState('resetPassword', 'over');
  await expect(page).toHaveURL('/resetpassword/T0KEN-4711');
  await page.goto('/subscription.aspx?code=C0DE-4711&planid=monthly');
  await view.waitForState('subscription', 'offered');
  await expect(page).toHaveURL('/subscription?code=C0DE-4711&planid=monthly');
  await page.goto('/subscription/purchase?planid=monthly&code=C0DE-4712');
  await view.waitForState('signIn', 'asking');
  // The code is removed from the URL as soon as the server has refused it.
  const visitedUrls: string[] = [];
  page.on('framenavigated', (frame) => void visitedUrls.push(frame.url()));
  await view.signIn(customer.email);
  await expect.poll(() => visitedUrls).toContain(`${shop.url}/subscription/purchase?planid=monthly&code=C0DE-4712`);
  const countRuns = async () => parseTrace((await readRecordedTrace(page)) ?? '{"runs":[]}').runs.length;
  await expect.poll(countRuns).toBeGreaterThan(0);
  const record = (await readRecordedTrace(page)) ?? '';
  expect(record).toContain('planid');
  expect(record).not.toMatch(/471[12]|\.aspx/);
  expect(findDivergences(parseTrace(record)).filter(Boolean)).toEqual([]);
});

test('the window title is the page’s name, in the language of the page', async ({ page }) => {
  await page.goto('/signup?lang=fr');
  await expect(page).toHaveTitle('Créer un compte · Harbour Books');
  await page.goto('/all/popular?lang=en');
  await expect(page).toHaveTitle('Popular titles · Harbour Books');
});
