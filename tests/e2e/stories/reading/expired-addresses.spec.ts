import { expect, type Page } from '@playwright/test';
import type { RunningShop } from '../../../../tools/shop/running-shop.ts';
import { openTitle } from '../../pages/reading.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { withAddressesOf } from '../../support/address-life.ts';

/** Media addresses open for so many seconds at most, and for half of them at least. */
const LIFETIME = 8;

const test = withAddressesOf(LIFETIME);

const titles = { book: '1001', pdf: '1016', audio: '1019', interactive: '1024' };

/** The tokens of the addresses that media were got by. */
const tokensOf = (page: Page): Set<string> => {
  const tokens = new Set<string>();
  page.on('response', (answer) => {
    const token = /\/media\/([\w-]+\.[\w-]+)\//.exec(answer.url())?.[1];
    if (token !== undefined && answer.ok()) tokens.add(token);
  });
  return tokens;
};

/**
 * Asks for an address again, as the page did last: when this one has expired, so have all earlier
 * ones.
 */
const givenAgain = (page: Page): (() => Promise<string>) => {
  let asked = '';
  page.on('request', (request) => {
    if (/\/viewer\/(?:url|components)\?/.test(request.url())) asked = request.url();
  });
  return async () => /\/media\/([\w-]+\.[\w-]+)\//.exec(await (await fetch(asked)).text())?.[1] ?? '';
};

/** Waits until the server takes an address no longer that opened just now. */
const untilExpired = async (page: Page, shop: RunningShop, token: string): Promise<void> => {
  const isOpen = async () => (await fetch(`${shop.url}/media/${token}/none.jpg`)).status !== 403;
  await expect.poll(isOpen, { timeout: 15_000 }).toBe(false);
  expect(await page.evaluate(() => document.visibilityState)).toBe('visible');
};

/** The machine sleeps, so that nothing is renewed, until the address has expired. */
const sleepUntilExpired = async (page: Page, shop: RunningShop, token: string): Promise<void> => {
  await page.route('**/viewer/components?*', (route) => route.abort());
  await untilExpired(page, shop, token);
  await page.unroute('**/viewer/components?*');
};

const place = (page: Page) => page.locator('[data-flow="book"] footer').innerText();

const readOn = async (page: Page, turns: number): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) {
    const before = await place(page);
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(() => place(page)).not.toBe(before);
  }
};

/** As much passes for the page as addresses are used for, however short their life: others are got ahead of any refusal. */
const renew = async (page: Page): Promise<void> => {
  const renewed = page.waitForResponse((answer) => answer.url().includes('/viewer/url'));
  await page.clock.fastForward(60_000);
  await renewed;
};

for (const [how, prepare, refusals] of [
  ['are renewed before anybody misses them', renew, 0],
  ['that expired while the machine slept are renewed at the next turn', async () => undefined, 1],
] as const) {
  test(`addresses of a book ${how}`, async ({ page, shop, customer, errors }) => {
    if (refusals > 0) errors.allow(/status of 403|net::ERR_FAILED/);
    const view = new ShopPage(page);
    const tokens = tokensOf(page);
    await page.clock.install();
    await openTitle(page, customer, titles.book);
    await expect(view.press('turn.pressed', view.flow('book'))).toBeEnabled();
    await readOn(page, 1);
    const [first = ''] = tokens;
    await (refusals > 0 ? sleepUntilExpired : untilExpired)(page, shop, first);
    await prepare(page);
    const left = await view.progress();
    await readOn(page, 6);
    expect(await view.progress()).toBeGreaterThan(left);
    expect(tokens.size).toBeGreaterThan(1);
    await expect(view.flow('book').getByRole('alert')).toHaveCount(0);
  });
}

test('a PDF whose addresses expired while the machine slept goes on to the next page', async ({
  page,
  shop,
  customer,
  errors,
}) => {
  errors.allow(/status of 403|net::ERR_FAILED/);
  const tokens = tokensOf(page);
  await openTitle(page, customer, titles.pdf);
  await readOn(page, 1);
  const [first = ''] = tokens;
  await sleepUntilExpired(page, shop, first);
  await page.locator('[data-event="fraction.chosen"]').press('End');
  await expect(page.locator('footer')).toContainText('Page 15 of 15');
  await expect(page.locator('.page[data-page-number="15"] .textLayer')).not.toBeEmpty();
});

test('a recording whose addresses expired while the machine slept plays the part that is chosen', async ({
  page,
  shop,
  customer,
  errors,
}) => {
  errors.allow(/status of 403|net::ERR_FAILED/);
  const view = new ShopPage(page);
  const tokenNow = givenAgain(page);
  await page.clock.install();
  await openTitle(page, customer, titles.audio);
  await view.isIn('tracks', { attached: 'paused' });
  // While its time is stopped the page renews nothing. Calls are not intercepted, which would hide
  // the browser's cache.
  await expect(async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 200)).toPass();
  const last = await tokenNow();
  expect(last).not.toBe('');
  await untilExpired(page, shop, last);
  const asked = page.waitForRequest((request) => request.method() === 'HEAD' && request.url().includes('/media/'));
  await page.locator('[data-event="item.chosen"][data-value="4"]').click();
  // The server is asked whether the address opens, not the browser's cache.
  expect((await (await asked).allHeaders())['cache-control']).toBe('no-cache');
  await page.clock.resume();
  await view.isIn('tracks', { attached: 'playing' });
  await expect(page.locator('[aria-current="true"][data-value="4"]')).toBeVisible();
});

test('an interactive title goes on where it is when the customer comes back after its addresses expired', async ({
  page,
  shop,
  customer,
}) => {
  const view = new ShopPage(page);
  const tokens = tokensOf(page);
  await page.clock.install();
  await openTitle(page, customer, titles.interactive);
  await view.isIn('interactive', { running: 'open' });
  const passage = page.frameLocator('iframe').locator('#passage');
  await page.frameLocator('iframe').locator('#choices button').first().click();
  const reached = await passage.innerText();
  const [first = ''] = tokens;
  await untilExpired(page, shop, first);
  await renew(page);
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
    await openTitle(page, customer, titles.book);
    await expect(view.press('turn.pressed')).toBeEnabled();
    const json = { error: 'This title cannot be read.', status, code };
    await page.route('**/viewer/components?*', (route) => route.fulfill({ status, json }));
    await page.clock.fastForward(60_000);
    await view.isIn('viewer', state);
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
  });
