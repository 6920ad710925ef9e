import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base, type BookDriver } from './support/fixtures.ts';
import { createBook } from './support/small-book.ts';

const test = base.extend<{ write: (name: string, file: Buffer) => Promise<string> }>({
  write: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'colophon-chapters-'));
    await use(async (name, file) => {
      const path = join(folder, name);
      await writeFile(path, file);
      return path;
    });
    await rm(folder, { recursive: true });
  },
});

const readShownHref = async (book: BookDriver) => (await book.locator()).href;
const readSkipped = async (book: BookDriver) =>
  (await book.facts()).flatMap((fact) =>
    fact.type === 'book.skipped' && fact.problem.kind === 'refused' ? [fact.problem.code] : [],
  );
const turnTo = async (book: BookDriver, direction: 'next' | 'previous', href: string) => {
  await book.page.evaluate((towards) => window.reader.send({ type: 'book.turn', direction: towards }), direction);
  await expect.poll(() => readShownHref(book)).toBe(href);
};

test('a place and settings chosen while the book loads are applied once it has loaded', async ({ book, page, write }) => {
  const answered = Promise.withResolvers<void>();
  await page.route('**/manifest.json', async (route) => {
    await answered.promise;
    await route.continue();
  });
  const asked = page.waitForRequest('**/manifest.json');
  const opening = book.open(await write('slow.epub', createBook(['1', '2', '3'])));
  await asked;
  await page.evaluate(() => {
    const place = { href: '3.xhtml', progression: 0, totalProgression: 0.7, cfi: null, label: '', page: 1, pages: 1 };
    window.reader.send({ type: 'book.goToPlace', place });
    window.reader.send({ type: 'book.look', look: { fontScale: 2, theme: 'light' } });
  });
  answered.resolve();
  await opening;
  await expect.poll(() => readShownHref(book)).toBe('3.xhtml');
  await expect
    .poll(() =>
      book
        .frames()
        .at(-1)
        ?.evaluate(() => getComputedStyle(document.documentElement).fontSize),
    )
    .toBe('32px');
});

test('missing chapters are skipped in the direction of reading, and reported', async ({ book, write }) => {
  await book.open(await write('gaps.epub', createBook(['1', '2', '3', '4', '5'], { missing: ['2', '3'] })));
  await turnTo(book, 'next', '4.xhtml');
  expect(await readSkipped(book)).toEqual(['not_found', 'not_found']);
  await turnTo(book, 'previous', '1.xhtml');
  await book.command({ type: 'book.goTo', href: '3.xhtml' });
  await expect.poll(() => readShownHref(book)).toBe('4.xhtml');
  await turnTo(book, 'next', '5.xhtml');
  expect((await book.facts()).filter(({ type }) => type === 'book.failed')).toEqual([]);
});

test('a book whose first and last chapters are missing is read from the first existing to the last one', async ({
  book,
  write,
}) => {
  await book.open(await write('ends.epub', createBook(['1', '2', '3', '4'], { missing: ['1', '4'] })));
  expect(await readShownHref(book)).toBe('2.xhtml');
  await turnTo(book, 'next', '3.xhtml');
  await book.page.evaluate(() => window.reader.send({ type: 'book.turn', direction: 'next' }));
  await expect.poll(() => book.ended()).toBe(true);
  expect(await readShownHref(book)).toBe('3.xhtml');
  await turnTo(book, 'previous', '2.xhtml');
});

test('a damaged chapter is skipped with its own reason', async ({ book, write }) => {
  await book.open(await write('damaged.epub', createBook(['1', '2', '3'], { damaged: ['2'] })));
  await turnTo(book, 'next', '3.xhtml');
  expect(await readSkipped(book)).toEqual(['broken_book']);
});

test('a book without any of its chapters fails with that reason', async ({ book, write, page }) => {
  const file = await write('none.epub', createBook(['1', '2'], { missing: ['1', '2'] }));
  await page.evaluate((url) => {
    window.reader.openBook({ medium: 'epub', url, start: null, look: { fontScale: 1, theme: 'light' } });
  }, book.server.mediaUrl(file));
  const failure = async () => (await book.facts()).find(({ type }) => type === 'book.failed');
  await expect.poll(failure).toMatchObject({ problem: { kind: 'refused', code: 'no_chapter' } });
});

test('a link within the book reports its target, and the way back leads to the exact page', async ({ book, write }) => {
  const paragraphs = Array.from({ length: 60 }, (_, nth) => `<p>Paragraph ${nth} of a long chapter, and no end of it.</p>`).join(
    '',
  );
  const links = { '1': `${paragraphs}<p><a href="2.xhtml">See the notes</a></p>` };
  await book.open(await write('links.epub', createBook(['1', '2'], { body: links })));
  await book.command({ type: 'book.goToFraction', fraction: 0.4 });
  await book.frames()[0]?.locator('a').click({ force: true });
  const pressed = async () => (await book.facts()).find(({ type }) => type === 'book.linkPressed');
  await expect.poll(pressed).toEqual({ type: 'book.linkPressed', href: '2.xhtml' });
  const left = await book.locator();
  expect(left.href).toBe('1.xhtml');
  await book.command({ type: 'book.goTo', href: '2.xhtml' });
  await expect.poll(() => readShownHref(book)).toBe('2.xhtml');
  await book.command({ type: 'book.goToPlace', place: left });
  await expect.poll(() => book.locator()).toEqual(left);
});

test('a picture requested after the URL has expired loads by the next one', async ({ book, write, server }) => {
  const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40"/></svg>';
  const file = await write('late.epub', createBook(['1'], { more: [{ name: 'late.svg', content: picture }] }));
  const renewed = server.mediaUrl(file, 7200);
  await book.open(file);
  await book.page.route(
    (url) => url.href.endsWith('/late.svg') && !url.href.startsWith(renewed),
    (route) => route.fulfill({ status: 403, json: { error: '', status: 403, code: 'media_denied' } }),
  );
  const [page] = book.frames();
  await page?.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<img id="late" src="late.svg" alt=""/>'));
  await expect.poll(async () => (await book.facts()).some(({ type }) => type === 'book.expired')).toBe(true);
  await book.page.evaluate((url) => window.reader.send({ type: 'book.renewed', url }), renewed);
  await expect.poll(() => page?.locator('#late').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40);
});
