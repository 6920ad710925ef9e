import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PageCount } from '../../../machines/model/reading/reading.ts';
import { createArchive, openArchive, createPageXhtml as pageWith } from './support/archived-book.ts';
import { expect, test, type BookDriver } from './support/fixtures.ts';

/** The page counts that an engine reports for a book. */

const paragraph = `<p>${'A line of a chapter that goes on and on. '.repeat(12)}</p>`;
const longText = paragraph.repeat(12);
const createPageBreak = (id: string) => `<span id="${id}" role="doc-pagebreak"></span>`;

const chapters = [
  {
    name: '1.xhtml',
    content: pageWith(
      `<h1>${createPageBreak('xii')}One</h1>${longText}${createPageBreak('p1')}<p id="mark">Next page.</p>${longText}`,
    ),
  },
  { name: '2.xhtml', content: pageWith(`<h1>Two</h1>${paragraph}`) },
  { name: '3.xhtml', content: pageWith(`${createPageBreak('p304')}<h1>Three</h1>${paragraph}`) },
];
const pageListLinks = ['<a href="1.xhtml#xii">xii</a>', '<a href="1.xhtml#p1">1</a>', '<a href="3.xhtml#p304">304</a>'];
const createNavigation = (hasPageList: boolean) => ({
  name: 'nav.xhtml',
  properties: 'nav',
  content: `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>n</title></head><body>
    <nav epub:type="toc"><ol><li><a href="1.xhtml">One</a></li><li><a href="3.xhtml">Three</a></li></ol></nav>
    ${hasPageList ? `<nav epub:type="page-list"><ol>${pageListLinks.map((each) => `<li>${each}</li>`).join('')}</ol></nav>` : ''}
    </body></html>`,
});

const readPageCount = async (book: BookDriver): Promise<PageCount | undefined> => {
  const movedFact = (await book.readFacts()).findLast((fact) => fact.type === 'book.moved');
  return movedFact?.type === 'book.moved' ? movedFact.pageCount : undefined;
};
const goToHref = (book: BookDriver, href: string) =>
  book.page.evaluate((at) => window.reader.send({ type: 'book.goTo', href: at }), href);

const bookOpeners = {
  'its manifest': async (book: BookDriver, file: Buffer) => {
    const folder = await mkdtemp(join(tmpdir(), 'colophon-pages-'));
    await writeFile(join(folder, 'book.epub'), file);
    await book.open(join(folder, 'book.epub'));
    return () => rm(folder, { recursive: true });
  },
  'its own file': async (book: BookDriver, file: Buffer) => {
    await book.page.goto(book.server.blobPolicyUrl);
    expect((await openArchive(book, file)).filter(({ type }) => type === 'book.failed')).toEqual([]);
    return async () => undefined;
  },
};

for (const [source, openBook] of Object.entries(bookOpeners)) {
  test(`a book opened by ${source} counts the pages of its printed edition`, async ({ book }) => {
    const close = await openBook(book, createArchive(chapters, [createNavigation(true)]));
    await expect.poll(() => readPageCount(book)).toMatchObject({ page: 'xii', lastPage: null });
    await goToHref(book, '1.xhtml#p1');
    await book.turn('next');
    await expect.poll(() => readPageCount(book)).toMatchObject({ page: '1', lastPage: '304' });
    await goToHref(book, '2.xhtml');
    await expect.poll(() => readPageCount(book)).toEqual({ page: '1', lastPage: '304', pagesLeft: 0 });
    await goToHref(book, '3.xhtml');
    await expect.poll(() => readPageCount(book)).toMatchObject({ page: '304', lastPage: '304' });
    await close();
  });
}

test('a book without a page list counts the remaining screens of the chapter', async ({ book, page }) => {
  const close = await bookOpeners['its manifest'](book, createArchive(chapters, [createNavigation(false)]));
  const readPagesLeft = async () => (await readPageCount(book))?.pagesLeft ?? -1;
  await expect.poll(readPagesLeft).toBeGreaterThan(1);
  expect(await readPageCount(book)).toMatchObject({ page: null, lastPage: null });
  const initialCount = await readPagesLeft();
  await book.turn('next');
  await expect.poll(readPagesLeft).toBe(initialCount - 1);
  await book.command({ type: 'book.setLook', look: { fontScale: 2, theme: 'light' } });
  await expect.poll(readPagesLeft).toBeGreaterThan(initialCount);
  await page.evaluate(() => window.reader.send({ type: 'book.setLook', look: { fontScale: 1, theme: 'light' } }));
  await expect.poll(readPagesLeft).toBeLessThanOrEqual(initialCount);
  for (let pagesLeft = await readPagesLeft(); pagesLeft > 0; pagesLeft -= 1) {
    await book.turn('next');
    await expect.poll(readPagesLeft).toBe(pagesLeft - 1);
  }
  expect((await book.readLocator()).href).toBe('1.xhtml');
  await book.turn('next');
  await expect.poll(async () => (await book.readLocator()).href).toBe('2.xhtml');
  await close();
});
