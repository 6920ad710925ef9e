import type { Page } from '@playwright/test';
import { Customer } from '../../../../tools/browser/customer.ts';
import { clock, interruptionOf, buyAndOpenTitle } from '../../pages/reading.ts';
import type { ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test as base } from '../../support/shop.ts';

/** A customer who loses the connection, which the browser logs. */
const test = base.extend<{ customer: Customer }>({
  customer: async ({ shop, context, errors }, use) => {
    errors.allow(/net::ERR|Failed to load resource/);
    const customer = await Customer.signUp(shop);
    await customer.signInBrowser(context);
    await use(customer);
  },
});

const readFooter = (page: Page) => page.locator('[data-flow="book"] footer').innerText();

/** The visible text of the chapter. */
const readPageText = (page: Page): Promise<string> => {
  const frames = page.frames().filter((frame) => frame.url().includes('book.epub/'));
  expect(frames).toHaveLength(1);
  return (frames[0] ?? page.mainFrame()).locator('body').innerText();
};

/** Turns pages until a chapter that has not loaded is requested. */
const turnUntilInterrupted = async (page: Page): Promise<void> => {
  await expect(async () => {
    if ((await interruptionOf(page).innerText()) !== '') return;
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect(interruptionOf(page)).not.toBeEmpty({ timeout: 300 });
  }).toPass();
};

test('EPUB: a chapter that does not load leaves the page, and loads automatically when the connection returns', async ({
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
  await expect(interruptionOf(page)).toContainText('You’re offline. Your title continues once you’re back online.');
  const [words, place] = [await readPageText(page), await readFooter(page)];
  // The loaded chapter can still be read, and the request is dropped.
  await page.getByRole('button', { name: 'Previous page' }).click();
  await expect(interruptionOf(page)).toBeEmpty();
  await turnUntilInterrupted(page);
  expect([await readPageText(page), await readFooter(page)]).toEqual([words, place]);
  await context.setOffline(false);
  await expect.poll(() => readFooter(page)).not.toBe(place);
  await expect(interruptionOf(page)).toBeEmpty();
  expect(await readPageText(page)).not.toBe(words);
  await expect(view.flow('book').getByRole('alert')).toHaveCount(0);
});

test('EPUB: a chapter still loads automatically after its message was closed', async ({ page, context, customer }) => {
  const view = await buyAndOpenTitle(page, customer, '1001');
  await expect(view.control('turn.pressed', view.flow('book')).first()).toBeEnabled();
  await context.setOffline(true);
  await turnUntilInterrupted(page);
  const place = await readFooter(page);
  await view.control('interruption.dismissed').click();
  await expect(interruptionOf(page)).toBeEmpty();
  await context.setOffline(false);
  await expect.poll(() => readFooter(page)).not.toBe(place);
});

test('EPUB: keys still turn pages after a chapter has loaded automatically', async ({ page, context, customer }) => {
  const view = await buyAndOpenTitle(page, customer, '1001');
  await expect(view.control('turn.pressed', view.flow('book')).first()).toBeEnabled();
  const [frame] = page.frames().filter((each) => each.url().includes('book.epub/'));
  await frame?.evaluate(() => focus());
  await context.setOffline(true);
  await expect(async () => {
    await page.keyboard.press('ArrowRight');
    await expect(interruptionOf(page)).not.toBeEmpty({ timeout: 300 });
  }).toPass();
  const place = await readFooter(page);
  await context.setOffline(false);
  await expect.poll(() => readFooter(page)).not.toBe(place);
  const next = await readFooter(page);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => readFooter(page)).not.toBe(next);
});

test('PDF: a page whose range does not load leaves the book open, and loads automatically', async ({
  page,
  context,
  customer,
}) => {
  await buyAndOpenTitle(page, customer, '1016');
  await expect(page.locator('footer')).toContainText('Page 1 of');
  await context.setOffline(true);
  await page.locator('[data-event="fraction.chosen"]').press('End');
  await expect(interruptionOf(page)).toContainText('You’re offline');
  await expect(page.locator('footer')).toContainText('Page 15 of 15');
  await context.setOffline(false);
  await expect(page.locator('.page[data-page-number="15"] .textLayer')).not.toBeEmpty();
  await expect(interruptionOf(page)).toBeEmpty();
});

