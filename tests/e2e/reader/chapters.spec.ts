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

const readShownHref = async (book: BookDriver) => (await book.readLocator()).href;
const readSkipCodes = async (book: BookDriver) =>
  (await book.readFacts()).flatMap((fact) =>
    fact.type === 'book.skipped' && fact.problem.kind === 'refused' ? [fact.problem.code] : [],
  );
const turnTo = async (book: BookDriver, direction: 'next' | 'previous', href: string) => {
  await book.page.evaluate((towards) => window.reader.send({ type: 'book.turn', direction: towards }), direction);
  await expect.poll(() => readShownHref(book)).toBe(href);
};

test('a position and settings chosen while the book loads are applied once it has loaded', async ({ book, page, write }) => {
  const manifestRelease = Promise.withResolvers<void>();
  await page.route('**/manifest.json', async (route) => {
    await manifestRelease.promise;
    await route.continue();
  });
  const manifestRequest = page.waitForRequest('**/manifest.json');
  const openPromise = book.open(await write('slow.epub', createBook(['1', '2', '3'])));
  await manifestRequest;
  await page.evaluate(() => {
    const place = { href: '3.xhtml', progression: 0, totalProgression: 0.7, cfi: null, label: '', page: 1, pages: 1 };
    window.reader.send({ type: 'book.goToPlace', place });
    window.reader.send({ type: 'book.setLook', look: { fontScale: 2, theme: 'light' } });
  });
  manifestRelease.resolve();
  await openPromise;
  await expect.poll(() => readShownHref(book)).toBe('3.xhtml');
  await expect
    .poll(() =>
      book
        .getPageFrames()
        .at(-1)
        ?.evaluate(() => getComputedStyle(document.documentElement).fontSize),
    )
    .toBe('32px');
});

test('missing chapters are skipped in the direction of reading and reported as not found', async ({ book, write }) => {
  await book.open(await write('gaps.epub', createBook(['1', '2', '3', '4', '5'], { missing: ['2', '3'] })));
  await turnTo(book, 'next', '4.xhtml');
  expect(await readSkipCodes(book)).toEqual(['not_found', 'not_found']);
  await turnTo(book, 'previous', '1.xhtml');
  await book.command({ type: 'book.goTo', href: '3.xhtml' });
  await expect.poll(() => readShownHref(book)).toBe('4.xhtml');
  await turnTo(book, 'next', '5.xhtml');
  expect((await book.readFacts()).filter(({ type }) => type === 'book.failed')).toEqual([]);
});

test('a book whose first and last chapters are missing begins and ends with the existing ones', async ({ book, write }) => {
  await book.open(await write('ends.epub', createBook(['1', '2', '3', '4'], { missing: ['1', '4'] })));
  expect(await readShownHref(book)).toBe('2.xhtml');
  await turnTo(book, 'next', '3.xhtml');
  await book.page.evaluate(() => window.reader.send({ type: 'book.turn', direction: 'next' }));
  await expect.poll(() => book.hasEnded()).toBe(true);
  expect(await readShownHref(book)).toBe('3.xhtml');
  await turnTo(book, 'previous', '2.xhtml');
});

test('a damaged chapter is skipped and reported as broken', async ({ book, write }) => {
  await book.open(await write('damaged.epub', createBook(['1', '2', '3'], { damaged: ['2'] })));
  await turnTo(book, 'next', '3.xhtml');
  expect(await readSkipCodes(book)).toEqual(['broken_book']);
});

test('a book whose chapters are all missing fails with the code no_chapter', async ({ book, write, page }) => {
  const file = await write('none.epub', createBook(['1', '2'], { missing: ['1', '2'] }));
  await page.evaluate((url) => {
    window.reader.openBook({ medium: 'epub', url, start: null, look: { fontScale: 1, theme: 'light' } });
  }, book.server.mediaUrl(file));
  const readFailure = async () => (await book.readFacts()).find(({ type }) => type === 'book.failed');
  await expect.poll(readFailure).toMatchObject({ problem: { kind: 'refused', code: 'no_chapter' } });
});

test('going back after a link within the book returns to the exact position', async ({ book, write }) => {
  const paragraphs = Array.from({ length: 60 }, (_, nth) => `<p>Paragraph ${nth} of a long chapter, and no end of it.</p>`).join(
    '',
  );
  const links = { '1': `${paragraphs}<p><a href="2.xhtml">See the notes</a></p>` };
  await book.open(await write('links.epub', createBook(['1', '2'], { body: links })));
  await book.command({ type: 'book.goToFraction', fraction: 0.4 });
  await book.getPageFrames()[0]?.locator('a').click({ force: true });
  const readPressedLink = async () => (await book.readFacts()).find(({ type }) => type === 'book.linkPressed');
  await expect.poll(readPressedLink).toEqual({ type: 'book.linkPressed', href: '2.xhtml' });
  const locatorBefore = await book.readLocator();
  expect(locatorBefore.href).toBe('1.xhtml');
  await book.command({ type: 'book.goTo', href: '2.xhtml' });
  await expect.poll(() => readShownHref(book)).toBe('2.xhtml');
  await book.command({ type: 'book.goToPlace', place: locatorBefore });
  await expect.poll(() => book.readLocator()).toEqual(locatorBefore);
});

test('a picture requested after the media URL has expired loads from the renewed URL', async ({ book, write, server }) => {
  const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40"/></svg>';
  const file = await write('late.epub', createBook(['1'], { more: [{ name: 'late.svg', content: picture }] }));
  const renewedUrl = server.mediaUrl(file, 7200);
  await book.open(file);
  await book.page.route(
    (url) => url.href.endsWith('/late.svg') && !url.href.startsWith(renewedUrl),
    (route) => route.fulfill({ status: 403, json: { error: '', status: 403, code: 'media_denied' } }),
  );
  const [page] = book.getPageFrames();
  await page?.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<img id="late" src="late.svg" alt=""/>'));
  await expect.poll(async () => (await book.readFacts()).some(({ type }) => type === 'book.expired')).toBe(true);
  await book.page.evaluate((url) => window.reader.send({ type: 'book.renewed', url }), renewedUrl);
  await expect.poll(() => page?.locator('#late').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40);
});
