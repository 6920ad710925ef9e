import { Customer, password } from '../../../../tools/browser/customer.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

const wideViewport = { width: 1366, height: 900 };
const narrowViewport = { width: 390, height: 844 };

/** Everything that the shop may store in a browser, except the record of the visit. */
const storedKeys = [
  'colophon.appearance',
  'colophon.cookies',
  'colophon.device',
  'colophon.locale',
  'colophon.look',
  'colophon.pending',
  'colophon.wishes',
  'emailid',
  'id_token',
  'userid',
];

test('session, language and themes are stored; the layout follows the window only [S9.layout-not-kept]', async ({
  page,
  shop,
}) => {
  const customer = await Customer.signUp(shop);
  const view = new ShopPage(page);
  const sidebar = page.locator('aside');
  await page.setViewportSize(narrowViewport);
  await page.goto('/signin');
  await view.signIn(customer.email, password);
  await view.waitForState('landing', 'shown');
  await expect(sidebar).toBeHidden();
  await view.control('language.chosen').selectOption('fr');
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');

  await page.setViewportSize(wideViewport);
  await expect(sidebar).toBeVisible();
  await page.reload();
  await expect(sidebar).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await page.setViewportSize(narrowViewport);
  await page.reload();
  await view.waitForState('landing', 'shown');
  await expect(sidebar).toBeHidden();

  const storedItems = await page.evaluate(() =>
    Object.keys(localStorage).map((name): [string, string] => [name, localStorage.getItem(name) ?? '']),
  );
  expect(storedItems.map(([name]) => name).filter((name) => !storedKeys.some((prefix) => name.startsWith(prefix)))).toEqual([]);
  expect(storedItems.filter(([, value]) => /desktop|tablet|mobile/.test(value))).toEqual([]);
});