/** Continues from the same place once there is a connection. */
const expectPlaysOn = async (page: Page, view: ShopPage, connect: () => Promise<void>): Promise<void> => {
  await expect(interruptionOf(page)).toContainText('You’re offline. Your title continues once you’re back online.', {
    timeout: 30_000,
  });
  await expect(view.flow('tracks').getByRole('alert')).toHaveCount(0);
  await view.waitForState('tracks', { attached: 'waiting' });
  const reached = await clock(page);
  await connect();
  await view.waitForState('tracks', { attached: 'playing' });
  await expect(interruptionOf(page)).toBeEmpty();
  await expect.poll(() => clock(page)).toBeGreaterThan(reached);
  expect(await clock(page)).toBeLessThan(reached + 10);
};

test('audio: the player stays open without a part, and plays it automatically when the connection returns', async ({
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
  await expectPlaysOn(page, view, () => context.setOffline(false));
  await expect(page.locator('[aria-current="true"][data-value="4"]')).toBeVisible();
});

const PIECE_BYTES = 200_000;

/** Serves a film in ranges; the third one, as of a long film, only after the connection is lost. */
const serveInPieces = async (page: Page, path: RegExp, lost: Promise<void>, isOffline: () => boolean): Promise<void> => {
  await page.route(path, async (route) => {
    const headers = route.request().headers();
    const begin = Number(/bytes=(\d+)/.exec(headers['range'] ?? '')?.[1] ?? 0);
    if (begin >= 2 * PIECE_BYTES) await lost;
    if (isOffline()) return route.abort('internetdisconnected');
    const whole = await (await route.fetch({ headers: { ...headers, range: 'bytes=0-' } })).body();
    const body = whole.subarray(begin, begin + PIECE_BYTES);
    const range = `bytes ${begin}-${begin + body.length - 1}/${whole.length}`;
    return route.fulfill({ status: 206, body, headers: { 'content-type': 'video/mp4', 'content-range': range } });
  });
};

test('video: the film keeps its place offline, and continues automatically when the connection returns', async ({
  page,
  context,
  customer,
}) => {
  const lost = Promise.withResolvers<void>();
  let isOffline = false;
  await serveInPieces(page, /film\.mp4/, lost.promise, () => isOffline);
  const view = await buyAndOpenTitle(page, customer, '1022');
  await view.waitForState('tracks', { attached: 'paused' });
  await view.control('play.pressed').click();
  await view.waitForState('tracks', { attached: 'playing' });
  isOffline = true;
  await context.setOffline(true);
  lost.resolve();
  await expectPlaysOn(page, view, () => {
    isOffline = false;
    return context.setOffline(false);
  });
  // The browser may be requesting more of the film.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('an unreachable shop has another message, and is retried automatically', async ({ page, customer }) => {
  const view = await buyAndOpenTitle(page, customer, '1001');
  await expect(view.control('turn.pressed', view.flow('book')).first()).toBeEnabled();
  await page.route('**/media/**', (route) => route.abort('connectionrefused'));
  await turnUntilInterrupted(page);
  await expect(interruptionOf(page)).toContainText(
    'The shop can’t be reached. Your title continues as soon as the shop responds.',
  );
  const place = await readFooter(page);
  await page.unroute('**/media/**');
  await expect.poll(() => readFooter(page), { timeout: 15_000 }).not.toBe(place);
  await expect(interruptionOf(page)).toBeEmpty();
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
  const isChapter = /\/media\/.*html$/;
  const json = { error: 'This address has expired.', status: 403, code: 'media_denied' };
  await page.route(isChapter, (route) => route.fulfill({ status: 403, json }));
  await page.route('**/viewer/components*', (route) => route.abort('connectionrefused'));
  await turnUntilInterrupted(page);
  await expect(interruptionOf(page)).toContainText('The shop can’t be reached');
  const place = await readFooter(page);
  await page.unroute(isChapter);
  await page.unroute('**/viewer/components*');
  await page.locator('[data-event="continue.pressed"]').click();
  await expect.poll(() => readFooter(page)).not.toBe(place);
  await expect(interruptionOf(page)).toBeEmpty();
});
