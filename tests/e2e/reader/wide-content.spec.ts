import { writeFile } from 'node:fs/promises';
import { hasRealFiles, realFiles, realInput } from '../../server/publication/support/real-books.ts';
import { outOfReach } from './support/out-of-reach.ts';
import { expect, test, type BookDriver } from './support/fixtures.ts';
import { bookOf } from './support/small-book.ts';

const long = 'The tide came in and went out again over the flat grey sand. '.repeat(6);
const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="2400" height="300"><rect width="2400" height="300"/></svg>`;
const cells = Array.from({ length: 14 }, (_, nth) => `<td>Column${nth}WithALongWord</td>`).join('');

/** Content of books that is wider than a column. */
const wide: Record<string, string> = {
  'a table': `<table border="1"><tr>${cells}</tr><tr>${cells}</tr></table>`,
  'a table whose cells do not wrap': `<table><tr><td style="white-space:nowrap">${long}</td><td>End</td></tr></table>`,
  'preformatted lines': `<pre>${'x'.repeat(200)} END</pre>`,
  'a line that does not wrap': `<p style="white-space:nowrap">${long}</p>`,
  'words that do not wrap within a line': `<p>Before <span style="white-space:nowrap">${long}</span> after.</p>`,
  'a box of a fixed width': `<div style="width:1500px;border:1px solid">${long}</div>`,
  'a box that must not be narrow': `<div style="min-width:1500px">${long}</div>`,
  'a picture in a wide box': `<div style="width:2400px">${picture}</div>`,
  'a picture that must not be narrow': `<p><span style="display:inline-block;min-width:2400px">${picture}</span></p>`,
  'a formula': `<math xmlns="http://www.w3.org/1998/Math/MathML"><mrow>${'<mi>abc</mi><mo>+</mo>'.repeat(60)}<mi>z</mi></mrow></math>`,
  'text that is moved to the side': `<p style="position:relative;left:1200px">${long}</p>`,
  'text with a negative margin': `<p style="margin-right:-900px">${long}</p>`,
  'an address without spaces': `<p style="overflow-wrap:normal">https://example.com/${'path'.repeat(80)}</p>`,
  'a box that cuts off its text': `<div style="width:300px;height:60px;overflow:hidden">${long}</div>`,
};

const sizes = [
  [390, 844],
  [1366, 768],
] as const;

const frameOf = (book: BookDriver) => {
  const [frame] = book.frames();
  if (frame === undefined) throw new Error('the reader shows no page');
  return frame;
};

for (const [width, height] of sizes)
  for (const [what, body] of Object.entries(wide))
    test(`${what} is in reach on a page of ${width} pixels`, async ({ book }, info) => {
      await book.page.setViewportSize({ width, height });
      const file = info.outputPath('wide.epub');
      await writeFile(file, bookOf(['a'], { body: { a: `${body}<p>${long}</p>` } }));
      await book.open(file);
      expect(await outOfReach(frameOf(book))).toEqual([]);
      const isCut = await frameOf(book).evaluate(() =>
        [...document.body.querySelectorAll('*')].some(
          (each) => getComputedStyle(each).overflow.includes('hidden') && each.scrollHeight > each.clientHeight + 8,
        ),
      );
      expect(isCut).toBe(false);
    });

test('a page that has room enough is left as it is', async ({ book }, info) => {
  const file = info.outputPath('narrow.epub');
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40"><rect width="9000" height="9"/></svg>';
  const body = `<figure>${drawing}</figure><table><tr><td>A</td></tr></table><pre>short</pre><p style="white-space:nowrap">short</p>`;
  await writeFile(file, bookOf(['a'], { body: { a: body } }));
  await book.open(file);
  expect(await frameOf(book).locator('body [data-colophon-fit]').count()).toBe(0);
});

for (const [width, height] of sizes)
  test(`a long chapter that fits is left as it is at ${width} pixels`, async ({ book }, info) => {
    await book.page.setViewportSize({ width, height });
    const file = info.outputPath('long.epub');
    await writeFile(file, bookOf(['a'], { body: { a: `<p>${long}</p>`.repeat(1200) } }));
    await book.open(file);
    expect(await frameOf(book).locator('body [data-colophon-fit]').count()).toBe(0);
  });

