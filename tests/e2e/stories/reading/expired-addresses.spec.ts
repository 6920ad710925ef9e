import { expect, type Page } from '@playwright/test';
import type { RunningShop } from '../../../../tools/shop/running-shop.ts';
import { buyAndOpenTitle } from '../../pages/reading.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { testWithMediaLifetime } from '../../support/media-lifetime.ts';

/** Media URLs are valid for so many seconds at most, and for half of them at least. */
const MEDIA_LIFETIME_S = 8;

const test = testWithMediaLifetime(MEDIA_LIFETIME_S);

const titles = { book: '1001', pdf: '1016', audio: '1019', interactive: '1024' };

/** The tokens of the URLs that media were fetched by. */
const collectTokens = (page: Page): Set<string> => {
  const tokens = new Set<string>();
  page.on('response', (answer) => {
    const token = /\/media\/([\w-]+\.[\w-]+)\//.exec(answer.url())?.[1];
    if (token !== undefined && answer.ok()) tokens.add(token);
  });
  return tokens;
};

/**
 * Requests a URL again, as the page did last: if this one has expired, so have all earlier ones.
 */
const watchReissuedUrls = (page: Page): (() => Promise<string>) => {
  let asked = '';
  page.on('request', (request) => {
    if (/\/viewer\/(?:url|components)\?/.test(request.url())) asked = request.url();
  });
  return async () => /\/media\/([\w-]+\.[\w-]+)\//.exec(await (await fetch(asked)).text())?.[1] ?? '';
};

/** Waits until the server refuses a URL that it has just accepted. */
const waitUntilExpired = async (page: Page, shop: RunningShop, token: string): Promise<void> => {
  const isOpen = async () => (await fetch(`${shop.url}/media/${token}/none.jpg`)).status !== 403;
  await expect.poll(isOpen, { timeout: 15_000 }).toBe(false);
  expect(await page.evaluate(() => document.visibilityState)).toBe('visible');
};

/** Suspends the machine, so that nothing is renewed, until the URL has expired. */
const sleepUntilExpired = async (page: Page, shop: RunningShop, token: string): Promise<void> => {
  await page.route('**/viewer/components?*', (route) => route.abort());
  await waitUntilExpired(page, shop, token);
  await page.unroute('**/viewer/components?*');
};

const readPlace = (page: Page) => page.locator('[data-flow="book"] footer').innerText();

const turnPages = async (page: Page, turns: number): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) {
    const before = await readPlace(page);
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(() => readPlace(page)).not.toBe(before);
  }
};

/**
 * Advances the page's clock by 60 s, after which it renews any URLs, however short their validity:
 * before the server refuses one.
 */
const waitForRenewal = async (page: Page): Promise<void> => {
  const renewed = page.waitForResponse((answer) => answer.url().includes('/viewer/url'));
  await page.clock.fastForward(60_000);
  await renewed;
};

for (const [how, prepare, refusals] of [
  ['are renewed before they expire', waitForRenewal, 0],
  ['that expired while the machine slept are renewed at the next turn', async () => undefined, 1],
] as const) {
  test(`URLs of a book ${how}`, async ({ page, shop, customer, errors }) => {
    if (refusals > 0) errors.allow(/status of 403|net::ERR_FAILED/);
    const view = new ShopPage(page);
    const tokens = collectTokens(page);
    await page.clock.install();
    await buyAndOpenTitle(page, customer, titles.book);
    await expect(view.control('turn.pressed', view.flow('book'))).toBeEnabled();
    await turnPages(page, 1);
    const [first = ''] = tokens;
    await (refusals > 0 ? sleepUntilExpired : waitUntilExpired)(page, shop, first);
    await prepare(page);
    const left = await view.readProgress();
    await turnPages(page, 6);
    expect(await view.readProgress()).toBeGreaterThan(left);
    expect(tokens.size).toBeGreaterThan(1);
    await expect(view.flow('book').getByRole('alert')).toHaveCount(0);
  });
}

test('a PDF whose URLs expired while the machine slept continues with the next page', async ({
  page,
  shop,
  customer,
  errors,
}) => {
  errors.allow(/status of 403|net::ERR_FAILED/);
  const tokens = collectTokens(page);
  await buyAndOpenTitle(page, customer, titles.pdf);
  await turnPages(page, 1);
  const [first = ''] = tokens;
  await sleepUntilExpired(page, shop, first);
  await page.locator('[data-event="fraction.chosen"]').press('End');
  await expect(page.locator('footer')).toContainText('Page 15 of 15');
  await expect(page.locator('.page[data-page-number="15"] .textLayer')).not.toBeEmpty();
});

test('a recording whose URLs expired while the machine slept plays the chosen part', async ({ page, shop, customer, errors }) => {
  errors.allow(/status of 403|net::ERR_FAILED/);
  const view = new ShopPage(page);
  const tokenNow = watchReissuedUrls(page);
  await page.clock.install();
  await buyAndOpenTitle(page, customer, titles.audio);
  await view.waitForState('tracks', { attached: 'paused' });
  // While its time is stopped the page renews nothing. Calls are not intercepted, since that would
  // bypass the browser's cache.
  await expect(async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 200)).toPass();
  const last = await tokenNow();
  expect(last).not.toBe('');
  await waitUntilExpired(page, shop, last);
  const asked = page.waitForRequest((request) => request.method() === 'HEAD' && request.url().includes('/media/'));
  await page.locator('[data-event="item.chosen"][data-value="4"]').click();
  // The server is asked whether the URL is valid, not the browser's cache.
  expect((await (await asked).allHeaders())['cache-control']).toBe('no-cache');
  await page.clock.resume();
  await view.waitForState('tracks', { attached: 'playing' });
  await expect(page.locator('[aria-current="true"][data-value="4"]')).toBeVisible();
});

test('an interactive title continues in place when the customer returns after its URLs expired', async ({
  page,
  shop,
  customer,
}) => {
  const view = new ShopPage(page);
  const tokens = collectTokens(page);
  await page.clock.install();
  await buyAndOpenTitle(page, customer, titles.interactive);
  await view.waitForState('interactive', { running: 'open' });
  const passage = page.frameLocator('iframe').locator('#passage');
  await page.frameLocator('iframe').locator('#choices button').first().click();
  const reached = await passage.innerText();
  const [first = ''] = tokens;
  await waitUntilExpired(page, shop, first);
  await waitForRenewal(page);
  // The page may still be reading the answer.
  const comeBack = async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    return page.locator('iframe').getAttribute('src');
  };
  await expect.poll(comeBack).not.toContain(first);
  await expect(passage).toHaveText(reached, { useInnerText: true });
});

for (const [what, status, code, state, heading] of [
  ['returned', 403, 'not_owned', 'notOwned', 'This title is no longer in your library'],
  ['withdrawn', 404, 'not_found', 'notFound', 'This title has been withdrawn'],
] as const)
  test(`a title that is ${what} while it is open says so`, async ({ page, customer, errors }) => {
    errors.allow(/status of 40[34]/);
    const view = new ShopPage(page);
    await page.clock.install();
    await buyAndOpenTitle(page, customer, titles.book);
    await expect(view.control('turn.pressed')).toBeEnabled();
    const json = { error: 'This title cannot be read.', status, code };
    await page.route('**/viewer/components?*', (route) => route.fulfill({ status, json }));
    await page.clock.fastForward(60_000);
    await view.waitForState('viewer', state);
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
  });
