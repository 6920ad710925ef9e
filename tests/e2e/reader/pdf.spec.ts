import { hasRealFiles, realFilePath } from '../../server/publication/support/real-books.ts';
import { expect, test } from './support/fixtures.ts';

test.skip(!hasRealFiles, 'the real titles are not beside the project');

for (const { name, pages, outlined } of [
  { name: 'tracemonkey.pdf', pages: 14, outlined: false },
  { name: 'freeculture.pdf', pages: 352, outlined: true },
]) {
  test(`${name} opens, turns, turns back and reopens at its place`, async ({ book }) => {
    const contents = await book.open(realFilePath('pdf', name));
    expect(contents.length > 0).toBe(outlined);
    await expect(book.page.locator('.canvasWrapper canvas').first()).toBeVisible();
    for (let nth = 0; nth < 5; nth++) await book.turn('next');
    const back = await book.turn('previous');
    await expect(book.page.locator('.page[data-page-number="5"] .textLayer')).not.toBeEmpty();
    expect(back).toMatchObject({ page: 5, pages, href: '#page=5', totalProgression: 4 / (pages - 1) });
    await book.close();
    expect(await book.page.locator('#mount-point > *').count()).toBe(0);
    await book.open(realFilePath('pdf', name), { start: back });
    expect(await book.locator()).toEqual({ ...back, label: expect.any(String) });
  });
}

test('contents report the position, the last page the end; larger type enlarges the page, the dark theme darkens it', async ({
  book,
}) => {
  const contents = await book.open(realFilePath('pdf', 'freeculture.pdf'));
  const entry = contents.at(3);
  await book.command({ type: 'book.goTo', href: entry?.href ?? '' });
  await expect.poll(async () => (await book.locator()).label).toBe(entry?.title);
  await book.command({ type: 'book.goToFraction', fraction: 1 });
  expect(await book.locator()).toMatchObject({ page: 352, totalProgression: 1 });
  await book.command({ type: 'book.turn', direction: 'next' });
  expect(await book.ended()).toBe(true);

  const sheet = book.page.locator('.pdfViewer .page');
  const width = async (): Promise<number> => (await sheet.boundingBox())?.width ?? 0;
  const plain = await width();
  await book.page.evaluate(() => window.reader.send({ type: 'book.look', look: { fontScale: 1.5, theme: 'dark' } }));
  await expect.poll(width).toBeGreaterThan(plain * 1.4);
  await expect(book.page.locator('.pdfViewer')).toHaveCSS('filter', /invert/);
});

test('a long document is fetched in ranges, and the PDF viewer is loaded for PDFs only', async ({ book }) => {
  const scripts: string[] = [];
  let bytes = 0;
  book.page.on('response', (response) => {
    if (/\.m?js$/.test(response.url())) scripts.push(response.url());
    // The first answer has the length of the whole file and is cut off.
    if (response.status() === 206) bytes += Number(response.headers()['content-length'] ?? 0);
  });
  await book.open(realFilePath('epub', 'wasteland.epub'));
  expect(scripts.filter((url) => /pdf/.test(url))).toEqual([]);
  await book.open(realFilePath('pdf', 'freeculture.pdf'));
  await expect(book.page.locator('.canvasWrapper canvas').first()).toBeVisible();
  expect(scripts.some((url) => /pdf/.test(url))).toBe(true);
  expect(bytes).toBeLessThan(2_598_727 / 2);
});

test('a file other than a PDF fails as malformed', async ({ page, server, book }) => {
  await page.route('**/broken.pdf', (route) => route.fulfill({ contentType: 'application/pdf', body: 'nothing of the kind' }));
  await page.evaluate((url) => {
    window.reader.openBook({ medium: 'pdf', url, start: null, look: { fontScale: 1, theme: 'light' } });
  }, `${server.url}/broken.pdf`);
  await expect.poll(() => book.facts()).toMatchObject([{ type: 'book.failed', problem: { kind: 'malformed', call: 'pdf' } }]);
});
