import { expect, type Page } from '@playwright/test';
import type { RunningShop } from '../../../../tools/shop/running-shop.ts';
import { buyAndOpenTitle } from '../../pages/reading.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { testWithMediaLifetime } from '../../support/media-lifetime.ts';
import { pauseClock } from '../../../../tools/browser/clock.ts';

/** Longest validity of a media URL in seconds; the shortest is half of it. */
const MEDIA_LIFETIME_S = 8;

const test = testWithMediaLifetime(MEDIA_LIFETIME_S);

const titles = { book: '1001', pdf: '1016', audio: '1019', interactive: '1024' };

/** Collects the tokens of the URLs from which the page fetches media. */
const collectTokens = (page: Page): Set<string> => {
  const tokens = new Set<string>();
  page.on('response', (response) => {
    const token = /\/media\/([\w-]+\.[\w-]+)\//.exec(response.url())?.[1];
    if (token !== undefined && response.ok()) tokens.add(token);
  });
  return tokens;
};

/**
 * Returns a function that repeats the page's last request for media URLs. The function returns the
 * token of the new URLs: once it has expired, so have all earlier ones.
 */
const prepareTokenRequest = (page: Page): (() => Promise<string>) => {
  let lastRequestUrl = '';
  page.on('request', (request) => {
    if (/\/viewer\/(?:url|components)\?/.test(request.url())) lastRequestUrl = request.url();
  });
  return async () => /\/media\/([\w-]+\.[\w-]+)\//.exec(await (await fetch(lastRequestUrl)).text())?.[1] ?? '';
};

/** Waits until the server refuses the media URLs with a token; the page must be visible then. */
const waitUntilExpired = async (page: Page, shop: RunningShop, token: string): Promise<void> => {
  const isValid = async () => (await fetch(`${shop.url}/media/${token}/none.jpg`)).status !== 403;
  await expect.poll(isValid, { timeout: 15_000 }).toBe(false);
  expect(await page.evaluate(() => document.visibilityState)).toBe('visible');
};

/** Simulates a computer that sleeps until the URLs have expired, so that none is renewed. */
const sleepUntilExpired = async (page: Page, shop: RunningShop, token: string): Promise<void> => {
  await page.route('**/viewer/components?*', (route) => route.abort());
  await waitUntilExpired(page, shop, token);
  await page.unroute('**/viewer/components?*');
};

const readFooter = (page: Page) => page.locator('[data-flow="book"] footer').innerText();

const turnPages = async (page: Page, turns: number): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) {
    const footerBefore = await readFooter(page);
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(() => readFooter(page)).not.toBe(footerBefore);
  }
};

/**
 * Advances the page's clock by 60 s, after which the page renews its URLs even if they are valid,
 * and waits for the renewal.
 */
const waitForRenewal = async (page: Page): Promise<void> => {
  const renewal = page.waitForResponse((response) => response.url().includes('/viewer/url'));
  await page.clock.fastForward(60_000);
  await renewal;
};

for (const [rule, prepare, refusalCount] of [
  ['are renewed before they expire', waitForRenewal, 0],
  ['that expired while the computer slept are renewed at the next turn', async () => undefined, 1],
] as const) {
  test(`URLs of a book ${rule}`, async ({ page, shop, customer, errors }) => {
    if (refusalCount > 0) errors.allow(/status of 403|net::ERR_FAILED/);
    const view = new ShopPage(page);
    const tokens = collectTokens(page);
    await page.clock.install();
    await buyAndOpenTitle(page, customer, titles.book);
    await expect(view.control('turn.pressed', view.flow('book'))).toBeEnabled();
    await turnPages(page, 1);
    const [firstToken = ''] = tokens;
    await (refusalCount > 0 ? sleepUntilExpired : waitUntilExpired)(page, shop, firstToken);
    await prepare(page);
    const positionBefore = await view.readProgress();
    await turnPages(page, 6);
    expect(await view.readProgress()).toBeGreaterThan(positionBefore);
    expect(tokens.size).toBeGreaterThan(1);
    await expect(view.flow('book').getByRole('alert')).toHaveCount(0);
  });
}

test('a PDF whose URLs expired while the computer slept continues with the requested page', async ({
  page,
  shop,
  customer,
  errors,
}) => {
  errors.allow(/status of 403|net::ERR_FAILED/);
  const tokens = collectTokens(page);
  await buyAndOpenTitle(page, customer, titles.pdf);
  await turnPages(page, 1);
  const [firstToken = ''] = tokens;
  await sleepUntilExpired(page, shop, firstToken);
  await page.locator('[data-event="fraction.chosen"]').press('End');
  await expect(page.locator('footer')).toContainText('Page 15 of 15');
  await expect(page.locator('.page[data-page-number="15"] .textLayer')).not.toBeEmpty();
});

test('a recording whose URLs expired while the computer slept plays the chosen part', async ({
  page,
  shop,
  customer,
  errors,
}) => {
  errors.allow(/status of 403|net::ERR_FAILED/);
  const view = new ShopPage(page);
  const requestToken = prepareTokenRequest(page);
  await page.clock.install();
  await buyAndOpenTitle(page, customer, titles.audio);
  await view.waitForState('tracks', { attached: 'paused' });
  // While its clock is paused the page renews nothing. Calls are not intercepted, since that would
  // bypass the browser's cache.
  await pauseClock({ page });
  const lastToken = await requestToken();
  expect(lastToken).not.toBe('');
  await waitUntilExpired(page, shop, lastToken);
  const mediaRequest = page.waitForRequest((request) => request.method() === 'HEAD' && request.url().includes('/media/'));
  await page.locator('[data-event="item.chosen"][data-value="4"]').click();
  // The page asks the server, not the browser's cache, whether the URL is valid.
  expect((await (await mediaRequest).allHeaders())['cache-control']).toBe('no-cache');
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
  const passageBefore = await passage.innerText();
  const [firstToken = ''] = tokens;
  await waitUntilExpired(page, shop, firstToken);
  await waitForRenewal(page);
  // Polled, since the page may not have read the response yet.
  const returnAndReadSource = async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    return page.locator('iframe').getAttribute('src');
  };
  await expect.poll(returnAndReadSource).not.toContain(firstToken);
  await expect(passage).toHaveText(passageBefore, { useInnerText: true });
});

for (const [change, status, code, state, heading] of [
  ['refunded', 403, 'not_owned', 'notOwned', 'This title is no longer in your library'],
  ['withdrawn', 404, 'not_found', 'notFound', 'This title has been withdrawn'],
] as const)
  test(`an open title that is ${change} is reported to its reader`, async ({ page, customer, errors }) => {
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
