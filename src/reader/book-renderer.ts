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
  /** Turns to a loaded page; returns false at the end of the loaded pages in that direction. */
  turn: (direction: TurnDirection) => boolean;
  /** The indexes of the visible sections. */
  getVisibleIndexes: () => number[];
  setLook: (look: ReadingLook) => void;
  focus: () => void;
  destroy: () => void;
};

type Listeners = { onLoad: (loaded: Foliate.Loaded) => void; onMove: (pages: ShownPages) => void };

/** Loads the renderers' custom elements, which can only be defined where there is a document. */
export const fetchRenderers = (): Promise<unknown> =>
  Promise.all([import('foliate-js/fixed-layout.js'), import('foliate-js/paginator.js')]);

export const openRenderer = (book: FoliateBook, isPortrait: boolean, listeners: Listeners): BookRenderer =>
  book.fixed ? openFixed(book, isPortrait, listeners) : openFlowing(book, listeners);

const setUpRenderer = (
  element: Foliate.Renderer,
  { onLoad, onMove }: Listeners,
  toShownPages: (relocation: Foliate.Relocation) => ShownPages,
) => {
  Object.assign(element.style, { width: '100%', height: '100%' });
  element.setAttribute('sandbox', getPageSandbox());
  element.addEventListener('load', (event) => onLoad((event as CustomEvent<Foliate.Loaded>).detail));
  element.addEventListener('relocate', (event) => onMove(toShownPages((event as CustomEvent<Foliate.Relocation>).detail)));
};

const focusPage = (renderer: Foliate.Renderer): void => renderer.getContents()[0]?.doc?.defaultView?.focus();

const applyTheme = (element: HTMLElement, { theme }: ReadingLook) => {
  element.style.background = bookColors[theme].paper;
  // An iframe whose color-scheme differs from its parent's gets an opaque white canvas.
  element.style.colorScheme = getColorScheme(theme);
};

const openFlowing = (book: FoliateBook, listeners: Listeners): BookRenderer => {
  const paginator = document.createElement('foliate-paginator') as Foliate.Paginator;
  let shownIndex = -1;
  let shownText: Range | null = null;
  setUpRenderer(paginator, listeners, ({ index, fraction, range }) => {
    shownIndex = index;
    shownText = range !== null && isTextRange(range) ? range : null;
    // `pages` includes two blank pages: one before the first, one after the last.
    return { index, fraction, range, atEnd: paginator.atEnd, pagesLeft: Math.max(0, paginator.pages - 2 - paginator.page) };
  });
  // Before its section has loaded, the paginator would throw, or assume a page without width.
  let isLoaded = false;
  paginator.addEventListener('load', () => {
    isLoaded = true;
  });
  const keepTextInView = () => {
    if (shownText?.startContainer.isConnected) paginator.keep(shownText);
  };
  const { render } = paginator;
  paginator.render = () => {
    if (!isLoaded) return;
    keepTextInView();
    render.call(paginator);
  };
  paginator.addEventListener('columns', (event) => {
    const { doc, column } = (event as CustomEvent<Foliate.Columns>).detail;
    fitWideContent(doc, column);
  });
  paginator.open(book);
  /**
   * Converts a progression in the item to the paginator's fraction, which is 1 at the start of the
   * last page; a progression is 1 at its end.
   */
  const toFraction = (progression: number) => {
    const count = Math.max(1, paginator.pages - 2);
    return count === 1 ? 0 : Math.min(1, Math.floor(progression * count + 1e-6) / (count - 1));
  };
  // The paginator's own next() waits 0.1 s after each turn and drops presses in that time.
  const turn = (direction: TurnDirection): boolean => {
    const step = direction === 'next' ? 1 : -1;
    const isAtEnd = step > 0 ? paginator.page >= paginator.pages - 2 : paginator.page <= 1;
    if (isAtEnd) return false;
    const velocity = paginator.getAttribute('dir') === 'rtl' ? -step : step;
    paginator.snap(velocity, velocity);
    return true;
  };
  // A selection dragged beyond the page turns the page, but never leaves the chapter.
  paginator.next = async () => void turn('next');
  paginator.prev = async () => void turn('previous');
  return {
    element: paginator,
    goTo: ({ index, anchor }) =>
      paginator.goTo({ index, anchor: typeof anchor === 'function' ? (doc) => anchor(doc, toFraction) : anchor }),
    turn,
    getVisibleIndexes: () => (shownIndex < 0 ? [] : [shownIndex]),
    focus: () => focusPage(paginator),
    setLook: (look) => {
      applyTheme(paginator, look);
      keepTextInView();
      paginator.setStyles(createBookStyles(look));
    },
    // The paginator defers work to the next frame and to the loading of fonts; that work would
    // throw after a removal.
    destroy: () => {
      const fonts = paginator.getContents().map(({ doc }) => doc?.fonts.ready);
      void Promise.all([new Promise(requestAnimationFrame), ...fonts]).then(() => paginator.destroy());
    },
  };
};

const openFixed = (book: FoliateBook, isPortrait: boolean, listeners: Listeners): BookRenderer => {
  const renderer = document.createElement('foliate-fxl') as Foliate.Renderer;
  let shownIndexes: number[] = [];
  setUpRenderer(renderer, listeners, ({ index, range }) => {
    const indexes = getShownIndexes(book, renderer, index);
    shownIndexes = indexes;
    const lastLinear = book.sections.findLastIndex(({ linear }) => linear !== 'no');
    return { index: Math.min(...indexes), fraction: 0, range, atEnd: Math.max(...indexes) >= lastLinear, pagesLeft: null };
  });
  // Two pages side by side would be tiny on a high narrow mount point.
  const isSinglePage = isPortrait && book.rendition.spread !== 'both' && book.rendition.spread !== 'portrait';
  const rendition = isSinglePage ? { ...book.rendition, spread: 'none' } : book.rendition;
  renderer.open(Object.assign(Object.create(book) as FoliateBook, { rendition }));
  return {
    element: renderer,
    goTo: ({ index }) => renderer.goTo({ index }),
    // The pages of a spread are shown at once: any other page has to be loaded.
    turn: () => false,
    getVisibleIndexes: () => shownIndexes,
    focus: () => focusPage(renderer),
    setLook: (look) => applyTheme(renderer, look),
    destroy: () => renderer.destroy(),
  };
};

/**
 * The indexes of the sections in view: the renderer names only one page of a spread, the loaded
 * documents all of them.
 */
const getShownIndexes = (book: FoliateBook, renderer: Foliate.Renderer, index: number): number[] => {
  const indexes = renderer.getContents().flatMap(({ doc }) => (doc && book.findSection(doc.URL)) ?? []);
  return indexes.length === 0 ? [index] : indexes;
};
