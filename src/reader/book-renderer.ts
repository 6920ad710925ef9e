import type { ReadingLook } from '../../machines/model/reading/reading.ts';
import { bookColors, createBookStyles, getColorScheme } from './book-styles.ts';
import type { ShownPages } from './book-locator.ts';
import type { BookTarget } from './book-target.ts';
import { getPageSandbox } from './sandbox.ts';
import { fitWideContent } from './wide-content.ts';
import type { FoliateBook } from './foliate-book.ts';
import { isTextRange } from './marks-text.ts';

export type TurnDirection = 'next' | 'previous';

/** A common interface for the reflowable and the fixed-layout renderer. */
export type BookRenderer = {
  element: HTMLElement;
  goTo: (target: BookTarget) => Promise<void>;
  /** Turns to a page that is loaded; false at the end in that direction. */
  turn: (direction: TurnDirection) => boolean;
  /** The visible sections. */
  getShown: () => number[];
  look: (look: ReadingLook) => void;
  focus: () => void;
  destroy: () => void;
};

type Listeners = { loaded: (loaded: Foliate.Loaded) => void; moved: (shown: ShownPages) => void };

/** Loads the renderers' custom elements, which can only be defined where there is a document. */
export const fetchRenderers = (): Promise<unknown> =>
  Promise.all([import('foliate-js/fixed-layout.js'), import('foliate-js/paginator.js')]);

export const openRenderer = (book: FoliateBook, portrait: boolean, listeners: Listeners): BookRenderer =>
  book.fixed ? openFixed(book, portrait, listeners) : openFlowing(book, listeners);

const listen = (element: Foliate.Renderer, { loaded, moved }: Listeners, shown: (at: Foliate.Relocation) => ShownPages) => {
  Object.assign(element.style, { width: '100%', height: '100%' });
  element.setAttribute('sandbox', getPageSandbox());
  element.addEventListener('load', (event) => loaded((event as CustomEvent<Foliate.Loaded>).detail));
  element.addEventListener('relocate', (event) => moved(shown((event as CustomEvent<Foliate.Relocation>).detail)));
};

const focusPage = (pages: Foliate.Renderer): void => pages.getContents()[0]?.doc?.defaultView?.focus();

const applyTheme = (element: HTMLElement, { theme }: ReadingLook) => {
  element.style.background = bookColors[theme].paper;
  // An iframe whose color-scheme differs from its parent's gets an opaque white canvas.
  element.style.colorScheme = getColorScheme(theme);
};

const openFlowing = (book: FoliateBook, listeners: Listeners): BookRenderer => {
  const pages = document.createElement('foliate-paginator') as Foliate.Paginator;
  let at = -1;
  let text: Range | null = null;
  listen(pages, listeners, ({ index, fraction, range }) => {
    at = index;
    text = range !== null && isTextRange(range) ? range : null;
    // Two of its pages are blank: one before the first, one after the last.
    return { index, fraction, range, atEnd: pages.atEnd, pagesLeft: Math.max(0, pages.pages - 2 - pages.page) };
  });
  // Before its page has loaded, the renderer would throw, or assume a page without width.
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
  /**
   * The renderer's fraction for a share of the item: the renderer counts to the start of the last
   * page, we to its end.
   */
  const fractionOf = (progression: number) => {
    const count = Math.max(1, pages.pages - 2);
    return count === 1 ? 0 : Math.min(1, Math.floor(progression * count + 1e-6) / (count - 1));
  };
  // The renderer's own next() waits 0.1 s after each turn and drops presses in that time.
  const turn = (direction: TurnDirection): boolean => {
    const step = direction === 'next' ? 1 : -1;
    const atEdge = step > 0 ? pages.page >= pages.pages - 2 : pages.page <= 1;
    if (atEdge) return false;
    const velocity = pages.getAttribute('dir') === 'rtl' ? -step : step;
    pages.snap(velocity, velocity);
    return true;
  };
  // A selection dragged beyond the page turns the page, but never leaves the chapter.
  pages.next = async () => void turn('next');
  pages.prev = async () => void turn('previous');
  return {
    element: pages,
    goTo: ({ index, anchor }) =>
      pages.goTo({ index, anchor: typeof anchor === 'function' ? (doc) => anchor(doc, fractionOf) : anchor }),
    turn,
    getShown: () => (at < 0 ? [] : [at]),
    focus: () => focusPage(pages),
    look: (look) => {
      applyTheme(pages, look);
      keepText();
      pages.setStyles(createBookStyles(look));
    },
    // It defers work to the next frame and to the loading of fonts, which throws after its removal.
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
    const shown = getShownSections(book, pages, index);
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
    // The pages of a spread are shown at once: any other page has to be loaded.
    turn: () => false,
    getShown: () => at,
    focus: () => focusPage(pages),
    look: (look) => applyTheme(pages, look),
    destroy: () => pages.destroy(),
  };
};

/** The renderer names only one page of a spread; the documents show which are in view. */
const getShownSections = (book: FoliateBook, pages: Foliate.Renderer, index: number): number[] => {
  const shown = pages.getContents().flatMap(({ doc }) => (doc && book.sectionAt(doc.URL)) ?? []);
  return shown.length === 0 ? [index] : shown;
};
