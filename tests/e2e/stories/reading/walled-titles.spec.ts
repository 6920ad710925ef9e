import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { RunningShop } from '../../../../tools/shop/running-shop.ts';
import { Customer } from '../../../../tools/browser/customer.ts';
import { expect, test } from '../../support/shop.ts';

const titles = { interactive: '1024', free: '1011' };

/** Collects the statuses of the shop's responses to the calls of a title. */
const collectStatuses = (page: Page): number[] => {
  const statuses: number[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/api/purchase/free')) statuses.push(response.status());
  });
  return statuses;
};

/**
 * Opens an interactive title whose page calls the shop with the customer's token, and waits for the
 * end of the calls.
 */
async function openHostileTitle(page: Page, shop: RunningShop, customer: Customer): Promise<void> {
  const { storeParameter, storeId } = customer.config;
  const query = new URLSearchParams({ [storeParameter]: storeId, accesstoken: customer.token, titleId: titles.free });
  const call = `/api/purchase/free?${query.toString()}`;
  const folder = join(shop.data, 'media', storeId, titles.interactive, 'play');
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><title>t</title><script>
      Promise.allSettled([
        fetch('${call}', { mode: 'no-cors' }),
        fetch('${call}', { mode: 'no-cors', method: 'POST', body: 'x' }),
        new Promise((over) => { const i = new Image(); i.onload = i.onerror = over; i.src = '${call}' }),
      ]).then(() => { document.documentElement.dataset.over = '' })
    </script>`,
  );
  await customer.buy(titles.interactive);
  await page.goto(`${shop.url}/viewer?instanceid=${await customer.fetchInstanceId(titles.interactive)}`);
  await expect(page.frameLocator('iframe').locator('html[data-over]')).toBeAttached();
}

test('an interactive title cannot send a call to the shop', async ({ page, context, ownShop, errors }) => {
  errors.allow(/Content Security Policy/);
  const customer = await Customer.signUp(ownShop);
  await customer.signInBrowser(context);
  const statuses = collectStatuses(page);
  await openHostileTitle(page, ownShop, customer);
  expect(statuses).toEqual([]);
  expect(await customer.fetchLibrary()).toEqual([titles.interactive]);
});

test.describe('in a browser without content policies', () => {
  test.use({ bypassCSP: true });

  test('without content policies, the server refuses a call of an interactive title', async ({
    page,
    context,
    ownShop,
    errors,
  }) => {
    errors.allow(/status of 403/);
    const customer = await Customer.signUp(ownShop);
    await customer.signInBrowser(context);
    const statuses = collectStatuses(page);
    await openHostileTitle(page, ownShop, customer);
    // Chromium blocks the picture's response (ORB) and may report it as failed, without a status.
    expect(new Set(statuses)).toEqual(new Set([403]));
    expect(await customer.fetchLibrary()).toEqual([titles.interactive]);
  });
});

test('the token of an interactive title opens neither another title’s files nor a call', async ({ page, context, shop }) => {
  const customer = await Customer.signUp(shop);
  await customer.signInBrowser(context);
  await customer.buy(titles.interactive);
  const pageResponse = page.waitForResponse((response) => response.url().endsWith('/play/index.html') && response.ok());
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId(titles.interactive)}`);
  const pageUrl = (await pageResponse).url();
  const token = new URL(pageUrl).pathname.split('/')[2] ?? '';
  const fetchStatus = async (url: string) => (await fetch(url)).status;
  expect(await fetchStatus(pageUrl)).toBe(200);
  expect(await fetchStatus(pageUrl.replace('/play/', '/sample/'))).toBe(404);
  expect(await fetchStatus(pageUrl.replace('/play/index.html', '/cover.jpg'))).toBe(404);
  const { storeParameter, storeId } = customer.config;
  const query = new URLSearchParams({ [storeParameter]: storeId, accesstoken: token });
  expect(await fetchStatus(`${shop.url}/api/user/purchases?${query.toString()}`)).toBe(401);
});
