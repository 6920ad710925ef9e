import { Customer, password } from '../../../../tools/browser/customer.ts';
import { openWithFrame } from '../../../../tools/browser/frame.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

const freeTitle = '1011';

test('a customer gets a free title with one press, without a payment step', async ({ page, context, shop }) => {
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

test('the card of a title has no price as soon as the title is owned', async ({ page, context, shop }) => {
  const customer = await Customer.signUp(shop);
  await customer.buy('1001');
  await customer.signInBrowser(context);
  let requestCount = 0;
  page.on('request', (request) => (requestCount += request.url().includes('/user/titles') ? 1 : 0));
  await openWithFrame(page, '/all?sort=title');
  const getCard = (id: string) => page.locator(`[data-flow="catalogue"] a[href^="/id:${id}"]`);
  await expect(getCard('1001')).toContainText('In your library');
  await expect(getCard('1001')).not.toContainText('$');
  await expect(getCard(freeTitle)).toContainText('Free');
  expect(requestCount).toBe(1);
  await getCard(freeTitle).click();
  await page.getByRole('button', { name: 'Get it for free' }).click();
  await expect(page.getByRole('link', { name: 'Read', exact: true })).toBeVisible();
  await page.goBack();
  await expect(getCard(freeTitle)).toContainText('In your library');
  expect(requestCount).toBe(2);
});
