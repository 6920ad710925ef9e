import type { BookCommand, BookFact, BookInput, Locator } from '../../machines/model/reading.ts';
import { listenForGestures } from './book-gestures.ts';
import type { EngineIo } from './engine.ts';
// Before the viewer, which takes the library from a global that the library sets.
import { openPdf, problemOfPdf } from './pdf-document.ts';
import { destinationOf, findStarts, outlineOf, pageHref, pageOfHref } from './pdf-outline.ts';
import { showPdf } from './pdf-viewer.ts';
import { findMountPoint } from './mount-point.ts';

/** Shows a PDF page by page in the mount point `book`. Facts and commands are those of `machines/model/reading.ts`. */
export const runPdf = async (input: BookInput, io: EngineIo<BookCommand, BookFact>): Promise<void> => {
  try {
    await readPdf(input, io);
  } catch (error) {
    if (!io.signal.aborted) io.send({ type: 'book.failed', problem: problemOfPdf(error) });
  }
};

const readPdf = async (input: BookInput, { send, receive, signal }: EngineIo<BookCommand, BookFact>): Promise<void> => {
  const task = openPdf(new URL(input.url, location.href).href);
  signal.addEventListener('abort', () => void task.destroy());
  const [pdf, mountPoint] = await Promise.all([task.promise, findMountPoint('book', signal)]);
  const contents = await outlineOf(pdf).catch(() => []);
  const { viewer, links, onPage, look } = await showPdf(mountPoint, pdf, input.look, signal);
  const pages = pdf.numPages;
  let starts: { page: number; title: string }[] = [];

  const locator = (): Locator => {
    const page = viewer.currentPageNumber;
    return {
      href: pageHref(page),
      progression: 0,
      totalProgression: pages === 1 ? 1 : (page - 1) / (pages - 1),
      cfi: null,
      label: starts.findLast((start) => start.page <= page)?.title ?? '',
      page,
      pages,
    };
  };
  const tell = () => send({ type: 'book.moved', locator: locator() });
  const goTo = (page: number) => {
    viewer.currentPageNumber = Math.min(Math.max(page, 1), pages);
  };
  const pageAt = (fraction: number) => 1 + Math.round(fraction * (pages - 1));

  const { start } = input;
  if (start !== null) goTo(pageOfHref(start.href) ?? pageAt(start.totalProgression));
  send({ type: 'book.opened', contents });
  tell();
  onPage(tell);
  listenForGestures(mountPoint, { send, rightToLeft: false, mountPoint, scrolls: true, signal });
  receive((command) => {
    switch (command.type) {
      case 'book.turn':
        if (command.direction === 'previous') return goTo(viewer.currentPageNumber - 1);
        return viewer.currentPageNumber < pages ? goTo(viewer.currentPageNumber + 1) : send({ type: 'book.ended' });
      case 'book.goTo': {
        const destination = destinationOf(command.href);
        if (destination !== null) return void links.goToDestination(destination);
        return goTo(pageOfHref(command.href) ?? viewer.currentPageNumber);
      }
      case 'book.goToFraction':
        return goTo(pageAt(command.fraction));
      case 'book.look':
        return look(command.look);
    }
  });

  await viewer.firstPagePromise;
  starts = await findStarts(pdf, contents, signal);
  if (!signal.aborted && locator().label !== '') tell();
};
