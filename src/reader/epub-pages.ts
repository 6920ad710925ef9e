import { noPageCount, type Locator, type PageCount, type ReadingLook } from '../../machines/model/reading/reading.ts';
import { problemOf, type Problem } from '../../machines/model/problem.ts';
import { raise, unreached } from '../client/wire/problem.ts';
import { fractionTarget, locatorOf, pageCountOf, targetOf, type Shown } from './book-locator.ts';
import { openRenderer, type BookRenderer, type Direction } from './book-renderer.ts';
import type { BookTarget } from './book-target.ts';
import { problemOfAnswer } from './fetch-media.ts';
import type { FoliateBook } from './foliate-book.ts';
import { mount } from './mount-point.ts';
import { pause, untilLost } from './reachable.ts';
import { isExpired, usingAddress, type Renewable } from './renewable.ts';

type Given = {
  book: FoliateBook;
  mountPoint: HTMLElement;
  address: Renewable<string>;
  look: ReadingLook;
  /** A page has come; the signal ends when it is taken down. */
  loaded: (loaded: Foliate.Loaded, signal: AbortSignal) => void;
  moved: (locator: Locator, pageCount: PageCount) => void;
  /** A chapter does not come, and is passed over. */
  skipped: (problem: Problem) => void;
};

/**
 * The pages of a book in its mount point. Those that are shown stay until the next ones have come.
 * A chapter that the server refuses is passed over, in the direction of reading.
 */
export type EpubPages = {
  /** Rejects with `refused no_chapter` when the server refuses all of them. */
  show: (start: Locator | null) => Promise<void>;
  goTo: (target: BookTarget) => Promise<void>;
  goToFraction: (fraction: number) => Promise<void>;
  /** False when there is nothing to read that way. */
  turn: (direction: Direction) => Promise<boolean>;
  /** Lays out anew what is shown. */
  again: () => Promise<void>;
  look: (look: ReadingLook) => Promise<void>;
  hide: () => void;
};

const TIMEOUT_MS = 20_000;

/** A renderer with the sections that it has loaded. */
type Pages = {
  renderer: BookRenderer;
  place: Locator | null;
  pageCount: PageCount;
  /** Of each section: why the server refused it, null where it did not. */
  arrivals: Map<number, Problem | null>;
  stop: AbortController;
};

const refusalsOf = ({ arrivals }: Pages) =>
  [...arrivals].flatMap(([index, problem]) => (problem === null ? [] : [{ index, problem }]));
const isRefused = (pages: Pages): boolean => pages.arrivals.size > 0 && refusalsOf(pages).length === pages.arrivals.size;

const takeDown = ({ renderer, stop }: Pages): void => {
  renderer.destroy();
  stop.abort();
};

