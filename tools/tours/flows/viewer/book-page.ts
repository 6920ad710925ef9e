import { expect, type Frame } from '@playwright/test';
import type { World } from '../../stage.ts';

/** The iframe of the page that is shown. */
export const pageIframe = ({ page }: World): Frame | undefined =>
  page.frames().find((frame) => frame.url().includes('book.epub/') && !frame.isDetached());

const book = ({ page }: World) => page.locator('[data-flow="book"]');

/** Where the reader is, as the foot of the book says. */
export const placeOf = (world: World): Promise<string> => book(world).locator('footer').innerText();

/** Presses the page itself at a share of its width. */
export const touch = async (world: World, share: number): Promise<void> => {
  const box = await book(world).locator('[data-mount-point="book"]').boundingBox();
  if (box === null) throw new Error('There is no page.');
  await world.page.mouse.click(box.x + box.width * share, box.y + box.height / 2);
};

type Book = { base: string; shown: string; chapters: string[] };

const bookOf = async ({ page }: World, shown: string): Promise<Book> => {
  const base = shown.replace(/(book\.epub\/).*/, '$1');
  const manifest: unknown = await (await page.request.get(`${base}manifest.json`)).json();
  const { readingOrder } = manifest as { readingOrder: { href: string }[] };
  return { base, shown: shown.slice(base.length), chapters: readingOrder.map(({ href }) => href) };
};

/** Follows a link in the page to a chapter; the demo books have none of their own. */
const followLinkTo = async (world: World, choose: (book: Book) => string | undefined): Promise<void> => {
  world.injected('a link within the book');
  let target = '';
  // A turn that is under way takes the page away.
  await expect(async () => {
    const iframe = pageIframe(world);
    if (iframe === undefined) throw new Error('There is no page.');
    const shown = await bookOf(world, iframe.url());
    target ||= `${shown.base}${choose(shown)}`;
    await iframe.evaluate((address) => {
      const link = document.createElement('a');
      link.href = address;
      document.body.append(link);
      link.click();
      link.remove();
    }, target);
    await expect.poll(() => pageIframe(world)?.url(), { timeout: 3_000 }).toBe(target);
    await expect(world.page.locator('[data-event="back.pressed"]')).toBeVisible({ timeout: 3_000 });
  }).toPass();
};

/** Follows a link into the middle of the book, from there to the chapter behind it. */
export const followLink = (world: World): Promise<void> =>
  followLinkTo(world, ({ chapters, shown }) => {
    const [middle, behind] = chapters.slice(chapters.length / 2);
    return shown === middle ? behind : middle;
  });

/** Follows a link to the chapter behind another. */
export const followLinkBehind = (world: World, chapter: string): Promise<void> =>
  followLinkTo(world, ({ chapters }) => chapters[chapters.indexOf(chapter) + 1]);

const isChapter = ({ pathname }: URL): boolean => /book\.epub\/.*html$/.test(pathname);

/** The chapter that is shown is missing when its look makes the book ask for it again. */
export const leaveOutChapter = async (world: World): Promise<void> => {
  const { page, injected } = world;
  injected('a chapter that is missing');
  const choose = (theme: string) => page.getByRole('radio', { name: theme }).check({ force: true });
  await page.locator('[data-event="settings.pressed"]').click();
  await choose('Dark');
  const json = { error: 'There is no such file.', status: 404, code: 'not_found' };
  await page.route(isChapter, (route) => route.fulfill({ status: 404, json }), { times: 1 });
  await choose('Light');
  await expect(page.getByText('A chapter was skipped.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
};

const notice = ({ page }: World) => page.locator('[data-flow="interruption"]');

export const isInterrupted = async (world: World): Promise<boolean> => (await notice(world).innerText()) !== '';

/** Waits for the message that the title does not continue. */
export const interrupted = (world: World): Promise<void> => expect(notice(world)).not.toBeEmpty({ timeout: 30_000 });
export const continued = (world: World): Promise<void> => expect(notice(world)).toBeEmpty({ timeout: 30_000 });

/** No chapter comes any more. */
export const loseChapters = async ({ page, injected }: World): Promise<void> => {
  injected('a connection that is lost');
  await page.route(isChapter, (route) => route.abort());
};

/** Chooses another chapter, which does not come. */
export const loseChapter = async (world: World): Promise<void> => {
  const { page } = world;
  await loseChapters(world);
  await page.locator('[data-event="contents.pressed"]').click();
  await page.locator('[data-event="entry.chosen"]:not([aria-current])').last().click();
  await interrupted(world);
};

/** The chapters come again. */
export const regainChapters = ({ page }: World): Promise<void> => page.unroute(isChapter);

export const connectionReturns = ({ page }: World): Promise<void> => page.evaluate(() => void dispatchEvent(new Event('online')));

/** Presses a table that scrolls within the page; the demo books have none of their own. */
export const enlargeTable = async (world: World): Promise<void> => {
  world.injected('a wide table');
  await expect(async () => {
    const iframe = pageIframe(world);
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
