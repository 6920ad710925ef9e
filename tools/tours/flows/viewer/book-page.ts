import { expect, type Frame } from '@playwright/test';
import type { WalkContext } from '../../browser-adapter.ts';

/** Returns the iframe of the visible page, or undefined while no page is open. */
export const findPageIframe = ({ page }: WalkContext): Frame | undefined =>
  page.frames().find((frame) => frame.url().includes('book.epub/') && !frame.isDetached());

const getBook = ({ page }: WalkContext) => page.locator('[data-flow="book"]');

/** Returns the customer's position, as the footer of the book shows it. */
export const readPosition = (walk: WalkContext): Promise<string> => getBook(walk).locator('footer').innerText();

/** Clicks the page at a fraction of its width, halfway down. */
export const touchPage = async (walk: WalkContext, widthFraction: number): Promise<void> => {
  const box = await getBook(walk).locator('[data-mount-point="book"]').boundingBox();
  if (box === null) throw new Error('The mount point of the book has no box: expected a visible page.');
  await walk.page.mouse.click(box.x + box.width * widthFraction, box.y + box.height / 2);
};

/** The URL of the book's folder, and its chapters relative to that folder. */
type Book = { folderUrl: string; currentChapter: string; chapters: string[] };

const readBook = async ({ page }: WalkContext, pageUrl: string): Promise<Book> => {
  const folderUrl = pageUrl.replace(/(book\.epub\/).*/, '$1');
  const manifest: unknown = await (await page.request.get(`${folderUrl}manifest.json`)).json();
  const { readingOrder } = manifest as { readingOrder: { href: string }[] };
  return { folderUrl, currentChapter: pageUrl.slice(folderUrl.length), chapters: readingOrder.map(({ href }) => href) };
};

/** Follows a link in the page to a chapter; the demo books have no links, so a link is injected. */
const followLinkTo = async (walk: WalkContext, chooseChapter: (book: Book) => string | undefined): Promise<void> => {
  walk.recordInjection('a link within the book');
  let targetUrl = '';
  // A turn in progress replaces the page.
  await expect(async () => {
    const iframe = findPageIframe(walk);
    if (iframe === undefined) throw new Error('The book has no iframe: expected a page below book.epub/.');
    const book = await readBook(walk, iframe.url());
    targetUrl ||= `${book.folderUrl}${chooseChapter(book)}`;
    await iframe.evaluate((url) => {
      const link = document.createElement('a');
      link.href = url;
      document.body.append(link);
      link.click();
      link.remove();
    }, targetUrl);
    await expect.poll(() => findPageIframe(walk)?.url(), { timeout: 3_000 }).toBe(targetUrl);
    await expect(walk.page.locator('[data-event="back.pressed"]')).toBeVisible({ timeout: 3_000 });
  }).toPass();
};

/** Follows a link to the middle chapter, or from the middle chapter to the next. */
export const followLink = (walk: WalkContext): Promise<void> =>
  followLinkTo(walk, ({ chapters, currentChapter }) => {
    const [middleChapter, nextChapter] = chapters.slice(chapters.length / 2);
    return currentChapter === middleChapter ? nextChapter : middleChapter;
  });

/** Follows a link to the chapter after `chapter`. */
export const followLinkToNextChapter = (walk: WalkContext, chapter: string): Promise<void> =>
  followLinkTo(walk, ({ chapters }) => chapters[chapters.indexOf(chapter) + 1]);

const isChapter = ({ pathname }: URL): boolean => /book\.epub\/.*html$/.test(pathname);

/** Makes the visible chapter missing, and chooses another look, which loads the chapter again. */
export const removeChapter = async (walk: WalkContext): Promise<void> => {
  const { page, recordInjection } = walk;
  recordInjection('a missing chapter');
  const chooseTheme = (theme: string) => page.getByRole('radio', { name: theme }).check({ force: true });
  await page.locator('[data-event="settings.pressed"]').click();
  await chooseTheme('Dark');
  const json = { error: 'The file was not found.', status: 404, code: 'not_found' };
  await page.route(isChapter, (route) => route.fulfill({ status: 404, json }), { times: 1 });
  await chooseTheme('Light');
  await expect(page.getByText('A chapter was skipped.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
};

const getInterruptionMessage = ({ page }: WalkContext) => page.locator('[data-flow="interruption"]');

/** Whether the message that the title is interrupted is shown. */
export const isInterrupted = async (walk: WalkContext): Promise<boolean> =>
  (await getInterruptionMessage(walk).innerText()) !== '';

/** Waits for the message that the title is interrupted. */
export const waitForInterruption = (walk: WalkContext): Promise<void> =>
  expect(getInterruptionMessage(walk)).not.toBeEmpty({ timeout: 30_000 });

/** Waits until the message that the title is interrupted is gone. */
export const waitForContinuation = (walk: WalkContext): Promise<void> =>
  expect(getInterruptionMessage(walk)).toBeEmpty({ timeout: 30_000 });

/** Makes chapters fail to load from now on. */
export const blockChapters = async ({ page, recordInjection }: WalkContext): Promise<void> => {
  recordInjection('a lost connection');
  await page.route(isChapter, (route) => route.abort());
};

/** Selects another chapter, which fails to load. */
export const blockNextChapter = async (walk: WalkContext): Promise<void> => {
  const { page } = walk;
  await blockChapters(walk);
  await page.locator('[data-event="contents.pressed"]').click();
  await page.locator('[data-event="entry.chosen"]:not([aria-current])').last().click();
  await waitForInterruption(walk);
};

/** Lets chapters load again. */
export const unblockChapters = ({ page }: WalkContext): Promise<void> => page.unroute(isChapter);

export const dispatchOnline = ({ page }: WalkContext): Promise<void> =>
  page.evaluate(() => void dispatchEvent(new Event('online')));

/**
 * Clicks a table that scrolls within the page; the demo books have no tables, so a table is
 * injected.
 */
export const enlargeTable = async (walk: WalkContext): Promise<void> => {
  walk.recordInjection('a wide table');
  await expect(async () => {
    const iframe = findPageIframe(walk);
    await iframe?.evaluate(() => {
      const table = document.createElement('table');
      table.setAttribute('data-colophon-fit', 'scroll');
      table.innerHTML = '<tr><td>A cell</td></tr>';
      document.body.append(table);
      table.click();
      table.remove();
    });
    await expect(walk.page.locator('[data-event="book.reduceRequested"]')).toBeVisible({ timeout: 2_000 });
  }).toPass();
};