export const epubPages = ({ book, mountPoint, address, look: firstLook, loaded, moved, skipped }: Given): EpubPages => {
  let look = firstLook;
  let shown: Pages | null = null;
  /** The pages that are loaded behind those on the screen. */
  let coming: Pages | null = null;

  const onLoaded = (pages: Pages, { doc, index }: Foliate.Loaded) => {
    const isError = doc.contentType === 'application/json';
    pages.arrivals.set(index, isError ? problemOfAnswer(doc.body.textContent) : null);
    if (isError) doc.body.replaceChildren();
    else loaded({ doc, index }, pages.stop.signal);
  };
  const onMoved = (pages: Pages, at: Shown) => {
    pages.place = locatorOf(book, at);
    pages.pageCount = pageCountOf(book, at);
    if (pages === shown && !isRefused(pages)) moved(pages.place, pages.pageCount);
  };
  const openBehind = (): Pages => {
    const renderer = openRenderer(book, isPortrait(mountPoint), {
      loaded: (section) => onLoaded(pages, section),
      moved: (at) => onMoved(pages, at),
    });
    const pages: Pages = { renderer, place: null, pageCount: noPageCount, arrivals: new Map(), stop: new AbortController() };
    Object.assign(renderer.element.style, { position: 'absolute', inset: '0', visibility: 'hidden' });
    mount(mountPoint, renderer.element, pages.stop.signal);
    renderer.look(look);
    return pages;
  };
  const bringForward = (pages: Pages) => {
    const before = shown;
    shown = pages;
    coming = null;
    pages.renderer.element.style.visibility = 'visible';
    if (before !== null) {
      if (document.activeElement === before.renderer.element) pages.renderer.focus();
      takeDown(before);
    }
    if (pages.place !== null) moved(pages.place, pages.pageCount);
  };
  const load = (target: BookTarget): Promise<Pages> =>
    usingAddress(address, async (current) => {
      const pages = openBehind();
      coming = pages;
      try {
        await withTimeout(pages.renderer.goTo(target), book.isInMemory ? null : current);
        for (const { problem } of refusalsOf(pages))
          // While the shop is busy, another chapter fares no better.
          if (isExpired(problem) || problem.kind !== 'refused' || problem.code === 'busy') raise(problem);
        return pages;
      } catch (error) {
        takeDown(pages);
        coming = null;
        throw error;
      }
    });
  const replace = async (target: BookTarget, direction: Direction): Promise<boolean> => {
    const pages = await load(target);
    const refused = refusalsOf(pages);
    for (const { problem } of refused) skipped(problem);
    if (!isRefused(pages)) {
      bringForward(pages);
      return true;
    }
    takeDown(pages);
    coming = null;
    const indexes = refused.map(({ index }) => index);
    return goOn(direction === 'next' ? Math.max(...indexes) : Math.min(...indexes), direction);
  };
  const goTo = async (target: BookTarget, direction: Direction): Promise<boolean> => {
    if (shown?.renderer.shown().includes(target.index) !== true) return replace(target, direction);
    await shown.renderer.goTo(target);
    return true;
  };
  const goOn = async (from: number, direction: Direction): Promise<boolean> => {
    const index = book.beside(from, direction);
    return index !== null && goTo({ index, anchor: edgeOf(direction) }, direction);
  };
  const again = async () => {
    const place = shown?.place ?? null;
    if (place !== null) await replace(targetOf(book, place), 'next');
  };
  /** Shows a target, else what comes after it, else what comes before. */
  const goNear = async (target: BookTarget): Promise<void> => {
    if ((await goTo(target, 'next')) || (await goOn(target.index, 'previous'))) return;
    raise({ kind: 'refused', code: 'no_chapter', message: '' });
  };
  return {
    show: (start) => goNear(targetOf(book, start)),
    goTo: goNear,
    goToFraction: (fraction) => goNear(fractionTarget(book, fraction)),
    turn: async (direction) => {
      if (shown === null) return false;
      if (shown.renderer.turn(direction)) return true;
      const sections = shown.renderer.shown();
      return goOn(direction === 'next' ? Math.max(...sections) : Math.min(...sections), direction);
    },
    again,
    look: async (next) => {
      // The renderer reads a page's own background when it loads it: ours would stay behind the page's returning colours.
      const before = look;
      look = next;
      if (next.theme !== 'light' || before.theme === 'light') return shown?.renderer.look(look);
      await again().catch((error: unknown) => {
        look = before;
        throw error;
      });
    },
    hide: () => {
      for (const pages of [shown, coming]) if (pages !== null) takeDown(pages);
      shown = null;
      coming = null;
    },
  };
};

/** Where a chapter is begun: at its beginning, or at its end by those who turn back. */
const edgeOf = (direction: Direction): number => (direction === 'next' ? 0 : 1);

export const isPortrait = ({ clientWidth, clientHeight }: HTMLElement): boolean => clientHeight > clientWidth;

/**
 * A page that could not be fetched leaves the renderer waiting for ever; `address` is of a file
 * beside it, null where no server is asked.
 */
const withTimeout = async <Value>(work: Promise<Value>, address: string | null): Promise<Value> => {
  const over = new AbortController();
  const late = pause(TIMEOUT_MS, over.signal).then(() => 'timeout' as const);
  const lost = address === null ? [] : [untilLost(address, over.signal).then(() => 'offline' as const)];
  const came = work.then(
    (value) => ({ value }),
    (error: unknown) => (problemOf(error).kind === 'offline' ? 'offline' : raise(problemOf(error))),
  );
  const done = await Promise.race([came, late, ...lost]).finally(() => over.abort());
  if (typeof done === 'object') return done.value;
  return raise(done === 'timeout' && (address === null || navigator.onLine) ? { kind: 'timeout' } : unreached());
};
