import { noPageCount, type Locator, type PageCount, type ReadingLook } from '../../machines/model/reading/reading.ts';
import { toProblem, type Problem } from '../../machines/model/problem.ts';
import { throwProblem, offlineProblem } from '../client/wire/problem.ts';
import { toFractionTarget, toLocator, getPageCount, toTarget, type ShownPages } from './book-locator.ts';
import { openRenderer, type BookRenderer, type TurnDirection } from './book-renderer.ts';
import type { BookTarget } from './book-target.ts';
import { toMediaProblem } from './fetch-media.ts';
import type { FoliateBook } from './foliate-book.ts';
import { mount } from './mount-point.ts';
import { delay, untilUnreachable } from './reachable.ts';
import { isExpired, withRenewedAddress, type Renewable } from './renewable.ts';

type EpubPagesOptions = {
  book: FoliateBook;
  mountPoint: HTMLElement;
  address: Renewable<string>;
  look: ReadingLook;
  /** Called when a page has loaded; the signal aborts when the page is removed. */
  loaded: (loaded: Foliate.Loaded, signal: AbortSignal) => void;
  moved: (locator: Locator, pageCount: PageCount) => void;
  /** Called when a chapter cannot be loaded and is skipped. */
  skipped: (problem: Problem) => void;
};

/**
 * The pages of a book in its mount point. The shown pages stay until the next ones have loaded. A
 * chapter that the server refuses is skipped, in the direction of reading.
 */
export type EpubPages = {
  /** Rejects with `refused no_chapter` when the server refuses all of them. */
  show: (start: Locator | null) => Promise<void>;
  goTo: (target: BookTarget) => Promise<void>;
  goToFraction: (fraction: number) => Promise<void>;
  /** False at the book's end or beginning. */
  turn: (direction: TurnDirection) => Promise<boolean>;
  /** Repeats the layout of the shown pages. */
  again: () => Promise<void>;
  look: (look: ReadingLook) => Promise<void>;
  hide: () => void;
};

const PAGE_TIMEOUT_MS = 20_000;

/** A renderer with its loaded sections. */
type LoadedPages = {
  renderer: BookRenderer;
  place: Locator | null;
  pageCount: PageCount;
  /** For each section: why the server refused it, null where it did not. */
  arrivals: Map<number, Problem | null>;
  stop: AbortController;
};

const getRefusals = ({ arrivals }: LoadedPages) =>
  [...arrivals].flatMap(([index, problem]) => (problem === null ? [] : [{ index, problem }]));
const isRefused = (pages: LoadedPages): boolean => pages.arrivals.size > 0 && getRefusals(pages).length === pages.arrivals.size;

const destroyPages = ({ renderer, stop }: LoadedPages): void => {
  renderer.destroy();
  stop.abort();
};

