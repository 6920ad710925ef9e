import { createArchive, openArchive, createPageXhtml as pageWith, getShownPage } from './support/archived-book.ts';
import { expect, test, type BookDriver } from './support/fixtures.ts';

/**
 * Long lines, then short ones: the same fraction of the chapter shows other text in each layout.
 */
const lines = Array.from({ length: 400 }, (_, nth) => `<p id="p${nth}">${'Words of a line. '.repeat(nth < 60 ? 24 : 1)}</p>`);
const navigation = {
  name: 'nav.xhtml',
  properties: 'nav',
  content: `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>n</title></head><body>
    <nav epub:type="toc"><ol><li><a href="1.xhtml">One</a></li></ol></nav></body></html>`,
};

/** The ids of the visible lines, in order. */
const readVisibleLines = async (book: BookDriver): Promise<string[]> => {
  const frame = getShownPage(book);
  const frameLeft = (await (await frame.frameElement()).boundingBox())?.x ?? 0;
  const viewportWidth = book.page.viewportSize()?.width ?? 0;
  const lines = await frame.evaluate(() =>
    [...document.querySelectorAll('p')].map((line) => ({ id: line.id, boxes: [...line.getClientRects()].map(({ x }) => x) })),
  );
  return lines.flatMap(({ id, boxes }) => (boxes.some((x) => x + frameLeft > 0 && x + frameLeft < viewportWidth) ? [id] : []));
};

test('the text at a fraction of the book stays in view after a change of the layout', async ({ book, page }) => {
  await page.setViewportSize({ width: 1366, height: 768 });
  await page.goto(book.server.blobPolicyUrl);
  await openArchive(book, createArchive([{ name: '1.xhtml', content: pageWith(lines.join('')) }], [navigation]));
  await book.command({ type: 'book.goToFraction', fraction: 0.5 });
  const linesBefore = await readVisibleLines(book);
  const firstLine = linesBefore[0] ?? '';

  await page.setViewportSize({ width: 390, height: 700 });
  await expect.poll(() => readVisibleLines(book)).not.toEqual(linesBefore);
  await expect.poll(() => readVisibleLines(book)).toContain(firstLine);
  await page.setViewportSize({ width: 1366, height: 768 });
  await expect.poll(() => readVisibleLines(book)).toEqual(linesBefore);

  const setFontScale = (fontScale: number) =>
    page.evaluate((scale) => window.reader.send({ type: 'book.setLook', look: { fontScale: scale, theme: 'light' } }), fontScale);
  await setFontScale(2);
  await expect.poll(() => readVisibleLines(book)).not.toEqual(linesBefore);
  await expect.poll(() => readVisibleLines(book)).toContain(firstLine);
  await setFontScale(1);
  await expect.poll(() => readVisibleLines(book)).toEqual(linesBefore);
});
