import { Customer, password } from '../../../../tools/browser/customer.ts';
import { openWithFrame } from '../../../../tools/browser/frame.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

const freeTitle = '1011';

test('a free title takes one press for a customer, and no payment step', async ({ page, context, shop }) => {
  const customer = await Customer.signUp(shop);
  await customer.signInBrowser(context);
  await page.goto(`/id:${freeTitle}`);
  await page.getByRole('button', { name: 'Get it for free' }).click();
  await expect(page.getByRole('link', { name: 'Read', exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/id:1011/);
  expect(await customer.fetchLibrary()).toEqual([freeTitle]);
  await page.reload();
  await expect(page.getByText('In your library')).toBeVisible();
  await page.getByRole('link', { name: 'Read', exact: true }).click();
  await expect(page).toHaveURL(/\/viewer\?instanceid=/);
});

test('a visitor signs in on the way to a free title, and then owns it', async ({ page, shop }) => {
  const customer = await Customer.signUp(shop);
  await page.goto(`/id:${freeTitle}`);
  await page.getByRole('button', { name: 'Get it for free' }).click();
  await new ShopPage(page).signIn(customer.email, password);
  await expect(page.getByRole('link', { name: 'Read', exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/id:1011/);
  expect(await customer.fetchLibrary()).toEqual([freeTitle]);
});

test('an owned title has no price any more, on cards and on its page, as soon as it is owned', async ({
  page,
  context,
  shop,
}) => {
  const customer = await Customer.signUp(shop);
  await customer.buy('1001');
  await customer.signInBrowser(context);
  let asked = 0;
  page.on('request', (request) => (asked += request.url().includes('/user/titles') ? 1 : 0));
  await openWithFrame(page, '/all?sort=title');
  const card = (id: string) => page.locator(`[data-flow="catalogue"] a[href^="/id:${id}"]`);
  await expect(card('1001')).toContainText('In your library');
  await expect(card('1001')).not.toContainText('$');
  await expect(card(freeTitle)).toContainText('Free');
  expect(asked).toBe(1);
  await card(freeTitle).click();
  await page.getByRole('button', { name: 'Get it for free' }).click();
  await expect(page.getByRole('link', { name: 'Read', exact: true })).toBeVisible();
  await page.goBack();
  await expect(card(freeTitle)).toContainText('In your library');
  expect(asked).toBe(2);
});
