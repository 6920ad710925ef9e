import type { Page } from '@playwright/test';
import { Customer } from '../../../../tools/browser/customer.ts';
import { readClock, getInterruption, buyAndOpenTitle } from '../../pages/reading.ts';
import type { ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test as base } from '../../support/shop.ts';

/** The `test` of customers who lose the connection; the browser may log that. */
const test = base.extend<{ customer: Customer }>({
  customer: async ({ shop, context, errors }, use) => {
    errors.allow(/net::ERR|Failed to load resource/);
    const customer = await Customer.signUp(shop);
    await customer.signInBrowser(context);
    await use(customer);
  },
});

const readFooter = (page: Page) => page.locator('[data-flow="book"] footer').innerText();

/** Reads the text of the loaded chapter. */
const readPageText = (page: Page): Promise<string> => {
  const frames = page.frames().filter((frame) => frame.url().includes('book.epub/'));
  expect(frames).toHaveLength(1);
  return (frames[0] ?? page.mainFrame()).locator('body').innerText();
};

/** Turns pages until the page shows that the next chapter cannot be loaded. */
const turnUntilInterrupted = async (page: Page): Promise<void> => {
  await expect(async () => {
    if ((await getInterruption(page).innerText()) !== '') return;
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect(getInterruption(page)).not.toBeEmpty({ timeout: 300 });
  }).toPass();
};

test('EPUB: a chapter that cannot load leaves the current page, and loads when the connection returns', async ({
  page,
  context,
  customer,
}) => {
  const view = await buyAndOpenTitle(page, customer, '1001');
  await expect(view.control('turn.pressed', view.flow('book')).first()).toBeEnabled();
  await view.control('contents.pressed').click();
  await page.locator('[data-event="entry.chosen"]').nth(2).click();
  await expect(async () => expect(await readPageText(page)).toMatch(/\w{4}/)).toPass();
  await context.setOffline(true);
  await turnUntilInterrupted(page);
  await expect(getInterruption(page)).toContainText('You’re offline. Your title continues once you’re back online.');
  const [textBefore, footerBefore] = [await readPageText(page), await readFooter(page)];
  // The loaded chapter can still be read, and the pending turn is dropped.
  await page.getByRole('button', { name: 'Previous page' }).click();
  await expect(getInterruption(page)).toBeEmpty();
  await turnUntilInterrupted(page);
  expect([await readPageText(page), await readFooter(page)]).toEqual([textBefore, footerBefore]);
  await context.setOffline(false);
  await expect.poll(() => readFooter(page)).not.toBe(footerBefore);
  await expect(getInterruption(page)).toBeEmpty();
  expect(await readPageText(page)).not.toBe(textBefore);
  await expect(view.flow('book').getByRole('alert')).toHaveCount(0);
});

test('EPUB: a chapter still loads automatically after its message was closed', async ({ page, context, customer }) => {
  const view = await buyAndOpenTitle(page, customer, '1001');
  await expect(view.control('turn.pressed', view.flow('book')).first()).toBeEnabled();
  await context.setOffline(true);
  await turnUntilInterrupted(page);
  const footerBefore = await readFooter(page);
  await view.control('interruption.dismissed').click();
  await expect(getInterruption(page)).toBeEmpty();
  await context.setOffline(false);
  await expect.poll(() => readFooter(page)).not.toBe(footerBefore);
});

test('EPUB: keys still turn pages after a chapter has loaded automatically', async ({ page, context, customer }) => {
  const view = await buyAndOpenTitle(page, customer, '1001');
  await expect(view.control('turn.pressed', view.flow('book')).first()).toBeEnabled();
  const [frame] = page.frames().filter((each) => each.url().includes('book.epub/'));
  await frame?.evaluate(() => focus());
  await context.setOffline(true);
  await expect(async () => {
    await page.keyboard.press('ArrowRight');
    await expect(getInterruption(page)).not.toBeEmpty({ timeout: 300 });
  }).toPass();
  const footerBefore = await readFooter(page);
  await context.setOffline(false);
  await expect.poll(() => readFooter(page)).not.toBe(footerBefore);
  const footerAfter = await readFooter(page);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => readFooter(page)).not.toBe(footerAfter);
});

test('PDF: a page whose range cannot load leaves the book open, and loads when the connection returns', async ({
  page,
  context,
  customer,
}) => {
  await buyAndOpenTitle(page, customer, '1016');
  await expect(page.locator('footer')).toContainText('Page 1 of');
  await context.setOffline(true);
  await page.locator('[data-event="fraction.chosen"]').press('End');
  await expect(getInterruption(page)).toContainText('You’re offline');
  await expect(page.locator('footer')).toContainText('Page 15 of 15');
  await context.setOffline(false);
  await expect(page.locator('.page[data-page-number="15"] .textLayer')).not.toBeEmpty();
  await expect(getInterruption(page)).toBeEmpty();
});

