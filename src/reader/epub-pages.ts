import { noPageCount, type Locator, type PageCount, type ReadingLook } from '../../machines/model/reading/reading.ts';
import { toProblem, type Problem } from '../../machines/model/problem.ts';
import { throwProblem, offlineProblem } from '../client/wire/problem.ts';
import { toFractionTarget, toLocator, getPageCount, toTarget, type ShownPages } from './book-locator.ts';
import { openRenderer, type BookRenderer, type TurnDirection } from './book-renderer.ts';
import type { BookTarget } from './book-target.ts';
import { toMediaProblem } from './fetch-media.ts';
import type { FoliateBook } from './foliate-book.ts';
import { mount } from './mount-point.ts';
import { delay, untilUnreachable } from './until-unreachable.ts';
import { isExpired, withRenewedAddress, type Renewable } from './renewable.ts';

type EpubPagesOptions = {
  book: FoliateBook;
  mountPoint: HTMLElement;
  address: Renewable<string>;
  look: ReadingLook;
  /** Called when a page has loaded; the signal aborts when the page is removed. */
  onPageLoad: (loaded: Foliate.Loaded, signal: AbortSignal) => void;
  onMove: (locator: Locator, pageCount: PageCount) => void;
  /** Called when a chapter cannot be loaded and is skipped. */
  onSkip: (problem: Problem) => void;
};

/**
 * The pages of a book in its mount point. The shown pages stay until the next ones have loaded. A
 * chapter that the server refuses is skipped, in the direction of reading.
 */
export type EpubPages = {
  /** Opens the pages at a place; rejects with `refused no_chapter` if all chapters are refused. */
  show: (start: Locator | null) => Promise<void>;
  goTo: (target: BookTarget) => Promise<void>;
  goToFraction: (fraction: number) => Promise<void>;
  /** Turns a page; resolves with false at the book's end or beginning. */
  turn: (direction: TurnDirection) => Promise<boolean>;
  /** Repeats the layout of the shown pages. */
  repeatLayout: () => Promise<void>;
  setLook: (look: ReadingLook) => Promise<void>;
  hide: () => void;
};

const PAGE_TIMEOUT_MS = 20_000;

/** A renderer with its loaded sections. */
type LoadedPages = {
  renderer: BookRenderer;
  place: Locator | null;
  pageCount: PageCount;
  /** For each section that has loaded: why the server refused it, or null. */
  loadResults: Map<number, Problem | null>;
  stop: AbortController;
};

const getRefusals = ({ loadResults }: LoadedPages) =>
  [...loadResults].flatMap(([index, problem]) => (problem === null ? [] : [{ index, problem }]));
const isRefused = (pages: LoadedPages): boolean =>
  pages.loadResults.size > 0 && getRefusals(pages).length === pages.loadResults.size;

const destroyPages = ({ renderer, stop }: LoadedPages): void => {
  renderer.destroy();
  stop.abort();
};

