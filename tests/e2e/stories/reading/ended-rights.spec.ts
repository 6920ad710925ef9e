import type { Page } from '@playwright/test';
import type { RunningShop } from '../../../../tools/shop/running-shop.ts';
import { runStoreCli } from '../../../../tools/store/command.ts';
import { formatOrderNumber } from '../../../../machines/model/buying/order-number.ts';
import { Customer, password } from '../../../../tools/browser/customer.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { adminToken, expect, test } from '../../support/shop.ts';

/** Longer than the server caches an entitlement, which is half a minute. */
const denialTimeout = { timeout: 60_000 };
test.setTimeout(150_000);

const titles = { book: '1001', audio: '1019', interactive: '1024' };

const buyAndOpen = async (page: Page, customer: Customer, titleId: string): Promise<{ transId: string; mediaUrl: string }> => {
  const transId = await customer.buy(titleId);
  const mediaResponse = page.waitForResponse((response) => /\/media\/[\w-]+\.[\w-]+\//.test(response.url()) && response.ok());
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId(titleId)}`);
  return { transId, mediaUrl: (await mediaResponse).url() };
};

const refundPurchase = async (shop: RunningShop, transId: string): Promise<void> => {
  const command = ['purchases', 'refund', '--store', 'harbour', '--shop', shop.url, '--order', formatOrderNumber(transId)];
  const cliOptions = { root: shop.data, folder: shop.data, out: () => {}, err: () => {} };
  expect(await runStoreCli(command, { environment: { ADMIN_TOKEN: adminToken }, ...cliOptions })).toBe(0);
};

const waitUntilDenied = (mediaUrl: string) =>
  expect.poll(async () => (await fetch(mediaUrl, { method: 'HEAD' })).status, denialTimeout).toBe(403);

test('the reader of an open title that was refunded sees that it is no longer owned', async ({ page, context, shop, errors }) => {
  errors.allow(/status of 403/);
  const customer = await Customer.signUp(shop);
  await customer.signInBrowser(context);
  const audioView = new ShopPage(page);
  const interactiveView = new ShopPage(await context.newPage());
  const audioPurchase = await buyAndOpen(audioView.page, customer, titles.audio);
  await audioView.waitForState('tracks', { attached: 'paused' });
  const interactivePurchase = await buyAndOpen(interactiveView.page, customer, titles.interactive);
  await interactiveView.waitForState('interactive', { running: 'open' });
  await refundPurchase(shop, audioPurchase.transId);
  await refundPurchase(shop, interactivePurchase.transId);
  await Promise.all([waitUntilDenied(audioPurchase.mediaUrl), waitUntilDenied(interactivePurchase.mediaUrl)]);

  await audioView.page.locator('[data-event="item.chosen"][data-value="5"]').click();
  await interactiveView.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  for (const view of [audioView, interactiveView]) {
    await view.waitForState('viewer', 'notOwned');
    await expect(view.page.getByRole('heading', { name: 'This title is no longer in your library' })).toBeVisible();
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
  const { mediaUrl } = await buyAndOpen(page, customer, titles.interactive);
  await view.waitForState('interactive', { running: 'open' });
  expect((await customer.request('user/signout', {}, {})).status).toBe(200);
  await waitUntilDenied(mediaUrl);

  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await view.waitForState('signIn', 'asking');
  await view.signIn(customer.email, password);
  await view.waitForState('interactive', { running: 'open' });
});
