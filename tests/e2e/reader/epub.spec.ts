import { join } from 'node:path';
import { listRealFiles } from '../../server/publication/support/real-books.ts';
import { expect, test } from './support/fixtures.ts';

for (const { name, file } of listRealFiles('epub')) {
  test(`${name} opens, turns, turns back and reopens at its place`, async ({ book }) => {
    const contents = await book.open(file);
    expect(contents.length).toBeGreaterThan(0);
    const progressions = [(await book.locator()).totalProgression];
    while (progressions.length < 6 && !(await book.ended())) {
      const { totalProgression } = await book.turn('next');
      if (!(await book.ended())) progressions.push(totalProgression);
    }
    expect(progressions, 'each turn moves forward').toEqual([...new Set(progressions)].toSorted((a, b) => a - b));
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

test('resizing the window while a page loads breaks nothing', async ({ book, page, server }) => {
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  const contents = await book.open(join(import.meta.dirname, '../../../server/demo/media/1001/book.epub'));
  const href = contents.at(-1)?.href ?? '';
  const isNext = (url: URL | string) => String(url).endsWith(href.replace(/#.*/, ''));
  await page.route(isNext, (route) => route.continue({ url: server.hangingUrl }));
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

test('closing a book while its settings change breaks nothing', async ({ book, page }) => {
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  await book.open(join(import.meta.dirname, '../../../server/demo/media/1001/book.epub'));
  await page.evaluate(() => {
    window.reader.send({ type: 'book.look', look: { fontScale: 1.5, theme: 'dark' } });
    // Commands are run in order: the settings change before the next of these.
    queueMicrotask(() => queueMicrotask(() => queueMicrotask(() => window.reader.close())));
  });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect(await page.locator('#mount-point > *').count()).toBe(0);
  expect(errors).toEqual([]);
});
