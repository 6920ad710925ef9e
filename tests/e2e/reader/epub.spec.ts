import { join } from 'node:path';
import { listRealFiles } from '../../server/publication/support/real-books.ts';
import { expect, test } from './support/fixtures.ts';

for (const { name, file } of listRealFiles('epub')) {
  test(`${name} opens, turns, turns back and reopens at the saved position`, async ({ book }) => {
    const contents = await book.open(file);
    expect(contents.length).toBeGreaterThan(0);
    const progressions = [(await book.readLocator()).totalProgression];
    while (progressions.length < 6 && !(await book.hasEnded())) {
      const { totalProgression } = await book.turn('next');
      if (!(await book.hasEnded())) progressions.push(totalProgression);
    }
    expect(progressions, 'each turn moves forward').toEqual([...new Set(progressions)].toSorted((a, b) => a - b));
    if (await book.hasEnded()) expect(progressions.at(-1), 'the end is at progression 1').toBe(1);

    const previousLocator = progressions.length > 1 ? await book.turn('previous') : await book.readLocator();
    expect(previousLocator.totalProgression).toBe(progressions.at(-2) ?? progressions[0]);
    await book.close();
    expect(await book.page.locator('#mount-point > *').count()).toBe(0);

    await book.open(file, { start: previousLocator });
    const reopenedLocator = await book.readLocator();
    expect(reopenedLocator.href).toBe(previousLocator.href);
    expect(Math.abs(reopenedLocator.totalProgression - previousLocator.totalProgression)).toBeLessThan(0.01);
  });
}

test('resizing the window while a page loads causes no error', async ({ book, page, server }) => {
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  const contents = await book.open(join(import.meta.dirname, '../../../server/demo/media/1001/book.epub'));
  const href = contents.at(-1)?.href ?? '';
  const isChapterUrl = (url: URL | string) => String(url).endsWith(href.replace(/#.*/, ''));
  await page.route(isChapterUrl, (route) => route.continue({ url: server.hangingUrl }));
  await page.evaluate((to) => window.reader.send({ type: 'book.goTo', href: to }), href);
  const isWithoutBody = () =>
    page
      .frames()
      .find((frame) => isChapterUrl(frame.url()))
      ?.evaluate(() => document.body === null);
  await expect.poll(isWithoutBody).toBe(true);
  await page.setViewportSize({ width: 700, height: 500 });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect(errors).toEqual([]);
});

test('closing a book while its settings change causes no error', async ({ book, page }) => {
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  await book.open(join(import.meta.dirname, '../../../server/demo/media/1001/book.epub'));
  await page.evaluate(() => {
    window.reader.send({ type: 'book.setLook', look: { fontScale: 1.5, theme: 'dark' } });
    // Some microtasks later, the change of the settings has begun and is not finished.
    queueMicrotask(() => queueMicrotask(() => queueMicrotask(() => window.reader.close())));
  });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect(await page.locator('#mount-point > *').count()).toBe(0);
  expect(errors).toEqual([]);
});
