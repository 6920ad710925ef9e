import type { BookCommand, BookFact, BookInput, Locator, ReadingLook } from '../../machines/model/reading.ts';
import { problemOf, type Problem } from '../../machines/model/problem.ts';
import { raise } from '../client/problem.ts';
import { listenForGestures } from './book-gestures.ts';
import { fractionTarget, locatorOf, targetOf, type Shown } from './book-locator.ts';
import { fetchRenderers, openRenderer, type BookRenderer } from './book-renderer.ts';
import { makeFoliateBook, type FoliateBook } from './foliate-book.ts';
import type { EngineIo } from './engine.ts';
import { problemOfAnswer } from './fetch-media.ts';
import { findMountPoint, mount } from './mount-point.ts';
import { fetchPublication } from './web-publication.ts';

type LinkContext = {
  /** An absolute address as one relative to the book, or null when it leads out of it. */
  relative: (address: string) => string | null;
  goTo: (href: string) => void;
  signal: AbortSignal;
};

/** Links lead on within the book; out of it they open beside the shop, which the other page can neither see nor steer. */
const followLinks = (doc: Document, { relative, goTo, signal }: LinkContext): void => {
  doc.addEventListener(
    'click',
    (press) => {
      const link = linkOf(press);
      if (link === null) return;
      press.preventDefault();
      const address = addressOf(link, doc.URL);
      if (address === null) return;
      const inside = relative(address.href);
      if (inside !== null) goTo(inside);
      else if (/^(https?|mailto):$/.test(address.protocol)) open(address.href, '_blank', 'noopener,noreferrer');
    },
    { capture: true, signal },
  );
};

const linkOf = (press: MouseEvent): Element | null => {
  const element = press.composedPath()[0];
  return element !== undefined && 'closest' in element ? (element as Element).closest('a') : null;
};

const addressOf = (link: Element, from: string): URL | null => {
  const href = link.getAttribute('href') ?? link.getAttributeNS('http://www.w3.org/1999/xlink', 'href');
  return href === null ? null : URL.parse(href, from);
};

type PageFacts = {
  /** Of the book, for pages that do not say theirs. */
  language: string;
  /** What a screen reader calls the page's iframe. */
  title: string;
};

/** Gives a page what its book left out: language, direction, and a name of its iframe. */
const preparePage = (doc: Document, { language, title }: PageFacts): void => {
  const root = doc.documentElement;
  if (language !== '' && root.getAttribute('lang') === null && root.getAttribute('xml:lang') === null) {
    root.setAttribute('lang', language);
  }
  if (root.getAttribute('dir') === null && directionOf(language) === 'rtl') root.setAttribute('dir', 'rtl');
  doc.defaultView?.frameElement?.setAttribute('title', title);
};

const rightToLeft = /^(ar|dv|fa|he|ps|sd|ug|ur|yi)\b/i;

const directionOf = (language: string): 'ltr' | 'rtl' => (rightToLeft.test(language) ? 'rtl' : 'ltr');

const TIMEOUT_MS = 20_000;

