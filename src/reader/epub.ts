import type { BookCommand, BookFact, BookInput, ReadingLook } from '../../machines/model/reading/reading.ts';
import { toProblem } from '../../machines/model/problem.ts';
import { containBackground } from './book-background.ts';
import { listenForGestures } from './book-gestures.ts';
import { followLinks, preparePage, renewResources } from './book-page.ts';
import { showEnlarged } from './enlarged.ts';
import { fetchRenderers } from './book-renderer.ts';
import { createEpubPages, isPortrait, type EpubPages } from './epub-pages.ts';
import { createFoliateBook, type FoliateBook } from './foliate-book.ts';
import type { EngineIo } from './engine.ts';
import { findMountPoint } from './mount-point.ts';
import { createRenewable, withRenewedAddress } from './renewable.ts';
import { openPublication } from './open-publication.ts';
import { getBase } from './web-publication.ts';

type Step = (shown: EpubPages) => Promise<void>;

/**
 * Lays an EPUB out page by page in the mount point `book`. Facts and commands are those of
 * `machines/model/reading/reading.ts`.
 */
export const runEpub = async (input: BookInput, { send, receive, signal }: EngineIo<BookCommand, BookFact>): Promise<void> => {
  const address = createRenewable(input.url, () => send({ type: 'book.expired' }), signal);
  let book: FoliateBook | null = null;
  let pages: EpubPages | null = null;
  // Sequential and in order: a press while the book or a chapter loads is queued, not lost.
  const whenOpen = Promise.withResolvers<void>();
  let last: Promise<void> = whenOpen.promise;
  let interrupted: Step | null = null;
  /** The look to apply, null once it is applied. */
  let chosenLook: ReadingLook | null = null;
  const showLook: Step = async (shown) => {
    if (chosenLook === null) return;
    const look = chosenLook;
    await shown.look(look);
    if (chosenLook === look) chosenLook = null;
  };
  /**
   * `null` resumes an interrupted step. An interrupted change of the look is retried after each
   * step.
   */
  const perform = (wanted: Step | null) => {
    last = last.then(async () => {
      if (signal.aborted || pages === null) return;
      let step = wanted ?? interrupted ?? showLook;
      try {
        await step(pages);
        step = showLook;
        await showLook(pages);
        if (interrupted !== null || wanted === null) send({ type: 'book.continued' });
        interrupted = null;
      } catch (error) {
        interrupted = step;
        send({ type: 'book.interrupted', problem: toProblem(error) });
      }
    });
  };
  const turn = (direction: 'next' | 'previous') =>
    perform(async (shown) => {
      if (!(await shown.turn(direction)) && direction === 'next') send({ type: 'book.ended' });
    });
  const goToHref = (href: string) =>
    perform(async (shown) => {
      const target = book?.find(href) ?? null;
      if (target !== null) await shown.goTo(target);
    });
  /** The table or picture to enlarge, and the function that closes it. */
  let toEnlarge: Element | null = null;
  let reduce: (() => void) | null = null;
  // After the pages have moved, it would no longer be over them.
  const endEnlarged = () => {
    if (reduce !== null) send({ type: 'book.reduceRequested' });
  };
  receive((command) => {
    switch (command.type) {
      case 'book.enlarge':
        reduce = toEnlarge === null ? null : showEnlarged(toEnlarge);
        return;
      case 'book.reduce':
        reduce?.();
        reduce = null;
        return;
      case 'book.continue':
        return perform(null);
      case 'book.turn':
        return turn(command.direction);
      case 'book.goTo':
        return goToHref(command.href);
      case 'book.goToFraction':
        return perform((shown) => shown.goToFraction(command.fraction));
      case 'book.goToPlace':
        return perform((shown) => shown.show(command.place));
      case 'book.look':
        chosenLook = command.look;
        return perform(showLook);
      case 'book.renewed':
        book?.setBase(getBase(command.url));
        return address.renewed(command.url);
      case 'book.notRenewed':
        return address.failed(command.problem);
    }
  });

  const [publication, mountPoint] = await Promise.all([
    withRenewedAddress(address, (url) => openPublication(url, signal)),
    findMountPoint('book', signal),
    fetchRenderers(),
  ]);
  const opened = await createFoliateBook(publication);
  signal.throwIfAborted();
  opened.setBase(getBase(address.current));
  book = opened;
  const { title, language } = publication.manifest.metadata;
  const rightToLeft = opened.dir === 'rtl';
  const gestures = { send, rightToLeft, mountPoint, scrolls: false };
  let reportedPlace = '';
  let isOpen = false;
  let reportPlace = () => undefined as void;
  const shown = createEpubPages({
    book: opened,
    mountPoint,
    address,
    look: input.look,
    loaded: ({ doc, index }, page) => {
      preparePage(doc, { language: language[0] ?? '', title: opened.label(index, null) || title });
      followLinks(doc, { relative: opened.relative, goTo: (href) => send({ type: 'book.linkPressed', href }), signal: page });
      containBackground(doc, (each) => publication.archive === undefined && opened.relative(each) !== null);
      renewResources(doc, opened, address, page);
      page.addEventListener('abort', endEnlarged);
      listenForGestures(doc, {
        ...gestures,
        signal: page,
        toEnlarge: (element) => {
          toEnlarge = element;
        },
      });
    },
    moved: (locator, pageCount) => {
      reportPlace = () => {
        const place = JSON.stringify([locator, pageCount]);
        if (place !== reportedPlace) {
          endEnlarged();
          send({ type: 'book.moved', locator, pageCount });
        }
        reportedPlace = place;
      };
      if (isOpen) reportPlace();
    },
    skipped: (problem) => send({ type: 'book.skipped', problem }),
  });
  signal.addEventListener('abort', shown.hide);
  await shown.show(input.start);
  signal.throwIfAborted();
  pages = shown;
  listenForGestures(mountPoint, { ...gestures, signal });
  onOrientationChange(opened, mountPoint, signal, () => perform((at) => at.again()));
  isOpen = true;
  send({ type: 'book.opened', contents: opened.contents, ...(rightToLeft && { rightToLeft }) });
  reportPlace();
  whenOpen.resolve();
};

/** Fixed-layout pages are shown side by side in a wide mount point and one by one in a high one. */
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
