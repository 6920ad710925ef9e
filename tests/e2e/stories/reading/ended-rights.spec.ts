import type { Page } from '@playwright/test';
import type { RunningShop } from '../../../../tools/shop/running-shop.ts';
import { runStoreCli } from '../../../../tools/store/command.ts';
import { formatOrderNumber } from '../../../../machines/model/buying/order-number.ts';
import { Customer, password } from '../../../../tools/browser/customer.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { adminToken, expect, test } from '../../support/shop.ts';

/** The server caches an entitlement for half a minute. */
const ONE_MINUTE = { timeout: 60_000 };
test.setTimeout(150_000);

const titles = { book: '1001', audio: '1019', interactive: '1024' };

const buyAndOpen = async (page: Page, customer: Customer, titleId: string): Promise<{ transId: string; address: string }> => {
  const transId = await customer.buy(titleId);
  const fetched = page.waitForResponse((answer) => /\/media\/[\w-]+\.[\w-]+\//.test(answer.url()) && answer.ok());
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId(titleId)}`);
  return { transId, address: (await fetched).url() };
};

const refund = async (shop: RunningShop, transId: string): Promise<void> => {
  const order = ['purchases', 'refund', '--store', 'harbour', '--shop', shop.url, '--order', formatOrderNumber(transId)];
  const outside = { root: shop.data, folder: shop.data, out: () => {}, err: () => {} };
  expect(await runStoreCli(order, { environment: { ADMIN_TOKEN: adminToken }, ...outside })).toBe(0);
};

const waitUntilDenied = (address: string) =>
  expect.poll(async () => (await fetch(address, { method: 'HEAD' })).status, ONE_MINUTE).toBe(403);

test('readers of refunded titles see that they do not own them', async ({ page, context, shop, errors }) => {
  errors.allow(/status of 403/);
  const customer = await Customer.signUp(shop);
  await customer.signInBrowser(context);
  const listening = new ShopPage(page);
  const playing = new ShopPage(await context.newPage());
  const sound = await buyAndOpen(listening.page, customer, titles.audio);
  await listening.waitForState('tracks', { attached: 'paused' });
  const story = await buyAndOpen(playing.page, customer, titles.interactive);
  await playing.waitForState('interactive', { running: 'open' });
  await refund(shop, sound.transId);
  await refund(shop, story.transId);
  await Promise.all([waitUntilDenied(sound.address), waitUntilDenied(story.address)]);

  await listening.page.locator('[data-event="item.chosen"][data-value="5"]').click();
  await playing.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  for (const each of [listening, playing]) {
    await each.waitForState('viewer', 'notOwned');
    await expect(each.page.getByRole('heading', { name: 'This title is no longer in your library' })).toBeVisible();
  }
});

test('a reader whose session was ended elsewhere signs in again, and continues reading', async ({
  page,
  context,
  shop,
  errors,
}) => {
  errors.allow(/status of 40[13]/);
  const customer = await Customer.signUp(shop);
  await customer.signInBrowser(context);
  const view = new ShopPage(page);
  const { address } = await buyAndOpen(page, customer, titles.interactive);
  await view.waitForState('interactive', { running: 'open' });
  expect((await customer.request('user/signout', {}, {})).status).toBe(200);
  await waitUntilDenied(address);

  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await view.waitForState('signIn', 'asking');
  await view.signIn(customer.email, password);
  await view.waitForState('interactive', { running: 'open' });
});
