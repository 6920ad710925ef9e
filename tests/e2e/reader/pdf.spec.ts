import { hasRealFiles, getRealFilePath } from '../../server/publication/support/real-books.ts';
import { expect, test } from './support/fixtures.ts';

test.skip(!hasRealFiles, 'the real titles are not beside the project');

for (const { name, pages, hasOutline } of [
  { name: 'tracemonkey.pdf', pages: 14, hasOutline: false },
  { name: 'freeculture.pdf', pages: 352, hasOutline: true },
]) {
  test(`${name} opens, turns, turns back and reopens at the saved position`, async ({ book }) => {
    const contents = await book.open(getRealFilePath('pdf', name));
    expect(contents.length > 0).toBe(hasOutline);
    await expect(book.page.locator('.canvasWrapper canvas').first()).toBeVisible();
    for (let nth = 0; nth < 5; nth++) await book.turn('next');
    const previousLocator = await book.turn('previous');
    await expect(book.page.locator('.page[data-page-number="5"] .textLayer')).not.toBeEmpty();
    expect(previousLocator).toMatchObject({ page: 5, pages, href: '#page=5', totalProgression: 4 / (pages - 1) });
    await book.close();
    expect(await book.page.locator('#mount-point > *').count()).toBe(0);
    await book.open(getRealFilePath('pdf', name), { start: previousLocator });
    expect(await book.readLocator()).toEqual({ ...previousLocator, label: expect.any(String) });
  });
}

test('a PDF follows its table of contents, reports its end, and applies font scale and theme', async ({ book }) => {
  const contents = await book.open(getRealFilePath('pdf', 'freeculture.pdf'));
  const entry = contents.at(3);
  await book.command({ type: 'book.goTo', href: entry?.href ?? '' });
  await expect.poll(async () => (await book.readLocator()).label).toBe(entry?.title);
  await book.command({ type: 'book.goToFraction', fraction: 1 });
  expect(await book.readLocator()).toMatchObject({ page: 352, totalProgression: 1 });
  await book.command({ type: 'book.turn', direction: 'next' });
  expect(await book.hasEnded()).toBe(true);

  const pageElement = book.page.locator('.pdfViewer .page');
  const readWidth = async (): Promise<number> => (await pageElement.boundingBox())?.width ?? 0;
  const plainWidth = await readWidth();
  await book.page.evaluate(() => window.reader.send({ type: 'book.setLook', look: { fontScale: 1.5, theme: 'dark' } }));
  await expect.poll(readWidth).toBeGreaterThan(plainWidth * 1.4);
  await expect(book.page.locator('.pdfViewer')).toHaveCSS('filter', /invert/);
});

test('a long document is fetched in ranges, and the PDF viewer is loaded for PDFs only', async ({ book }) => {
  const scripts: string[] = [];
  let bytes = 0;
  book.page.on('response', (response) => {
    if (/\.m?js$/.test(response.url())) scripts.push(response.url());
    // The first response states the length of the whole file and is aborted.
    if (response.status() === 206) bytes += Number(response.headers()['content-length'] ?? 0);
  });
  await book.open(getRealFilePath('epub', 'wasteland.epub'));
  expect(scripts.filter((url) => /pdf/.test(url))).toEqual([]);
  await book.open(getRealFilePath('pdf', 'freeculture.pdf'));
  await expect(book.page.locator('.canvasWrapper canvas').first()).toBeVisible();
  expect(scripts.some((url) => /pdf/.test(url))).toBe(true);
  expect(bytes).toBeLessThan(2_598_727 / 2);
});

test('a file other than a PDF fails as malformed', async ({ page, server, book }) => {
  await page.route('**/broken.pdf', (route) => route.fulfill({ contentType: 'application/pdf', body: 'not a PDF' }));
  await page.evaluate((url) => {
    window.reader.openBook({ medium: 'pdf', url, start: null, look: { fontScale: 1, theme: 'light' } });
  }, `${server.url}/broken.pdf`);
  await expect.poll(() => book.readFacts()).toMatchObject([{ type: 'book.failed', problem: { kind: 'malformed', call: 'pdf' } }]);
});
