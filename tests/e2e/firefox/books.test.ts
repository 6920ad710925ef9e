import type { FirefoxPage } from './support/firefox-page.ts';
import { expect, testInFirefox } from './support/story.ts';

const titles = { epub: '1001', pdf: '1016' };

const progressBar = '[data-flow="book"] [data-event="fraction.chosen"]';
const nextPage = '[data-flow="book"] [data-event="turn.pressed"][data-value="next"]';
const readingState = { reading: { page: 'open', panel: 'closed', enlarging: 'none', controls: 'shown', look: 'kept' } };

/** Turns a page, and waits until the bar moves. @returns the position in the whole book, 0 to 1 */
async function turnAndMeasure(view: FirefoxPage, press: () => Promise<void>): Promise<number> {
  const positionBefore = await view.readSlider(progressBar);
  await press();
  await expect.poll(() => view.readSlider(progressBar), { message: 'the position after a turn' }).toBeGreaterThan(positionBefore);
  return view.readSlider(progressBar);
}

/** Returns the file of the visible chapter, which has its own iframe; undefined before it loads. */
const readChapter = (view: FirefoxPage): string | undefined =>
  view.page
    .frames()
    .flatMap((frame) => /\/OEBPS\/(.+)$/.exec(frame.url())?.[1] ?? [])
    .at(-1);

testInFirefox(
  'a book’s pages turn by button and by key, also into the next chapter, and a reload keeps the position',
  async ({ view, customer }) => {
    await view.buyAndOpen(customer, titles.epub);
    await view.waitForState('book', readingState);
    await turnAndMeasure(view, () => view.click(nextPage));
    const chapters = new Set([readChapter(view)]);
    while (chapters.size < 3) {
      await turnAndMeasure(view, () => view.page.keyboard.press(chapters.size === 1 ? 'ArrowRight' : 'PageDown'));
      chapters.add(readChapter(view));
    }
    const lastPosition = await turnAndMeasure(view, () => view.click(nextPage));
    const lastChapter = readChapter(view);

    await view.page.reload();
    await view.waitForState('book', readingState);
    await expect.poll(() => view.readSlider(progressBar)).toBeCloseTo(lastPosition, 2);
    expect(readChapter(view)).toBe(lastChapter);
  },
);

testInFirefox(
  'a PDF’s pages turn by button and by key, with their text, and a reload keeps the position',
  async ({ view, customer }) => {
    await view.buyAndOpen(customer, titles.pdf);
    await view.waitForState('book', readingState);
    await turnAndMeasure(view, () => view.click(nextPage));
    await turnAndMeasure(view, () => view.page.keyboard.press('ArrowRight'));
    await turnAndMeasure(view, () => view.page.keyboard.press('PageDown'));
    const readPageText = () => view.readText('[data-flow="book"] .page[data-page-number="4"] .textLayer');
    await expect.poll(readPageText).toContain('A cloud is a place where the air has changed its mind');
    const isPageDrawn = () => view.page.$eval('.page[data-page-number="4"] canvas', isCanvasPainted);
    await expect.poll(isPageDrawn, { message: 'the page is drawn' }).toBe(true);

    await view.page.reload();
    await expect.poll(readPageText).toContain('A cloud is a place where the air has changed its mind');
  },
);

/** Whether dark pixels are drawn on a light page. Runs in the page. */
function isCanvasPainted(element: Element): boolean {
  const canvas = element as HTMLCanvasElement;
  const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
  const reds = [...data].filter((_, index) => index % 4 === 0);
  return reds.some((red) => red < 100) && reds.some((red) => red > 200);
}
