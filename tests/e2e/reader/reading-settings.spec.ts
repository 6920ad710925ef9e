import { hasRealFiles, realFilePath } from '../../server/publication/support/real-books.ts';
import { expect, defaultLook, test } from './support/fixtures.ts';

test.skip(!hasRealFiles, 'the real titles are not beside the project');

type Frame = { evaluate: <Value>(run: () => Value) => Promise<Value> };

/**
 * The style of the visible page; undefined for a frame that does not answer because it is being
 * replaced.
 */
const readLook = (frame: Frame | undefined) =>
  Promise.race([
    frame?.evaluate(() => {
      const style = getComputedStyle(document.querySelector('p') ?? document.body);
      return {
        fontSize: Number.parseFloat(style.fontSize),
        color: style.color,
        paper: getComputedStyle(document.documentElement).backgroundColor,
      };
    }),
    new Promise<undefined>((resolve) => setTimeout(resolve, 2000)),
  ]);

for (const name of ['se-moby-dick.epub', 'regime-anticancer-arabic.epub', 'kusamakura-preview.epub', 'wasteland.epub']) {
  test(`${name}: larger type makes more pages and keeps the place, themes colour the page and light restores it`, async ({
    book,
  }) => {
    await book.open(realFilePath('epub', name));
    await book.command({ type: 'book.goToFraction', fraction: 0.5 });
    const before = await book.locator();
    const plain = await readLook(book.frames()[0]);

    await book.command({ type: 'book.look', look: { fontScale: 1.5, theme: 'light' } });
    await expect.poll(async () => (await readLook(book.frames()[0]))?.fontSize).toBeCloseTo((plain?.fontSize ?? 0) * 1.5, 0);
    await expect.poll(async () => Math.abs((await book.locator()).totalProgression - before.totalProgression)).toBeLessThan(0.08);
    const here = await book.locator();
    const large = await book.turn('next');
    expect(large.totalProgression).toBeGreaterThan(here.totalProgression);

    await book.page.evaluate(() => window.reader.send({ type: 'book.look', look: { fontScale: 1.5, theme: 'dark' } }));
    await expect
      .poll(async () => readLook(book.frames()[0]))
      .toMatchObject({ color: 'rgb(217, 214, 208)', paper: 'rgb(21, 22, 26)' });
    await book.page.evaluate(() => window.reader.send({ type: 'book.look', look: { fontScale: 1.5, theme: 'sepia' } }));
    await expect
      .poll(async () => readLook(book.frames()[0]))
      .toMatchObject({ color: 'rgb(66, 50, 31)', paper: 'rgb(246, 236, 216)' });
    // The book is laid out again; a frame that is being replaced never answers.
    const old = book.frames()[0];
    await book.command({ type: 'book.look', look: defaultLook });
    await expect.poll(() => old?.isDetached()).toBe(true);
    await expect.poll(async () => readLook(book.frames()[0])).toEqual(plain);
  });
}

test('the settings apply from the first page on', async ({ book }) => {
  await book.open(realFilePath('epub', 'wasteland.epub'), { look: { fontScale: 2, theme: 'dark' } });
  expect(await readLook(book.frames()[0])).toMatchObject({ color: 'rgb(217, 214, 208)' });
});
