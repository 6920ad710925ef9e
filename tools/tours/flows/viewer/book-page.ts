import { expect, type Frame } from '@playwright/test';
import type { WalkContext } from '../../browser-adapter.ts';

/** The iframe of the visible page. */
export const findPageIframe = ({ page }: WalkContext): Frame | undefined =>
  page.frames().find((frame) => frame.url().includes('book.epub/') && !frame.isDetached());

const getBook = ({ page }: WalkContext) => page.locator('[data-flow="book"]');

/** The reader's position, as shown in the footer of the book. */
export const readPlace = (world: WalkContext): Promise<string> => getBook(world).locator('footer').innerText();

/** Presses the page itself at a fraction of its width. */
export const touchPage = async (world: WalkContext, share: number): Promise<void> => {
  const box = await getBook(world).locator('[data-mount-point="book"]').boundingBox();
  if (box === null) throw new Error('The book shows no page.');
  await world.page.mouse.click(box.x + box.width * share, box.y + box.height / 2);
};

type Book = { base: string; shown: string; chapters: string[] };

const readBook = async ({ page }: WalkContext, shown: string): Promise<Book> => {
  const base = shown.replace(/(book\.epub\/).*/, '$1');
  const manifest: unknown = await (await page.request.get(`${base}manifest.json`)).json();
  const { readingOrder } = manifest as { readingOrder: { href: string }[] };
  return { base, shown: shown.slice(base.length), chapters: readingOrder.map(({ href }) => href) };
};

/** Follows a link in the page to a chapter; the demo books have no links, so one is injected. */
const followLinkTo = async (world: WalkContext, choose: (book: Book) => string | undefined): Promise<void> => {
  world.injected('a link within the book');
  let target = '';
  // A turn in progress replaces the page.
  await expect(async () => {
    const iframe = findPageIframe(world);
    if (iframe === undefined) throw new Error('The book shows no page.');
    const shown = await readBook(world, iframe.url());
    target ||= `${shown.base}${choose(shown)}`;
    await iframe.evaluate((address) => {
      const link = document.createElement('a');
      link.href = address;
      document.body.append(link);
      link.click();
      link.remove();
    }, target);
    await expect.poll(() => findPageIframe(world)?.url(), { timeout: 3_000 }).toBe(target);
    await expect(world.page.locator('[data-event="back.pressed"]')).toBeVisible({ timeout: 3_000 });
  }).toPass();
};

/** Follows a link to the middle chapter, or from there to the next one. */
export const followLink = (world: WalkContext): Promise<void> =>
  followLinkTo(world, ({ chapters, shown }) => {
    const [middle, behind] = chapters.slice(chapters.length / 2);
    return shown === middle ? behind : middle;
  });

/** Follows a link to the chapter after another one. */
export const followLinkBehind = (world: WalkContext, chapter: string): Promise<void> =>
  followLinkTo(world, ({ chapters }) => chapters[chapters.indexOf(chapter) + 1]);

const isChapter = ({ pathname }: URL): boolean => /book\.epub\/.*html$/.test(pathname);

/** Makes the visible chapter missing, when a new look loads it again. */
export const removeChapter = async (world: WalkContext): Promise<void> => {
  const { page, injected } = world;
  injected('a missing chapter');
  const choose = (theme: string) => page.getByRole('radio', { name: theme }).check({ force: true });
  await page.locator('[data-event="settings.pressed"]').click();
  await choose('Dark');
  const json = { error: 'The file was not found.', status: 404, code: 'not_found' };
  await page.route(isChapter, (route) => route.fulfill({ status: 404, json }), { times: 1 });
  await choose('Light');
  await expect(page.getByText('A chapter was skipped.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
};

const getNotice = ({ page }: WalkContext) => page.locator('[data-flow="interruption"]');

export const isInterrupted = async (world: WalkContext): Promise<boolean> => (await getNotice(world).innerText()) !== '';

/** Waits for the message that the title is interrupted. */
export const waitForInterruption = (world: WalkContext): Promise<void> =>
  expect(getNotice(world)).not.toBeEmpty({ timeout: 30_000 });
export const waitForContinuation = (world: WalkContext): Promise<void> => expect(getNotice(world)).toBeEmpty({ timeout: 30_000 });

/** Chapters fail to load from now on. */
export const blockChapters = async ({ page, injected }: WalkContext): Promise<void> => {
  injected('a lost connection');
  await page.route(isChapter, (route) => route.abort());
};

/** Selects another chapter, which fails to load. */
export const blockNextChapter = async (world: WalkContext): Promise<void> => {
  const { page } = world;
  await blockChapters(world);
  await page.locator('[data-event="contents.pressed"]').click();
  await page.locator('[data-event="entry.chosen"]:not([aria-current])').last().click();
  await waitForInterruption(world);
};

/** Chapters load again. */
export const unblockChapters = ({ page }: WalkContext): Promise<void> => page.unroute(isChapter);

export const dispatchOnline = ({ page }: WalkContext): Promise<void> =>
  page.evaluate(() => void dispatchEvent(new Event('online')));

/**
 * Presses a table that scrolls within the page; the demo books have no tables, so one is injected.
 */
export const enlargeTable = async (world: WalkContext): Promise<void> => {
  world.injected('a wide table');
  await expect(async () => {
    const iframe = findPageIframe(world);
    await iframe?.evaluate(() => {
      const table = document.createElement('table');
      table.setAttribute('data-colophon-fit', 'scroll');
      table.innerHTML = '<tr><td>A cell</td></tr>';
      document.body.append(table);
      table.click();
      table.remove();
    });
    await expect(world.page.locator('[data-event="book.reduceRequested"]')).toBeVisible({ timeout: 2_000 });
  }).toPass();
};
