import { hasRealFiles, getRealFilePath } from '../../server/publication/support/real-books.ts';
import { expect, defaultLook, test } from './support/fixtures.ts';

test.skip(!hasRealFiles, 'the real titles are not beside the project');

type Frame = { evaluate: <Value>(run: () => Value) => Promise<Value> };

/**
 * The style of the visible page; undefined after two seconds in a frame that does not respond
 * because it is being replaced.
 */
const readLook = (frame: Frame | undefined) =>
  Promise.race([
    frame?.evaluate(() => {
      const style = getComputedStyle(document.querySelector('p') ?? document.body);
      return {
        fontSize: Number.parseFloat(style.fontSize),
        color: style.color,
        background: getComputedStyle(document.documentElement).backgroundColor,
      };
    }),
    new Promise<undefined>((resolve) => setTimeout(resolve, 2000)),
  ]);

for (const name of ['se-moby-dick.epub', 'regime-anticancer-arabic.epub', 'kusamakura-preview.epub', 'wasteland.epub']) {
  test(`${name}: larger type keeps the position, themes colour the page, and the default settings restore it`, async ({
    book,
  }) => {
    await book.open(getRealFilePath('epub', name));
    await book.command({ type: 'book.goToFraction', fraction: 0.5 });
    const locatorBefore = await book.readLocator();
    const plainLook = await readLook(book.getPageFrames()[0]);

    await book.command({ type: 'book.setLook', look: { fontScale: 1.5, theme: 'light' } });
    await expect
      .poll(async () => (await readLook(book.getPageFrames()[0]))?.fontSize)
      .toBeCloseTo((plainLook?.fontSize ?? 0) * 1.5, 0);
    await expect
      .poll(async () => Math.abs((await book.readLocator()).totalProgression - locatorBefore.totalProgression))
      .toBeLessThan(0.08);
    const enlargedLocator = await book.readLocator();
    const nextLocator = await book.turn('next');
    expect(nextLocator.totalProgression).toBeGreaterThan(enlargedLocator.totalProgression);

    await book.page.evaluate(() => window.reader.send({ type: 'book.setLook', look: { fontScale: 1.5, theme: 'dark' } }));
    await expect
      .poll(async () => readLook(book.getPageFrames()[0]))
      .toMatchObject({ color: 'rgb(217, 214, 208)', background: 'rgb(21, 22, 26)' });
    await book.page.evaluate(() => window.reader.send({ type: 'book.setLook', look: { fontScale: 1.5, theme: 'sepia' } }));
    await expect
      .poll(async () => readLook(book.getPageFrames()[0]))
      .toMatchObject({ color: 'rgb(66, 50, 31)', background: 'rgb(246, 236, 216)' });
    // The book is laid out again; an evaluation in a frame that is being replaced never resolves.
    const oldFrame = book.getPageFrames()[0];
    await book.command({ type: 'book.setLook', look: defaultLook });
    await expect.poll(() => oldFrame?.isDetached()).toBe(true);
    await expect.poll(async () => readLook(book.getPageFrames()[0])).toEqual(plainLook);
  });
}

test('the settings that a book is opened with apply to its first page', async ({ book }) => {
  await book.open(getRealFilePath('epub', 'wasteland.epub'), { look: { fontScale: 2, theme: 'dark' } });
  expect(await readLook(book.getPageFrames()[0])).toMatchObject({ color: 'rgb(217, 214, 208)' });
});
