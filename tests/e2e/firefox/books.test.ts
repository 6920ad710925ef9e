import type { FirefoxPage } from './support/firefox-page.ts';
import { expect, story } from './support/story.ts';

const titles = { epub: '1001', pdf: '1016' };

const bar = '[data-flow="book"] [data-event="fraction.chosen"]';
const nextPage = '[data-flow="book"] [data-event="turn.pressed"][data-value="next"]';
const reading = { reading: { page: 'open', panel: 'closed', enlarging: 'none', controls: 'shown', look: 'kept' } };

/** Turns a page, and waits until the bar says so. @returns the place in the whole book, 0 to 1 */
async function turn(view: FirefoxPage, press: () => Promise<void>): Promise<number> {
  const before = await view.slider(bar);
  await press();
  await expect.poll(() => view.slider(bar), { message: 'the place after a turn' }).toBeGreaterThan(before);
  return view.slider(bar);
}

/** The file of the chapter that is shown, in an iframe of its own. */
const chapter = (view: FirefoxPage): string | undefined =>
  view.page
    .frames()
    .flatMap((frame) => /\/OEBPS\/(.+)$/.exec(frame.url())?.[1] ?? [])
    .at(-1);

story(
  'pages of a book turn by button and by key, on into the next chapter, and a reload keeps the place',
  async ({ view, customer }) => {
    await view.openBought(customer, titles.epub);
    await view.isIn('book', reading);
    await turn(view, () => view.click(nextPage));
    const chapters = new Set([chapter(view)]);
    while (chapters.size < 3) {
      await turn(view, () => view.page.keyboard.press(chapters.size === 1 ? 'ArrowRight' : 'PageDown'));
      chapters.add(chapter(view));
    }
    const left = await turn(view, () => view.click(nextPage));
    const leftChapter = chapter(view);

    await view.page.reload();
    await view.isIn('book', reading);
    await expect.poll(() => view.slider(bar)).toBeCloseTo(left, 2);
    expect(chapter(view)).toBe(leftChapter);
  },
);

story('pages of a PDF turn by button and by key, with their text, and a reload keeps the place', async ({ view, customer }) => {
  await view.openBought(customer, titles.pdf);
  await view.isIn('book', reading);
  await turn(view, () => view.click(nextPage));
  await turn(view, () => view.page.keyboard.press('ArrowRight'));
  await turn(view, () => view.page.keyboard.press('PageDown'));
  const text = () => view.text('[data-flow="book"] .page[data-page-number="4"] .textLayer');
  await expect.poll(text).toContain('A cloud is a place where the air has changed its mind');
  const isDrawn = () => view.page.$eval('.page[data-page-number="4"] canvas', isPainted);
  await expect.poll(isDrawn, { message: 'the page is drawn' }).toBe(true);

  await view.page.reload();
  await expect.poll(text).toContain('A cloud is a place where the air has changed its mind');
});

/** Whether something dark is drawn on a light page. Runs in the page. */
function isPainted(element: Element): boolean {
  const canvas = element as HTMLCanvasElement;
  const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
  const reds = [...data].filter((_, at) => at % 4 === 0);
  return reds.some((red) => red < 100) && reds.some((red) => red > 200);
}
