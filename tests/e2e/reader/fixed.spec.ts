import { hasRealFiles, getRealFilePath } from '../../server/publication/support/real-books.ts';
import { expect, test } from './support/fixtures.ts';

test.skip(!hasRealFiles, 'the real titles are not beside the project');

test('fixed pages are shown singly in a tall area and side by side in a wide one, at the same position', async ({
  book,
  page,
}) => {
  await page.setViewportSize({ width: 600, height: 900 });
  await book.open(getRealFilePath('epub', 'page-blanche.epub'));
  await book.turn('next');
  await book.turn('next');
  const singleLocator = await book.readLocator();
  expect(book.getPageFrames().length).toBe(1);
  await page.setViewportSize({ width: 1366, height: 900 });
  await expect.poll(() => book.getPageFrames().length).toBe(2);
  const urls = book.getPageFrames().map((frame) => frame.url());
  expect(
    urls.some((url) => url.endsWith(singleLocator.href)),
    urls.join(),
  ).toBe(true);
});

test('a picture that is a spine item fills its page', async ({ book, page }) => {
  await book.open(getRealFilePath('epub', 'haruko-jpeg.epub'));
  await book.turn('next');
  const picture = book.getPageFrames()[0]?.locator('img');
  await expect(picture ?? page.locator('#missing')).toBeVisible();
  expect((await picture?.boundingBox())?.height).toBeGreaterThan(800);
});

test('fixed pages are counted by the book’s page list, or without a list in the order of the spine', async ({ book, page }) => {
  const readPageCount = async () => {
    const movedFact = (await book.readFacts()).findLast((fact) => fact.type === 'book.moved');
    return movedFact?.type === 'book.moved' ? movedFact.pageCount : undefined;
  };
  await page.setViewportSize({ width: 600, height: 900 });
  // The book has ten pages: the cover, an unnumbered page, and pages numbered from 1 to 8.
  await book.open(getRealFilePath('epub', 'page-blanche.epub'));
  expect(await readPageCount()).toEqual({ page: null, lastPage: null, pagesLeft: null });
  await book.command({ type: 'book.goToFraction', fraction: 1 });
  await expect.poll(readPageCount).toEqual({ page: '8', lastPage: '8', pagesLeft: null });

  await page.route('**/manifest.json', async (route) => {
    const response = await route.fetch();
    const { pageList: _, ...manifest } = (await response.json()) as { pageList: unknown };
    await route.fulfill({ response, json: manifest });
  });
  await book.open(getRealFilePath('epub', 'page-blanche.epub'));
  expect(await readPageCount()).toEqual({ page: '1', lastPage: '10', pagesLeft: null });
  await book.turn('next');
  await expect.poll(readPageCount).toEqual({ page: '2', lastPage: '10', pagesLeft: null });
});