test('a wide table scrolls by its keys and its page does not turn; then it is enlarged and put back', async ({ book }, info) => {
  const file = info.outputPath('wide.epub');
  await writeFile(file, bookOf(['a'], { body: { a: `${wide['a table']}<p>${long.repeat(20)}</p>` } }));
  await book.open(file);
  const table = frameOf(book).locator('body table');
  await expect(table).toHaveAttribute('aria-description', 'Press Enter to enlarge');
  await table.focus();
  await book.page.keyboard.press('ArrowRight');
  await expect.poll(() => table.evaluate((each) => each.scrollLeft)).toBeGreaterThan(0);
  const types = async () => (await book.facts()).map(({ type }) => type);
  expect(await types()).not.toContain('book.turnRequested');
  await book.page.keyboard.press('Enter');
  expect(await types()).toContain('book.enlargeRequested');
  await book.page.evaluate(() => window.reader.send({ type: 'book.enlarge' }));
  const enlarged = frameOf(book).locator('[data-colophon-enlarged]');
  await expect(enlarged.locator('table')).toBeVisible();
  const { width } = (await enlarged.boundingBox()) ?? { width: 0 };
  expect(width).toBeGreaterThan(((await table.boundingBox())?.width ?? 0) * 1.2);
  await book.page.keyboard.press('Escape');
  expect(await types()).toContain('book.reduceRequested');
  await book.page.evaluate(() => window.reader.send({ type: 'book.reduce' }));
  await expect(enlarged).toHaveCount(0);
  await expect(table).toBeFocused();
  // The place that is kept is the same as in a page without marks.
  expect((await book.locator()).cfi).toMatch(/^epubcfi\(\/6\/2!\/4,/);
});

test('an enlarged table keeps the colours of the reader and the font of its page', async ({ book }, info) => {
  const file = info.outputPath('styled.epub');
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="2400" height="300"><title>A map</title><rect width="9" height="9"/></svg>`;
  const body = `<div style="font-family:monospace"><table style="color:#000"><tr>${cells}</tr></table>${drawing}</div>`;
  await writeFile(file, bookOf(['a'], { body: { a: body } }));
  await book.open(file, { look: { fontScale: 1, theme: 'dark' } });
  const enlarge = async (selector: string) => {
    const element = frameOf(book).locator(`body ${selector}`);
    await element.focus();
    await book.page.keyboard.press('Enter');
    await book.page.evaluate(() => window.reader.send({ type: 'book.enlarge' }));
    return element;
  };
  await enlarge('table');
  const enlarged = frameOf(book).locator('[data-colophon-enlarged]');
  const cell = enlarged.locator('td').first();
  await expect(cell).toHaveCSS('color', 'rgb(217, 214, 208)');
  await expect(cell).toHaveCSS('font-family', 'monospace');
  await book.page.evaluate(() => window.reader.send({ type: 'book.reduce' }));

  const map = await enlarge('svg');
  await expect(enlarged).toHaveAttribute('aria-label', 'A map');
  await expect(enlarged).toBeFocused();
  await book.page.evaluate(() => window.reader.send({ type: 'book.reduce' }));
  await expect(map).toBeFocused();
  await map.dblclick();
  expect((await book.facts()).filter(({ type }) => type === 'book.enlargeRequested')).toHaveLength(3);
});

for (const [width, height] of sizes)
  for (const name of ['w1-wide-table', 'w2-wide-pre', 'w4-long-cell'])
    test(`all of ${name} is in reach at ${width} pixels`, async ({ book }) => {
      test.skip(!hasRealFiles, 'the odd files are not beside the project');
      await book.page.setViewportSize({ width, height });
      await book.open(realInput('epub', `${name}.epub`));
      expect(await outOfReach(frameOf(book))).toEqual([]);
    });

/** The answer to `book.continue` comes when all before it is done. */
const goToFraction = async ({ page }: BookDriver, fraction: number): Promise<void> => {
  const continued = await page.evaluate((chosen) => {
    const { reader } = window;
    const before = reader.facts.filter(({ type }) => type === 'book.continued').length;
    reader.send({ type: 'book.goToFraction', fraction: chosen });
    reader.send({ type: 'book.continue' });
    return before;
  }, fraction);
  await page.waitForFunction(
    (before) => window.reader.facts.filter(({ type }) => type === 'book.continued').length > before,
    continued,
  );
};

/** Chapters of a real book that are looked at, evenly over all of it. */
const SAMPLES = Number(process.env['WIDE_SAMPLES'] ?? 5);

for (const { name, file } of realFiles('epub'))
  test(`all of ${name} is in reach at 390 and 1366 pixels`, async ({ book }) => {
    test.slow();
    let isFixed = false;
    let measured = 0;
    for (const [width, height] of sizes) {
      await book.page.setViewportSize({ width, height });
      await book.open(file);
      for (let nth = 0; nth <= SAMPLES; nth += 1) {
        await goToFraction(book, nth / (SAMPLES + 1));
        const frame = frameOf(book);
        isFixed = (await frame.evaluate(() => document.documentElement.style.columnWidth)) === '';
        if (isFixed) continue;
        expect(await outOfReach(frame), frame.url()).toEqual([]);
        measured += 1;
      }
    }
    expect(measured).toBe(isFixed ? 0 : sizes.length * (SAMPLES + 1));
  });
