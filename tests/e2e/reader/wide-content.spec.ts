import { writeFile } from 'node:fs/promises';
import { hasRealFiles, listRealFiles, getRealInputPath } from '../../server/publication/support/real-books.ts';
import { findClippedContent } from './support/clipped-content.ts';
import { expect, test, type BookDriver } from './support/fixtures.ts';
import { createBook } from './support/small-book.ts';

const longText = 'The tide came in and went out again over the flat grey sand. '.repeat(6);
const widePicture = `<svg xmlns="http://www.w3.org/2000/svg" width="2400" height="300"><rect width="2400" height="300"/></svg>`;
const tableCells = Array.from({ length: 14 }, (_, nth) => `<td>Column${nth}WithALongWord</td>`).join('');

/** Content of books that is wider than a column. */
const widePages: Record<string, string> = {
  'a table': `<table border="1"><tr>${tableCells}</tr><tr>${tableCells}</tr></table>`,
  'a table whose cells do not wrap': `<table><tr><td style="white-space:nowrap">${longText}</td><td>End</td></tr></table>`,
  'preformatted lines': `<pre>${'x'.repeat(200)} END</pre>`,
  'a line that does not wrap': `<p style="white-space:nowrap">${longText}</p>`,
  'words that do not wrap within a line': `<p>Before <span style="white-space:nowrap">${longText}</span> after.</p>`,
  'a box of a fixed width': `<div style="width:1500px;border:1px solid">${longText}</div>`,
  'a box that must not be narrow': `<div style="min-width:1500px">${longText}</div>`,
  'a picture in a wide box': `<div style="width:2400px">${widePicture}</div>`,
  'a picture that must not be narrow': `<p><span style="display:inline-block;min-width:2400px">${widePicture}</span></p>`,
  'a formula': `<math xmlns="http://www.w3.org/1998/Math/MathML"><mrow>${'<mi>abc</mi><mo>+</mo>'.repeat(60)}<mi>z</mi></mrow></math>`,
  'text that is moved to the side': `<p style="position:relative;left:1200px">${longText}</p>`,
  'text with a negative margin': `<p style="margin-right:-900px">${longText}</p>`,
  'an address without spaces': `<p style="overflow-wrap:normal">https://example.com/${'path'.repeat(80)}</p>`,
  'a box that cuts off its text': `<div style="width:300px;height:60px;overflow:hidden">${longText}</div>`,
};

const viewportSizes = [
  [390, 844],
  [1366, 768],
] as const;

const getFrame = (book: BookDriver) => {
  const [frame] = book.getPageFrames();
  if (frame === undefined) throw new Error('The reader shows no page: expected a frame with a URL of a book.');
  return frame;
};

for (const [width, height] of viewportSizes)
  for (const [name, body] of Object.entries(widePages))
    test(`all of ${name} is reachable on a page of ${width} pixels`, async ({ book }, info) => {
      await book.page.setViewportSize({ width, height });
      const file = info.outputPath('wide.epub');
      await writeFile(file, createBook(['a'], { body: { a: `${body}<p>${longText}</p>` } }));
      await book.open(file);
      expect(await findClippedContent(getFrame(book))).toEqual([]);
      const hasClippedBox = await getFrame(book).evaluate(() =>
        [...document.body.querySelectorAll('*')].some(
          (each) => getComputedStyle(each).overflow.includes('hidden') && each.scrollHeight > each.clientHeight + 8,
        ),
      );
      expect(hasClippedBox).toBe(false);
    });

test('a page whose content fits is unchanged', async ({ book }, info) => {
  const file = info.outputPath('narrow.epub');
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40"><rect width="9000" height="9"/></svg>';
  const body = `<figure>${drawing}</figure><table><tr><td>A</td></tr></table><pre>short</pre><p style="white-space:nowrap">short</p>`;
  await writeFile(file, createBook(['a'], { body: { a: body } }));
  await book.open(file);
  expect(await getFrame(book).locator('body [data-colophon-fit]').count()).toBe(0);
});

for (const [width, height] of viewportSizes)
  test(`a long chapter that fits is unchanged at ${width} pixels`, async ({ book }, info) => {
    await book.page.setViewportSize({ width, height });
    const file = info.outputPath('long.epub');
    await writeFile(file, createBook(['a'], { body: { a: `<p>${longText}</p>`.repeat(1200) } }));
    await book.open(file);
    expect(await getFrame(book).locator('body [data-colophon-fit]').count()).toBe(0);
  });

