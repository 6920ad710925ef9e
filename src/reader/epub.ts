import type { BookCommand, BookFact, BookInput, ReadingLook } from '../../machines/model/reading/reading.ts';
import { toProblem } from '../../machines/model/problem.ts';
import { containBackground } from './book-background.ts';
import { listenForGestures } from './book-gestures.ts';
import { followLinks, preparePage, renewResources } from './book-page.ts';
import { showEnlarged } from './show-enlarged.ts';
import { fetchRenderers } from './book-renderer.ts';
import { createEpubPages, isPortrait, type EpubPages } from './epub-pages.ts';
import { createFoliateBook, type FoliateBook } from './foliate-book.ts';
import type { EngineIo } from './engine.ts';
import { findMountPoint } from './mount-point.ts';
import { createRenewable, withRenewedAddress } from './renewable.ts';
import { openPublication } from './open-publication.ts';
import { getBase } from './web-publication.ts';

type Step = (pages: EpubPages) => Promise<void>;

/**
 * Lays an EPUB out page by page in the mount point `book`. Facts and commands are those of
 * `machines/model/reading/reading.ts`.
 */
export const runEpub = async (input: BookInput, { send, receive, signal }: EngineIo<BookCommand, BookFact>): Promise<void> => {
  const address = createRenewable(input.url, () => send({ type: 'book.expired' }), signal);
  let book: FoliateBook | null = null;
  let pages: EpubPages | null = null;
  // Steps run one after the other: a press while the book or a chapter loads is queued, not lost.
  const whenOpen = Promise.withResolvers<void>();
  let lastStep: Promise<void> = whenOpen.promise;
  let interruptedStep: Step | null = null;
  /** The look to apply, null once it is applied. */
  let chosenLook: ReadingLook | null = null;
  const showLook: Step = async (epubPages) => {
    if (chosenLook === null) return;
    const look = chosenLook;
    await epubPages.setLook(look);
    if (chosenLook === look) chosenLook = null;
  };
  /**
   * Queues a step; `null` resumes an interrupted step. An interrupted change of the look is retried
   * after each step.
   */
  const perform = (requestedStep: Step | null) => {
    lastStep = lastStep.then(async () => {
      if (signal.aborted || pages === null) return;
      let step = requestedStep ?? interruptedStep ?? showLook;
      try {
        await step(pages);
        step = showLook;
        await showLook(pages);
        if (interruptedStep !== null || requestedStep === null) send({ type: 'book.continued' });
        interruptedStep = null;
      } catch (error) {
        interruptedStep = step;
        send({ type: 'book.interrupted', problem: toProblem(error) });
      }
    });
  };
  const turn = (direction: 'next' | 'previous') =>
    perform(async (epubPages) => {
      if (!(await epubPages.turn(direction)) && direction === 'next') send({ type: 'book.ended' });
    });
  const goToHref = (href: string) =>
    perform(async (epubPages) => {
      const target = book?.findTarget(href) ?? null;
      if (target !== null) await epubPages.goTo(target);
    });
  /** The table or picture to enlarge. */
  let toEnlarge: Element | null = null;
  /** Removes the enlarged copy; null without one. */
  let reduce: (() => void) | null = null;
  // The enlarged copy is removed when the pages move: it would no longer be over its page.
  const requestReduce = () => {
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
        return perform((epubPages) => epubPages.goToFraction(command.fraction));
      case 'book.goToPlace':
        return perform((epubPages) => epubPages.show(command.place));
      case 'book.setLook':
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
  const foliateBook = await createFoliateBook(publication);
  signal.throwIfAborted();
  foliateBook.setBase(getBase(address.current));
  book = foliateBook;
  const { title, language } = publication.manifest.metadata;
  const rightToLeft = foliateBook.dir === 'rtl';
  const gestures = { send, rightToLeft, mountPoint, scrolls: false };
  let reportedPlace = '';
  let isOpen = false;
  let reportPlace = () => undefined as void;
  const epubPages = createEpubPages({
    book: foliateBook,
    mountPoint,
    address,
    look: input.look,
    onPageLoad: ({ doc, index }, pageSignal) => {
      preparePage(doc, { language: language[0] ?? '', title: foliateBook.getLabel(index, null) || title });
      followLinks(doc, {
        toRelative: foliateBook.toRelative,
        goTo: (href) => send({ type: 'book.linkPressed', href }),
        signal: pageSignal,
      });
      containBackground(doc, (each) => publication.archive === undefined && foliateBook.toRelative(each) !== null);
      renewResources(doc, foliateBook, address, pageSignal);
      pageSignal.addEventListener('abort', requestReduce);
      listenForGestures(doc, {
        ...gestures,
        signal: pageSignal,
        onEnlarge: (element) => {
          toEnlarge = element;
        },
      });
    },
    onMove: (locator, pageCount) => {
      reportPlace = () => {
        const place = JSON.stringify([locator, pageCount]);
        if (place !== reportedPlace) {
          requestReduce();
          send({ type: 'book.moved', locator, pageCount });
        }
        reportedPlace = place;
      };
      if (isOpen) reportPlace();
    },
    onSkip: (problem) => send({ type: 'book.skipped', problem }),
  });
  signal.addEventListener('abort', epubPages.hide);
  await epubPages.show(input.start);
  signal.throwIfAborted();
  pages = epubPages;
  listenForGestures(mountPoint, { ...gestures, signal });
  onOrientationChange(foliateBook, mountPoint, signal, () => perform((epubPages) => epubPages.repeatLayout()));
  isOpen = true;
  send({ type: 'book.opened', contents: foliateBook.contents, ...(rightToLeft && { rightToLeft }) });
  reportPlace();
  whenOpen.resolve();
};

/** Fixed-layout pages are shown side by side in a wide mount point and one by one in a high one. */
const onOrientationChange = (book: FoliateBook, mountPoint: HTMLElement, signal: AbortSignal, onChange: () => void): void => {
  if (!book.fixed) return;
  let wasPortrait = isPortrait(mountPoint);
  const observer = new ResizeObserver(() => {
    if (isPortrait(mountPoint) === wasPortrait) return;
    wasPortrait = !wasPortrait;
    onChange();
  });
  observer.observe(mountPoint);
  signal.addEventListener('abort', () => observer.disconnect());
};