export const createEpubPages = ({
  book,
  mountPoint,
  address,
  look: firstLook,
  onPageLoad,
  onMove,
  onSkip,
}: EpubPagesOptions): EpubPages => {
  let look = firstLook;
  let visiblePages: LoadedPages | null = null;
  /** The pages that are loading, hidden, while the visible ones stay. */
  let loadingPages: LoadedPages | null = null;

  const handleLoad = (pages: LoadedPages, { doc, index }: Foliate.Loaded) => {
    const isError = doc.contentType === 'application/json';
    pages.loadResults.set(index, isError ? toMediaProblem(doc.body.textContent) : null);
    if (isError) doc.body.replaceChildren();
    else onPageLoad({ doc, index }, pages.stop.signal);
  };
  const handleMove = (pages: LoadedPages, shownPages: ShownPages) => {
    pages.place = toLocator(book, shownPages);
    pages.pageCount = getPageCount(book, shownPages);
    if (pages === visiblePages && !isRefused(pages)) onMove(pages.place, pages.pageCount);
  };
  const openHidden = (): LoadedPages => {
    const renderer = openRenderer(book, isPortrait(mountPoint), {
      onLoad: (section) => handleLoad(pages, section),
      onMove: (shownPages) => handleMove(pages, shownPages),
    });
    const pages: LoadedPages = {
      renderer,
      place: null,
      pageCount: noPageCount,
      loadResults: new Map(),
      stop: new AbortController(),
    };
    Object.assign(renderer.element.style, { position: 'absolute', inset: '0', visibility: 'hidden' });
    mount(mountPoint, renderer.element, pages.stop.signal);
    renderer.setLook(look);
    return pages;
  };
  const showLoaded = (pages: LoadedPages) => {
    const previousPages = visiblePages;
    visiblePages = pages;
    loadingPages = null;
    pages.renderer.element.style.visibility = 'visible';
    if (previousPages !== null) {
      if (document.activeElement === previousPages.renderer.element) pages.renderer.focus();
      destroyPages(previousPages);
    }
    if (pages.place !== null) onMove(pages.place, pages.pageCount);
  };
  const load = (target: BookTarget): Promise<LoadedPages> =>
    withRenewedAddress(address, async (current) => {
      const pages = openHidden();
      loadingPages = pages;
      try {
        await withTimeout(pages.renderer.goTo(target), book.isInMemory ? null : current);
        for (const { problem } of getRefusals(pages))
          // While the server is busy, another chapter would fail as well.
          if (isExpired(problem) || problem.kind !== 'refused' || problem.code === 'busy') throwProblem(problem);
        return pages;
      } catch (error) {
        destroyPages(pages);
        loadingPages = null;
        throw error;
      }
    });
  const replace = async (target: BookTarget, direction: TurnDirection): Promise<boolean> => {
    const pages = await load(target);
    const refusedSections = getRefusals(pages);
    for (const { problem } of refusedSections) onSkip(problem);
    if (!isRefused(pages)) {
      showLoaded(pages);
      return true;
    }
    destroyPages(pages);
    loadingPages = null;
    const indexes = refusedSections.map(({ index }) => index);
    return goToNeighbour(direction === 'next' ? Math.max(...indexes) : Math.min(...indexes), direction);
  };
  const goTo = async (target: BookTarget, direction: TurnDirection): Promise<boolean> => {
    if (visiblePages?.renderer.getVisibleIndexes().includes(target.index) !== true) return replace(target, direction);
    await visiblePages.renderer.goTo(target);
    return true;
  };
  const goToNeighbour = async (from: number, direction: TurnDirection): Promise<boolean> => {
    const index = book.getNeighbour(from, direction);
    return index !== null && goTo({ index, anchor: getEntryPoint(direction) }, direction);
  };
  const repeatLayout = async () => {
    const place = visiblePages?.place ?? null;
    if (place !== null) await replace(toTarget(book, place), 'next');
  };
  /** Shows a target, else the first readable section after it, else the last one before it. */
  const goToReadable = async (target: BookTarget): Promise<void> => {
    if ((await goTo(target, 'next')) || (await goToNeighbour(target.index, 'previous'))) return;
    throwProblem({ kind: 'refused', code: 'no_chapter', message: '' });
  };
  return {
    show: (start) => goToReadable(toTarget(book, start)),
    goTo: goToReadable,
    goToFraction: (fraction) => goToReadable(toFractionTarget(book, fraction)),
    turn: async (direction) => {
      if (visiblePages === null) return false;
      if (visiblePages.renderer.turn(direction)) return true;
      const sections = visiblePages.renderer.getVisibleIndexes();
      return goToNeighbour(direction === 'next' ? Math.max(...sections) : Math.min(...sections), direction);
    },
    repeatLayout,
    setLook: async (next) => {
      // The renderer reads a page's own background when the page loads: with our style in place,
      // that background would survive a return to the page's own colours.
      const previousLook = look;
      look = next;
      if (next.theme !== 'light' || previousLook.theme === 'light') return visiblePages?.renderer.setLook(look);
      await repeatLayout().catch((error: unknown) => {
        look = previousLook;
        throw error;
      });
    },
    hide: () => {
      for (const pages of [visiblePages, loadingPages]) if (pages !== null) destroyPages(pages);
      visiblePages = null;
      loadingPages = null;
    },
  };
};

/** The fraction to open a chapter at: its beginning, or its end after a turn back. */
const getEntryPoint = (direction: TurnDirection): number => (direction === 'next' ? 0 : 1);

export const isPortrait = ({ clientWidth, clientHeight }: HTMLElement): boolean => clientHeight > clientWidth;

/**
 * Resolves with the result of `work`; rejects with a Problem if it fails, takes too long or loses
 * the server: a page that cannot be loaded would block the renderer for ever.
 * @param address a URL on the server of the page; null for a page from memory
 */
const withTimeout = async <Value>(work: Promise<Value>, address: string | null): Promise<Value> => {
  const disposal = new AbortController();
  const timeout = delay(PAGE_TIMEOUT_MS, disposal.signal).then(() => 'timeout' as const);
  const offline = address === null ? [] : [untilUnreachable(address, disposal.signal).then(() => 'offline' as const)];
  const outcome = work.then(
    (value) => ({ value }),
    (error: unknown) => (toProblem(error).kind === 'offline' ? 'offline' : throwProblem(toProblem(error))),
  );
  const result = await Promise.race([outcome, timeout, ...offline]).finally(() => disposal.abort());
  if (typeof result === 'object') return result.value;
  return throwProblem(result === 'timeout' && (address === null || navigator.onLine) ? { kind: 'timeout' } : offlineProblem());
};