test('a wide table scrolls by arrow keys without a turn of the page, Enter enlarges it, Escape restores it', async ({
  book,
}, info) => {
  const file = info.outputPath('wide.epub');
  await writeFile(file, createBook(['a'], { body: { a: `${widePages['a table']}<p>${longText.repeat(20)}</p>` } }));
  await book.open(file);
  const table = getFrame(book).locator('body table');
  await expect(table).toHaveAttribute('aria-description', 'Press Enter to enlarge');
  await table.focus();
  await book.page.keyboard.press('ArrowRight');
  await expect.poll(() => table.evaluate((each) => each.scrollLeft)).toBeGreaterThan(0);
  const readFactTypes = async () => (await book.readFacts()).map(({ type }) => type);
  expect(await readFactTypes()).not.toContain('book.turnRequested');
  await book.page.keyboard.press('Enter');
  expect(await readFactTypes()).toContain('book.enlargeRequested');
  await book.page.evaluate(() => window.reader.send({ type: 'book.enlarge' }));
  const enlarged = getFrame(book).locator('[data-colophon-enlarged]');
  await expect(enlarged.locator('table')).toBeVisible();
  const { width } = (await enlarged.boundingBox()) ?? { width: 0 };
  expect(width).toBeGreaterThan(((await table.boundingBox())?.width ?? 0) * 1.2);
  await book.page.keyboard.press('Escape');
  expect(await readFactTypes()).toContain('book.reduceRequested');
  await book.page.evaluate(() => window.reader.send({ type: 'book.reduce' }));
  await expect(enlarged).toHaveCount(0);
  await expect(table).toBeFocused();
  // The saved position is the same as in a page without marks.
  expect((await book.readLocator()).cfi).toMatch(/^epubcfi\(\/6\/2!\/4,/);
});

test('an enlarged table keeps the colours of the reader and the font of its page', async ({ book }, info) => {
  const file = info.outputPath('styled.epub');
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="2400" height="300"><title>A map</title><rect width="9" height="9"/></svg>`;
  const body = `<div style="font-family:monospace"><table style="color:#000"><tr>${tableCells}</tr></table>${drawing}</div>`;
  await writeFile(file, createBook(['a'], { body: { a: body } }));
  await book.open(file, { look: { fontScale: 1, theme: 'dark' } });
  const enlarge = async (selector: string) => {
    const element = getFrame(book).locator(`body ${selector}`);
    await element.focus();
    await book.page.keyboard.press('Enter');
    await book.page.evaluate(() => window.reader.send({ type: 'book.enlarge' }));
    return element;
  };
  await enlarge('table');
  const enlarged = getFrame(book).locator('[data-colophon-enlarged]');
  const cell = enlarged.locator('td').first();
  await expect(cell).toHaveCSS('color', 'rgb(217, 214, 208)');
  await expect(cell).toHaveCSS('font-family', 'monospace');
  await book.page.evaluate(() => window.reader.send({ type: 'book.reduce' }));

  const mapPicture = await enlarge('svg');
  await expect(enlarged).toHaveAttribute('aria-label', 'A map');
  await expect(enlarged).toBeFocused();
  await book.page.evaluate(() => window.reader.send({ type: 'book.reduce' }));
  await expect(mapPicture).toBeFocused();
  await mapPicture.dblclick();
  expect((await book.readFacts()).filter(({ type }) => type === 'book.enlargeRequested')).toHaveLength(3);
});

for (const [width, height] of viewportSizes)
  for (const name of ['w1-wide-table', 'w2-wide-pre', 'w4-long-cell'])
    test(`all of ${name} is reachable at ${width} pixels`, async ({ book }) => {
      test.skip(!hasRealFiles, 'the files with unusual content are not beside the project');
      await book.page.setViewportSize({ width, height });
      await book.open(getRealInputPath('epub', `${name}.epub`));
      expect(await findClippedContent(getFrame(book))).toEqual([]);
    });

/**
 * Goes to a fraction of the book, and waits for `book.continued`, the end of all earlier commands.
 */
const goToFraction = async ({ page }: BookDriver, fraction: number): Promise<void> => {
  const continuedBefore = await page.evaluate((chosen) => {
    const { reader } = window;
    const before = reader.facts.filter(({ type }) => type === 'book.continued').length;
    reader.send({ type: 'book.goToFraction', fraction: chosen });
    reader.send({ type: 'book.continue' });
    return before;
  }, fraction);
  await page.waitForFunction(
    (before) => window.reader.facts.filter(({ type }) => type === 'book.continued').length > before,
    continuedBefore,
  );
};

/** Positions of each real book that are measured after its start, evenly spread. */
const SAMPLE_COUNT = Number(process.env['WIDE_SAMPLES'] ?? 5);

for (const { name, file } of listRealFiles('epub'))
  test(`all of ${name} is reachable at 390 and 1366 pixels`, async ({ book }) => {
    test.slow();
    let isFixed = false;
    let measuredCount = 0;
    for (const [width, height] of viewportSizes) {
      await book.page.setViewportSize({ width, height });
      await book.open(file);
      for (let nth = 0; nth <= SAMPLE_COUNT; nth += 1) {
        await goToFraction(book, nth / (SAMPLE_COUNT + 1));
        const frame = getFrame(book);
        isFixed = (await frame.evaluate(() => document.documentElement.style.columnWidth)) === '';
        if (isFixed) continue;
        expect(await findClippedContent(frame), frame.url()).toEqual([]);
        measuredCount += 1;
      }
    }
    expect(measuredCount).toBe(isFixed ? 0 : viewportSizes.length * (SAMPLE_COUNT + 1));
  });
