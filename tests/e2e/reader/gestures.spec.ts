import { hasRealFiles, getRealFilePath } from '../../server/publication/support/real-books.ts';
import { expect, test, type BookDriver } from './support/fixtures.ts';

test.skip(!hasRealFiles, 'the real titles are not beside the project');

const readTurnRequests = async (book: BookDriver): Promise<string[]> =>
  (await book.readFacts()).flatMap((fact) => {
    if (fact.type === 'book.turnRequested') return [fact.direction];
    return fact.type === 'book.controlsRequested' ? ['controls'] : [];
  });

test('keys and presses on a page request turns and controls', async ({ book }) => {
  const { page } = book;
  await book.open(getRealFilePath('epub', 'wasteland.epub'));
  await page.mouse.click(1300, 450);
  await page.mouse.click(60, 450);
  await page.mouse.click(683, 450);
  await expect.poll(() => readTurnRequests(book)).toEqual(['next', 'previous', 'controls']);
  for (const key of ['ArrowRight', 'ArrowLeft', 'Space', 'Shift+Space', 'PageDown', 'PageUp']) await page.keyboard.press(key);
  await expect
    .poll(async () => (await readTurnRequests(book)).slice(3))
    .toEqual(['next', 'previous', 'next', 'previous', 'next', 'previous']);
  expect((await book.readLocator()).totalProgression, 'the page turns only when the state machine commands it').toBe(0);
});

test('in a right-to-left book the left edge requests the next page, the right arrow key the previous one', async ({ book }) => {
  await book.open(getRealFilePath('epub', 'kusamakura-preview.epub'));
  expect((await book.readFacts()).find(({ type }) => type === 'book.opened')).toMatchObject({ rightToLeft: true });
  await book.page.mouse.click(60, 450);
  await book.page.keyboard.press('ArrowRight');
  await expect.poll(() => readTurnRequests(book)).toEqual(['next', 'previous']);
});

test('presses on a scaled page of a fixed-layout book request turns', async ({ book }) => {
  await book.open(getRealFilePath('epub', 'page-blanche.epub'));
  await book.turn('next');
  await book.page.mouse.click(1200, 450);
  await book.page.mouse.click(160, 450);
  await expect.poll(() => readTurnRequests(book)).toEqual(['next', 'previous']);
});

test('Escape pressed in a page reaches the document around it', async ({ book }) => {
  await book.open(getRealFilePath('epub', 'wasteland.epub'));
  await book.page.evaluate(() => {
    document.body.addEventListener('keydown', ({ key }) => document.body.setAttribute('data-heard', key));
  });
  await book.getPageFrames()[0]?.locator('body').press('Escape');
  await expect(book.page.locator('body')).toHaveAttribute('data-heard', 'Escape');
});

test('links within the book report their target, external links open a new window without opener', async ({ book, context }) => {
  await book.open(getRealFilePath('epub', 'moby-dick.epub'));
  const locatorBefore = await book.readLocator();
  await book.command({ type: 'book.goTo', href: 'OPS/toc-short.xhtml' });
  await book.getPageFrames()[0]?.locator('a[href*="chapter_00"]').first().click();
  const readPressedLinks = async () =>
    (await book.readFacts()).flatMap((fact) => (fact.type === 'book.linkPressed' ? [fact.href] : []));
  await expect.poll(readPressedLinks).toEqual([expect.stringMatching(/chapter_00/)]);
  await book.command({ type: 'book.goTo', href: (await readPressedLinks())[0] ?? '' });
  await expect.poll(async () => (await book.readLocator()).href).toMatch(/chapter_00/);
  expect((await book.readLocator()).totalProgression).toBeGreaterThan(locatorBefore.totalProgression);
  expect(await readTurnRequests(book)).toEqual([]);

  await context.route('http://elsewhere.test/**', (route) => route.fulfill({ body: 'elsewhere' }));
  await book.getPageFrames()[0]?.evaluate(() => {
    const link = document.createElement('a');
    link.href = 'http://elsewhere.test/page';
    link.textContent = 'away';
    document.body.prepend(link);
  });
  const newPagePromise = context.waitForEvent('page');
  await book.getPageFrames()[0]?.locator('a', { hasText: 'away' }).click();
  const newPage = await newPagePromise;
  await newPage.waitForLoadState();
  expect(await newPage.evaluate(() => [window.opener === null, document.referrer])).toEqual([true, '']);
});

test('the table of contents leads to its chapter, and turning the last page reports the end', async ({ book }) => {
  const contents = await book.open(getRealFilePath('epub', 'se-moby-dick.epub'));
  const entry =
    contents.find(({ title }) => /Loomings/.test(title)) ??
    contents.flatMap(({ children }) => children).find(({ title }) => /Loomings/.test(title));
  await book.command({ type: 'book.goTo', href: entry?.href ?? '' });
  await expect.poll(async () => (await book.readLocator()).label).toContain('Loomings');
  await book.command({ type: 'book.goToFraction', fraction: 1 });
  expect((await book.readLocator()).totalProgression).toBe(1);
  await book.turn('next');
  expect(await book.hasEnded()).toBe(true);
  expect((await book.turn('previous')).totalProgression).toBeLessThan(1);
});

test('turns requested faster than pages load are carried out in order', async ({ book }) => {
  await book.open(getRealFilePath('epub', 'moby-dick.epub'));
  await book.page.evaluate(() => {
    for (let nth = 0; nth < 8; nth++) window.reader.send({ type: 'book.turn', direction: 'next' });
    for (let nth = 0; nth < 8; nth++) window.reader.send({ type: 'book.turn', direction: 'previous' });
  });
  await expect.poll(async () => (await book.readFacts()).filter(({ type }) => type === 'book.moved').length).toBe(17);
  expect((await book.readLocator()).totalProgression).toBe(0);
});