export const createEpubPages = ({
  book,
  mountPoint,
  address,
  look: firstLook,
  loaded,
  moved,
  skipped,
}: EpubPagesOptions): EpubPages => {
  let look = firstLook;
  let shown: LoadedPages | null = null;
  /** The pages that are loading behind those on the screen. */
  let coming: LoadedPages | null = null;

  const onLoaded = (pages: LoadedPages, { doc, index }: Foliate.Loaded) => {
    const isError = doc.contentType === 'application/json';
    pages.arrivals.set(index, isError ? toMediaProblem(doc.body.textContent) : null);
    if (isError) doc.body.replaceChildren();
    else loaded({ doc, index }, pages.stop.signal);
  };
  const onMoved = (pages: LoadedPages, at: ShownPages) => {
    pages.place = toLocator(book, at);
    pages.pageCount = getPageCount(book, at);
    if (pages === shown && !isRefused(pages)) moved(pages.place, pages.pageCount);
  };
  const openBehind = (): LoadedPages => {
    const renderer = openRenderer(book, isPortrait(mountPoint), {
      loaded: (section) => onLoaded(pages, section),
      moved: (at) => onMoved(pages, at),
    });
    const pages: LoadedPages = {
      renderer,
      place: null,
      pageCount: noPageCount,
      arrivals: new Map(),
      stop: new AbortController(),
    };
    Object.assign(renderer.element.style, { position: 'absolute', inset: '0', visibility: 'hidden' });
    mount(mountPoint, renderer.element, pages.stop.signal);
    renderer.look(look);
    return pages;
  };
  const bringForward = (pages: LoadedPages) => {
    const before = shown;
    shown = pages;
    coming = null;
    pages.renderer.element.style.visibility = 'visible';
    if (before !== null) {
      if (document.activeElement === before.renderer.element) pages.renderer.focus();
      destroyPages(before);
    }
    if (pages.place !== null) moved(pages.place, pages.pageCount);
  };
  const load = (target: BookTarget): Promise<LoadedPages> =>
    withRenewedAddress(address, async (current) => {
      const pages = openBehind();
      coming = pages;
      try {
        await withTimeout(pages.renderer.goTo(target), book.isInMemory ? null : current);
        for (const { problem } of getRefusals(pages))
          // While the server is busy, another chapter would fail as well.
          if (isExpired(problem) || problem.kind !== 'refused' || problem.code === 'busy') throwProblem(problem);
        return pages;
      } catch (error) {
        destroyPages(pages);
        coming = null;
        throw error;
      }
    });
  const replace = async (target: BookTarget, direction: TurnDirection): Promise<boolean> => {
    const pages = await load(target);
    const refused = getRefusals(pages);
    for (const { problem } of refused) skipped(problem);
    if (!isRefused(pages)) {
      bringForward(pages);
      return true;
    }
    destroyPages(pages);
    coming = null;
    const indexes = refused.map(({ index }) => index);
    return goOn(direction === 'next' ? Math.max(...indexes) : Math.min(...indexes), direction);
  };
  const goTo = async (target: BookTarget, direction: TurnDirection): Promise<boolean> => {
    if (shown?.renderer.getShown().includes(target.index) !== true) return replace(target, direction);
    await shown.renderer.goTo(target);
    return true;
  };
  const goOn = async (from: number, direction: TurnDirection): Promise<boolean> => {
    const index = book.getNeighbour(from, direction);
    return index !== null && goTo({ index, anchor: getEntryPoint(direction) }, direction);
  };
  const again = async () => {
    const place = shown?.place ?? null;
    if (place !== null) await replace(toTarget(book, place), 'next');
  };
  /** Shows a target, else the next readable section after it, else one before it. */
  const goNear = async (target: BookTarget): Promise<void> => {
    if ((await goTo(target, 'next')) || (await goOn(target.index, 'previous'))) return;
    throwProblem({ kind: 'refused', code: 'no_chapter', message: '' });
  };
  return {
    show: (start) => goNear(toTarget(book, start)),
    goTo: goNear,
    goToFraction: (fraction) => goNear(toFractionTarget(book, fraction)),
    turn: async (direction) => {
      if (shown === null) return false;
      if (shown.renderer.turn(direction)) return true;
      const sections = shown.renderer.getShown();
      return goOn(direction === 'next' ? Math.max(...sections) : Math.min(...sections), direction);
    },
    again,
    look: async (next) => {
      // The renderer reads a page's own background when the page loads: with our style in place,
      // that background would survive a return to the page's own colours.
      const before = look;
      look = next;
      if (next.theme !== 'light' || before.theme === 'light') return shown?.renderer.look(look);
      await again().catch((error: unknown) => {
        look = before;
        throw error;
      });
    },
    hide: () => {
      for (const pages of [shown, coming]) if (pages !== null) destroyPages(pages);
      shown = null;
      coming = null;
    },
  };
};

/** Where a chapter is opened: at its beginning, or when turning back at its end. */
const getEntryPoint = (direction: TurnDirection): number => (direction === 'next' ? 0 : 1);

export const isPortrait = ({ clientWidth, clientHeight }: HTMLElement): boolean => clientHeight > clientWidth;

/**
 * A page that cannot be loaded would block the renderer for ever; `address` is a file beside it,
 * null where no server is involved.
 */
const withTimeout = async <Value>(work: Promise<Value>, address: string | null): Promise<Value> => {
  const over = new AbortController();
  const late = delay(PAGE_TIMEOUT_MS, over.signal).then(() => 'timeout' as const);
  const lost = address === null ? [] : [untilUnreachable(address, over.signal).then(() => 'offline' as const)];
  const came = work.then(
    (value) => ({ value }),
    (error: unknown) => (toProblem(error).kind === 'offline' ? 'offline' : throwProblem(toProblem(error))),
  );
  const done = await Promise.race([came, late, ...lost]).finally(() => over.abort());
  if (typeof done === 'object') return done.value;
  return throwProblem(done === 'timeout' && (address === null || navigator.onLine) ? { kind: 'timeout' } : offlineProblem());
};
