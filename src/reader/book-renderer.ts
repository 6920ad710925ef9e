import type { ReadingLook } from '../../machines/model/reading/reading.ts';
import { bookColors, bookStyles, colorSchemeOf } from './book-styles.ts';
import type { Shown } from './book-locator.ts';
import type { BookTarget } from './book-target.ts';
import { pageSandbox } from './sandbox.ts';
import { fitWideContent } from './wide-content.ts';
import type { FoliateBook } from './foliate-book.ts';
import { marksText } from './marks-text.ts';

export type Direction = 'next' | 'previous';

/** One way of laying pages out, flowing or fixed, behind the same few calls. */
export type BookRenderer = {
  element: HTMLElement;
  goTo: (target: BookTarget) => Promise<void>;
  /** Turns to a page that is loaded; false when no such page lies that way. */
  turn: (direction: Direction) => boolean;
  /** The sections that are shown. */
  shown: () => number[];
  look: (look: ReadingLook) => void;
  focus: () => void;
  destroy: () => void;
};

type Listeners = { loaded: (loaded: Foliate.Loaded) => void; moved: (shown: Shown) => void };

/** Fetches the elements that renderers are made of; they can only be defined where there is a document. */
export const fetchRenderers = (): Promise<unknown> =>
  Promise.all([import('foliate-js/fixed-layout.js'), import('foliate-js/paginator.js')]);

export const openRenderer = (book: FoliateBook, portrait: boolean, listeners: Listeners): BookRenderer =>
  book.fixed ? openFixed(book, portrait, listeners) : openFlowing(book, listeners);

const listen = (element: Foliate.Renderer, { loaded, moved }: Listeners, shown: (at: Foliate.Relocation) => Shown) => {
  Object.assign(element.style, { width: '100%', height: '100%' });
  element.setAttribute('sandbox', pageSandbox());
  element.addEventListener('load', (event) => loaded((event as CustomEvent<Foliate.Loaded>).detail));
  element.addEventListener('relocate', (event) => moved(shown((event as CustomEvent<Foliate.Relocation>).detail)));
};

const focusPage = (pages: Foliate.Renderer): void => pages.getContents()[0]?.doc?.defaultView?.focus();

const paint = (element: HTMLElement, { theme }: ReadingLook) => {
  element.style.background = bookColors[theme].paper;
  // An iframe whose scheme differs from its surroundings gets an opaque white canvas.
  element.style.colorScheme = colorSchemeOf(theme);
};

const openFlowing = (book: FoliateBook, listeners: Listeners): BookRenderer => {
  const pages = document.createElement('foliate-paginator') as Foliate.Paginator;
  let at = -1;
  let text: Range | null = null;
  listen(pages, listeners, ({ index, fraction, range }) => {
    at = index;
    text = range !== null && marksText(range) ? range : null;
    // Two of its pages are blank: one before the first, one behind the last.
    return { index, fraction, range, atEnd: pages.atEnd, pagesLeft: Math.max(0, pages.pages - 2 - pages.page) };
  });
  // Before its page has come, the renderer would trip, or take it for a page without width.
  let isLoaded = false;
  pages.addEventListener('load', () => {
    isLoaded = true;
  });
  const keepText = () => {
    if (text?.startContainer.isConnected) pages.keep(text);
  };
  const { render } = pages;
  pages.render = () => {
    if (!isLoaded) return;
    keepText();
    render.call(pages);
  };
  pages.addEventListener('columns', (event) => {
    const { doc, column } = (event as CustomEvent<Foliate.Columns>).detail;
    fitWideContent(doc, column);
  });
  pages.open(book);
  /** For a share of the item: the renderer counts to where the last page begins, we to its end. */
  const fractionOf = (progression: number) => {
    const count = Math.max(1, pages.pages - 2);
    return count === 1 ? 0 : Math.min(1, Math.floor(progression * count + 1e-6) / (count - 1));
  };
  // The renderer's own next() waits 0.1 s after each turn and drops presses in that time.
  const turn = (direction: Direction): boolean => {
    const step = direction === 'next' ? 1 : -1;
    const atEdge = step > 0 ? pages.page >= pages.pages - 2 : pages.page <= 1;
    if (atEdge) return false;
    const velocity = pages.getAttribute('dir') === 'rtl' ? -step : step;
    pages.snap(velocity, velocity);
    return true;
  };
  // A selection that is drawn beyond the page turns it, but never takes away the chapter.
  pages.next = async () => void turn('next');
  pages.prev = async () => void turn('previous');
  return {
    element: pages,
    goTo: ({ index, anchor }) =>
      pages.goTo({ index, anchor: typeof anchor === 'function' ? (doc) => anchor(doc, fractionOf) : anchor }),
    turn,
    shown: () => (at < 0 ? [] : [at]),
    focus: () => focusPage(pages),
    look: (look) => {
      paint(pages, look);
      keepText();
      pages.setStyles(bookStyles(look));
    },
    // It puts work off to the next frame and until the fonts are there, which throws afterwards.
    destroy: () => {
      const fonts = pages.getContents().map(({ doc }) => doc?.fonts.ready);
      void Promise.all([new Promise(requestAnimationFrame), ...fonts]).then(() => pages.destroy());
    },
  };
};

const openFixed = (book: FoliateBook, portrait: boolean, listeners: Listeners): BookRenderer => {
  const pages = document.createElement('foliate-fxl') as Foliate.Renderer;
  let at: number[] = [];
  listen(pages, listeners, ({ index, range }) => {
    const shown = shownSections(book, pages, index);
    at = shown;
    const last = book.sections.findLastIndex(({ linear }) => linear !== 'no');
    return { index: Math.min(...shown), fraction: 0, range, atEnd: Math.max(...shown) >= last, pagesLeft: null };
  });
  // Two pages side by side would be tiny on a high narrow mount point.
  const single = portrait && book.rendition.spread !== 'both' && book.rendition.spread !== 'portrait';
  const rendition = single ? { ...book.rendition, spread: 'none' } : book.rendition;
  pages.open(Object.assign(Object.create(book) as FoliateBook, { rendition }));
  return {
    element: pages,
    goTo: ({ index }) => pages.goTo({ index }),
    // The pages of a spread are shown at once: another one is loaded.
    turn: () => false,
    shown: () => at,
    focus: () => focusPage(pages),
    look: (look) => paint(pages, look),
    destroy: () => pages.destroy(),
  };
};

/** The renderer names one page of a spread only; the documents tell which are in view. */
const shownSections = (book: FoliateBook, pages: Foliate.Renderer, index: number): number[] => {
  const shown = pages.getContents().flatMap(({ doc }) => (doc && book.sectionAt(doc.URL)) ?? []);
  return shown.length === 0 ? [index] : shown;
};