/** Lays an EPUB out page by page in the mount point `book`. Facts and commands are those of `machines/model/reading.ts`. */
export const runEpub = async (input: BookInput, { send, receive, signal }: EngineIo<BookCommand, BookFact>): Promise<void> => {
  const [publication, mountPoint] = await Promise.all([
    fetchPublication(input.url, signal),
    findMountPoint('book', signal),
    fetchRenderers(),
  ]);
  const book = await makeFoliateBook(publication);
  signal.throwIfAborted();
  const { title, language } = publication.manifest.metadata;
  let look = input.look;
  let locator: Locator | null = null;
  let opened = false;
  let stopShown = new AbortController();

  const report = (problem: Problem) => send({ type: 'book.failed', problem });
  const tell = () => {
    if (opened && locator !== null) send({ type: 'book.moved', locator });
  };
  const onMoved = (shown: Shown) => {
    const next = locatorOf(book, shown);
    const same = JSON.stringify(next) === JSON.stringify(locator);
    locator = next;
    if (!same) tell();
  };
  const gestures = { send, rightToLeft: book.dir === 'rtl', mountPoint, scrolls: false };
  const onLoaded = ({ doc, index }: Foliate.Loaded) => {
    if (doc.contentType === 'application/json') return report(problemOfAnswer(doc.body.textContent));
    preparePage(doc, { language: language[0] ?? '', title: book.label(index, null) || title });
    const { signal: shown } = stopShown;
    followLinks(doc, { relative: book.relative, goTo: (href) => perform(() => goToHref(href)), signal: shown });
    listenForGestures(doc, { ...gestures, signal: shown });
  };

  let renderer: BookRenderer | null = null;
  const show = async (start: Locator | null): Promise<void> => {
    stopShown = new AbortController();
    const next = openRenderer(book, isPortrait(mountPoint), { loaded: onLoaded, moved: onMoved });
    renderer = next;
    mount(mountPoint, next.element, stopShown.signal);
    next.look(look);
    await withTimeout(next.goTo(targetOf(book, start, next.fractionOf)));
  };
  const hide = () => {
    renderer?.destroy();
    renderer = null;
    stopShown.abort();
  };
  const goToHref = async (href: string) => {
    const target = book.find(href);
    if (target !== null) await renderer?.goTo(target);
  };
  const goToFraction = async (fraction: number) => {
    if (renderer !== null) await renderer.goTo(fractionTarget(book, fraction, renderer.fractionOf));
  };
  const again = async () => {
    hide();
    await show(locator);
  };
  const changeLook = async (next: ReadingLook) => {
    // The renderer reads a page's own background when it loads it: ours would stay behind the page's returning colours.
    const ownColors = next.theme === 'light' && look.theme !== 'light';
    look = next;
    if (ownColors) await again();
    else renderer?.look(look);
  };
  // One at a time, in order: a press during the load of a chapter is kept, not lost.
  let last: Promise<void> = Promise.resolve();
  const perform = (step: () => Promise<void>) => {
    last = last.then(async () => {
      if (signal.aborted) return;
      await withTimeout(step()).catch((error: unknown) => report(problemOf(error)));
    });
  };
  const turn = async (direction: 'next' | 'previous') => {
    const turned = await renderer?.turn(direction);
    if (turned === false && direction === 'next') send({ type: 'book.ended' });
  };

  signal.addEventListener('abort', hide);
  await show(input.start);
  signal.throwIfAborted();
  listenForGestures(mountPoint, { ...gestures, signal });
  onOrientationChange(book, mountPoint, signal, () => perform(again));
  opened = true;
  send({ type: 'book.opened', contents: book.contents });
  tell();
  receive((command) => {
    switch (command.type) {
      case 'book.turn':
        return perform(() => turn(command.direction));
      case 'book.goTo':
        return perform(() => goToHref(command.href));
      case 'book.goToFraction':
        return perform(() => goToFraction(command.fraction));
      case 'book.look':
        return perform(() => changeLook(command.look));
    }
  });
};

const isPortrait = ({ clientWidth, clientHeight }: HTMLElement): boolean => clientHeight > clientWidth;

/** Fixed pages are shown side by side in a wide mount point and one by one in a high one. */
const onOrientationChange = (book: FoliateBook, mountPoint: HTMLElement, signal: AbortSignal, changed: () => void): void => {
  if (!book.fixed) return;
  let portrait = isPortrait(mountPoint);
  const observer = new ResizeObserver(() => {
    if (isPortrait(mountPoint) === portrait) return;
    portrait = !portrait;
    changed();
  });
  observer.observe(mountPoint);
  signal.addEventListener('abort', () => observer.disconnect());
};

/** A page that could not be fetched leaves the renderer waiting for ever. */
const withTimeout = async <Value>(work: Promise<Value>): Promise<Value> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), TIMEOUT_MS);
  });
  const done = await Promise.race([work.then((value) => ({ value })), late]).finally(() => clearTimeout(timer));
  return done === null ? raise({ kind: navigator.onLine ? 'timeout' : 'offline' }) : done.value;
};
