import type { Locator, ReadingLook } from '../../machines/model/reading.ts';
import type { Problem } from '../../machines/model/problem.ts';
import { raise } from '../client/problem.ts';
import { fractionTarget, locatorOf, targetOf } from './book-locator.ts';
import { openRenderer, type BookRenderer, type Direction } from './book-renderer.ts';
import { problemOfAnswer } from './fetch-media.ts';
import type { FoliateBook } from './foliate-book.ts';
import { mount } from './mount-point.ts';
import { isExpired, usingAddress, type Renewable } from './renewable.ts';

type Given = {
  book: FoliateBook;
  mountPoint: HTMLElement;
  address: Renewable<string>;
  look: ReadingLook;
  /** A page has come; the signal ends when it is taken down. */
  loaded: (loaded: Foliate.Loaded, signal: AbortSignal) => void;
  moved: (locator: Locator) => void;
  /** A chapter does not come, and is passed over. */
  skipped: (problem: Problem) => void;
};

/** The pages of a book in its mount point. A chapter that the server refuses is passed over, in the direction of reading. */
export type EpubPages = {
  /** Rejects with `refused no_chapter` when the server refuses all of them. */
  show: (start: Locator | null) => Promise<void>;
  goTo: (target: Foliate.Target) => Promise<void>;
  goToFraction: (fraction: number) => Promise<void>;
  /** False when there is nothing to read that way. */
  turn: (direction: Direction) => Promise<boolean>;
  /** Lays out anew what is shown. */
  again: () => Promise<void>;
  look: (look: ReadingLook) => Promise<void>;
  hide: () => void;
};

const TIMEOUT_MS = 20_000;
/** A page that has not come by then may never do so: whether the server is there is asked from then on. */
const PROBE_MS = 1500;

type Move = (at: BookRenderer) => Promise<boolean>;

export const epubPages = ({ book, mountPoint, address, look: firstLook, loaded, moved, skipped }: Given): EpubPages => {
  let look = firstLook;
  let renderer: BookRenderer | null = null;
  let stop = new AbortController();
  let place: Locator | null = null;
  /** The sections that the last move has loaded: why the server refused them, null where it did not. */
  const arrivals = new Map<number, Problem | null>();
  const refusals = () => [...arrivals].flatMap(([index, problem]) => (problem === null ? [] : [{ index, problem }]));
  const isRefused = () => arrivals.size > 0 && refusals().length === arrivals.size;
  const fractionOf = (progression: number) => renderer?.fractionOf(progression) ?? 0;

  const onLoaded = ({ doc, index }: Foliate.Loaded) => {
    const isError = doc.contentType === 'application/json';
    arrivals.set(index, isError ? problemOfAnswer(doc.body.textContent) : null);
    if (isError) doc.body.replaceChildren();
    else loaded({ doc, index }, stop.signal);
  };
  const hide = () => {
    renderer?.destroy();
    renderer = null;
    stop.abort();
  };
  const openAnew = (): BookRenderer => {
    hide();
    stop = new AbortController();
    const opened = openRenderer(book, isPortrait(mountPoint), {
      loaded: onLoaded,
      moved: (shown) => {
        if (isRefused()) return;
        place = locatorOf(book, shown);
        moved(place);
      },
    });
    renderer = opened;
    mount(mountPoint, opened.element, stop.signal);
    opened.look(look);
    return opened;
  };
  /** Makes a move. At another address it is made in a renderer of its own: the old one takes the section for loaded. */
  const load = (move: Move, direction: Direction, aim: Foliate.Target | null): Promise<boolean> => {
    let target = aim;
    let isAgain = false;
    return usingAddress(address, async () => {
      arrivals.clear();
      const at = renderer === null || isAgain ? openAnew() : renderer;
      const isMoved = await withTimeout(
        isAgain && target !== null ? at.goTo(target).then(() => true) : move(at),
        address.current,
      );
      isAgain = true;
      const expired = refusals().find(({ problem }) => isExpired(problem));
      if (expired === undefined) return isMoved;
      target ??= { index: expired.index, anchor: edgeOf(direction) };
      return raise(expired.problem);
    });
  };
  const go = async (move: Move, direction: Direction, target: Foliate.Target | null = null): Promise<boolean> => {
    if (!(await load(move, direction, target))) return false;
    const refused = refusals();
    for (const { problem } of refused) {
      // While the shop is busy, another chapter fares no better.
      if (problem.kind !== 'refused' || problem.code === 'busy') return raise(problem);
      skipped(problem);
    }
    if (!isRefused()) return true;
    const indexes = refused.map(({ index }) => index);
    return goOn(direction === 'next' ? Math.max(...indexes) : Math.min(...indexes), direction);
  };
  const goTo = (target: Foliate.Target, direction: Direction): Promise<boolean> =>
    go((at) => at.goTo(target).then(() => true), direction, target);
  const goOn = async (from: number, direction: Direction): Promise<boolean> => {
    const index = book.beside(from, direction);
    return index !== null && goTo({ index, anchor: edgeOf(direction) }, direction);
  };
  const again = async () => {
    openAnew();
    if (place !== null) await goTo(targetOf(book, place, fractionOf), 'next');
  };
  /** Shows a target, else what comes after it, else what comes before. */
  const goNear = async (target: Foliate.Target): Promise<void> => {
    if ((await goTo(target, 'next')) || (await goOn(target.index, 'previous'))) return;
    raise({ kind: 'refused', code: 'no_chapter', message: '' });
  };
  return {
    show: (start) => goNear(targetOf(book, start, fractionOf)),
    goTo: goNear,
    goToFraction: (fraction) => goNear(fractionTarget(book, fraction, fractionOf)),
    turn: async (direction) => {
      const turned = await go((at) => at.turn(direction), direction);
      if (!turned && isRefused()) await again();
      return turned;
    },
    again,
    look: async (next) => {
      // The renderer reads a page's own background when it loads it: ours would stay behind the page's returning colours.
      const ownColors = next.theme === 'light' && look.theme !== 'light';
      look = next;
      if (ownColors) await again();
      else renderer?.look(look);
    },
    hide,
  };
};

/** Where a chapter is begun: at its beginning, or at its end by those who turn back. */
const edgeOf = (direction: Direction): number => (direction === 'next' ? 0 : 1);

export const isPortrait = ({ clientWidth, clientHeight }: HTMLElement): boolean => clientHeight > clientWidth;

/** A page that could not be fetched leaves the renderer waiting for ever; `address` is of a file beside it. */
const withTimeout = async <Value>(work: Promise<Value>, address: string): Promise<Value> => {
  const over = new AbortController();
  const late = pause(TIMEOUT_MS, over.signal).then(() => 'timeout' as const);
  const lost = untilLost(address, over.signal).then(() => 'offline' as const);
  const done = await Promise.race([work.then((value) => ({ value })), late, lost]).finally(() => over.abort());
  if (typeof done === 'object') return done.value;
  return raise({ kind: navigator.onLine ? done : 'offline' });
};

/** Waits until the server cannot be reached any more. What comes in time is not asked after. */
const untilLost = async (address: string, signal: AbortSignal): Promise<void> => {
  for (let isReached = true; isReached;) {
    await pause(PROBE_MS, signal);
    isReached = await fetch(address, { method: 'HEAD', cache: 'no-store', signal }).then(
      () => true,
      () => false,
    );
  }
};

/** Never ends once it is given up. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