/** Expects the player to wait offline, and to continue from the same position after `connect`. */
const expectPlaybackContinues = async (page: Page, view: ShopPage, connect: () => Promise<void>): Promise<void> => {
  await expect(getInterruption(page)).toContainText('You’re offline. Your title continues once you’re back online.', {
    timeout: 30_000,
  });
  await expect(view.flow('tracks').getByRole('alert')).toHaveCount(0);
  await view.waitForState('tracks', { attached: 'waiting' });
  const secondsBefore = await readClock(page);
  await connect();
  await view.waitForState('tracks', { attached: 'playing' });
  await expect(getInterruption(page)).toBeEmpty();
  await expect.poll(() => readClock(page)).toBeGreaterThan(secondsBefore);
  expect(await readClock(page)).toBeLessThan(secondsBefore + 10);
};

test('audio: a part that cannot load leaves the player open, and plays when the connection returns', async ({
  page,
  context,
  customer,
}) => {
  const view = await buyAndOpenTitle(page, customer, '1019');
  await view.waitForState('tracks', { attached: 'paused' });
  await view.control('play.pressed').click();
  await view.waitForState('tracks', { attached: 'playing' });
  await context.setOffline(true);
  await page.locator('[data-event="item.chosen"][data-value="4"]').click();
  await expectPlaybackContinues(page, view, () => context.setOffline(false));
  await expect(page.locator('[aria-current="true"][data-value="4"]')).toBeVisible();
});

const RANGE_BYTES = 200_000;

/**
 * Serves a film in ranges. As with a long film, the third range is served only after the connection
 * is lost.
 */
const serveInRanges = async (
  page: Page,
  path: RegExp,
  connectionLost: Promise<void>,
  isOffline: () => boolean,
): Promise<void> => {
  await page.route(path, async (route) => {
    const headers = route.request().headers();
    const firstByte = Number(/bytes=(\d+)/.exec(headers['range'] ?? '')?.[1] ?? 0);
    if (firstByte >= 2 * RANGE_BYTES) await connectionLost;
    if (isOffline()) return route.abort('internetdisconnected');
    const film = await (await route.fetch({ headers: { ...headers, range: 'bytes=0-' } })).body();
    const body = film.subarray(firstByte, firstByte + RANGE_BYTES);
    const range = `bytes ${firstByte}-${firstByte + body.length - 1}/${film.length}`;
    return route.fulfill({ status: 206, body, headers: { 'content-type': 'video/mp4', 'content-range': range } });
  });
};

test('video: the film keeps its position offline, and continues when the connection returns', async ({
  page,
  context,
  customer,
}) => {
  const connectionLost = Promise.withResolvers<void>();
  let isOffline = false;
  await serveInRanges(page, /film\.mp4/, connectionLost.promise, () => isOffline);
  const view = await buyAndOpenTitle(page, customer, '1022');
  await view.waitForState('tracks', { attached: 'paused' });
  await view.control('play.pressed').click();
  await view.waitForState('tracks', { attached: 'playing' });
  isOffline = true;
  await context.setOffline(true);
  connectionLost.resolve();
  await expectPlaybackContinues(page, view, () => {
    isOffline = false;
    return context.setOffline(false);
  });
  // The browser may be requesting more of the film.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('an unreachable shop is reported with its own message, and is retried automatically', async ({ page, customer }) => {
  const view = await buyAndOpenTitle(page, customer, '1001');
  await expect(view.control('turn.pressed', view.flow('book')).first()).toBeEnabled();
  await page.route('**/media/**', (route) => route.abort('connectionrefused'));
  await turnUntilInterrupted(page);
  await expect(getInterruption(page)).toContainText(
    'The shop can’t be reached. Your title continues as soon as the shop responds.',
  );
  const footerBefore = await readFooter(page);
  await page.unroute('**/media/**');
  await expect.poll(() => readFooter(page), { timeout: 15_000 }).not.toBe(footerBefore);
  await expect(getInterruption(page)).toBeEmpty();
});

test('a title that could not be opened offline opens when the connection returns', async ({ page, customer }) => {
  await page.route('**/media/**', (route) => route.abort('internetdisconnected'));
  const view = await buyAndOpenTitle(page, customer, '1001');
  await expect(view.flow('book').getByRole('alert')).toContainText('We can’t reach the shop');
  await page.unroute('**/media/**');
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(view.control('turn.pressed', view.flow('book')).first()).toBeEnabled();
});

test('a chapter whose URL has expired while the shop is down loads once the shop is back', async ({ page, customer }) => {
  const view = await buyAndOpenTitle(page, customer, '1001');
  await expect(view.control('turn.pressed', view.flow('book')).first()).toBeEnabled();
  const chapterPath = /\/media\/.*html$/;
  const json = { error: 'This address has expired.', status: 403, code: 'media_denied' };
  await page.route(chapterPath, (route) => route.fulfill({ status: 403, json }));
  await page.route('**/viewer/components*', (route) => route.abort('connectionrefused'));
  await turnUntilInterrupted(page);
  await expect(getInterruption(page)).toContainText('The shop can’t be reached');
  const footerBefore = await readFooter(page);
  await page.unroute(chapterPath);
  await page.unroute('**/viewer/components*');
  await page.locator('[data-event="continue.pressed"]').click();
  await expect.poll(() => readFooter(page)).not.toBe(footerBefore);
  await expect(getInterruption(page)).toBeEmpty();
});
