import { join } from 'node:path';
import { realFiles } from '../../server/publication/support/real-books.ts';
import { expect, test } from './support/fixtures.ts';

for (const { name, file } of realFiles('epub')) {
  test(`${name} opens, turns, comes back and reopens where it was`, async ({ book }) => {
    const contents = await book.open(file);
    expect(contents.length).toBeGreaterThan(0);
    const progressions = [(await book.locator()).totalProgression];
    while (progressions.length < 6 && !(await book.ended())) {
      const { totalProgression } = await book.turn('next');
      if (!(await book.ended())) progressions.push(totalProgression);
    }
    expect(progressions, 'each turn leads on').toEqual([...new Set(progressions)].toSorted((a, b) => a - b));
    if (await book.ended()) expect(progressions.at(-1), 'the end is the whole').toBe(1);

    const back = progressions.length > 1 ? await book.turn('previous') : await book.locator();
    expect(back.totalProgression).toBe(progressions.at(-2) ?? progressions[0]);
    await book.close();
    expect(await book.page.locator('#mount-point > *').count()).toBe(0);

    await book.open(file, { start: back });
    const again = await book.locator();
    expect(again.href).toBe(back.href);
    expect(Math.abs(again.totalProgression - back.totalProgression)).toBeLessThan(0.01);
  });
}

test('a window that is resized while a page is still being read breaks nothing', async ({ book, page, server }) => {
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  const contents = await book.open(join(import.meta.dirname, '../../../server/demo/media/1001/book.epub'));
  const href = contents.at(-1)?.href ?? '';
  const isNext = (url: URL | string) => String(url).endsWith(href.replace(/#.*/, ''));
  await page.route(isNext, (route) => route.continue({ url: server.unfinishedUrl }));
  await page.evaluate((to) => window.reader.send({ type: 'book.goTo', href: to }), href);
  const isWithoutBody = () =>
    page
      .frames()
      .find((frame) => isNext(frame.url()))
      ?.evaluate(() => document.body === null);
  await expect.poll(isWithoutBody).toBe(true);
  await page.setViewportSize({ width: 700, height: 500 });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect(errors).toEqual([]);
});

test('a book that is closed while its look changes breaks nothing', async ({ book, page }) => {
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  await book.open(join(import.meta.dirname, '../../../server/demo/media/1001/book.epub'));
  await page.evaluate(() => {
    window.reader.send({ type: 'book.look', look: { fontScale: 1.5, theme: 'dark' } });
    // What is sent is done one after another: the look changes before the next of these.
    queueMicrotask(() => queueMicrotask(() => queueMicrotask(() => window.reader.close())));
  });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect(await page.locator('#mount-point > *').count()).toBe(0);
  expect(errors).toEqual([]);
});
