import { hasRealFiles, realFilePath } from '../../server/publication/support/real-books.ts';
import { expect, test } from './support/fixtures.ts';

test.skip(!hasRealFiles, 'the real titles are not beside the project');

test('fixed pages are shown singly in a tall area and side by side in a wide one, at the same place', async ({ book, page }) => {
  await page.setViewportSize({ width: 600, height: 900 });
  await book.open(realFilePath('epub', 'page-blanche.epub'));
  await book.turn('next');
  await book.turn('next');
  const single = await book.locator();
  expect(book.frames().length).toBe(1);
  await page.setViewportSize({ width: 1366, height: 900 });
  await expect.poll(() => book.frames().length).toBe(2);
  const addresses = book.frames().map((frame) => frame.url());
  expect(
    addresses.some((url) => url.endsWith(single.href)),
    addresses.join(),
  ).toBe(true);
});

test('pictures in the spine fill their page', async ({ book, page }) => {
  await book.open(realFilePath('epub', 'haruko-jpeg.epub'));
  await book.turn('next');
  const picture = book.frames()[0]?.locator('img');
  await expect(picture ?? page.locator('#missing')).toBeVisible();
  expect((await picture?.boundingBox())?.height).toBeGreaterThan(800);
});

test('fixed pages are counted in their order, or by the book’s own page list', async ({ book, page }) => {
  const counted = async () => {
    const moved = (await book.facts()).findLast((fact) => fact.type === 'book.moved');
    return moved?.type === 'book.moved' ? moved.pageCount : undefined;
  };
  await page.setViewportSize({ width: 600, height: 900 });
  // Its ten pages are the cover, the first one, and those that it numbers from 1 to 8.
  await book.open(realFilePath('epub', 'page-blanche.epub'));
  expect(await counted()).toEqual({ page: null, lastPage: null, pagesLeft: null });
  await book.command({ type: 'book.goToFraction', fraction: 1 });
  await expect.poll(counted).toEqual({ page: '8', lastPage: '8', pagesLeft: null });

  await page.route('**/manifest.json', async (route) => {
    const response = await route.fetch();
    const { pageList: _, ...manifest } = (await response.json()) as { pageList: unknown };
    await route.fulfill({ response, json: manifest });
  });
  await book.open(realFilePath('epub', 'page-blanche.epub'));
  expect(await counted()).toEqual({ page: '1', lastPage: '10', pagesLeft: null });
  await book.turn('next');
  await expect.poll(counted).toEqual({ page: '2', lastPage: '10', pagesLeft: null });
});
