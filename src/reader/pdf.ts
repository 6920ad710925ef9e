import {
  noPageCount,
  type BookCommand,
  type BookFact,
  type BookInput,
  type Locator,
} from '../../machines/model/reading/reading.ts';
import { listenForGestures } from './book-gestures.ts';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { EngineIo } from './engine.ts';
// Must precede the viewer, which reads the library from a global that the library sets.
import { openPdf, toPdfProblem } from './pdf-document.ts';
import {
  toDestinationHref,
  parseDestinationHref,
  findEntryPages,
  readOutline,
  toPageHref,
  parsePageHref,
} from './pdf-outline.ts';
import { persistForm } from './pdf-form.ts';
import { showPdf } from './pdf-viewer.ts';
import { openRanges } from './pdf-ranges.ts';
import { createRenewable } from './renewable.ts';
import type { Problem } from '../../machines/model/problem.ts';
import { findMountPoint } from './mount-point.ts';

/**
 * Shows a PDF page by page in the mount point `book`. Facts and commands are those of
 * `machines/model/reading/reading.ts`.
 */
export const runPdf = async (input: BookInput, io: EngineIo<BookCommand, BookFact>): Promise<void> => {
  try {
    await readPdf(input, io);
  } catch (error) {
    if (!io.signal.aborted) io.send({ type: 'book.failed', problem: toPdfProblem(error) });
  }
};

const readPdf = async (input: BookInput, { send, receive, signal }: EngineIo<BookCommand, BookFact>): Promise<void> => {
  const address = createRenewable(input.url, () => send({ type: 'book.expired' }), signal);
  /** Commands that arrive while the document loads. */
  const queuedCommands: BookCommand[] = [];
  let execute = (command: BookCommand): void => {
    if (command.type === 'book.renewed') address.renewed(command.url);
    else if (command.type === 'book.notRenewed') address.failed(command.problem);
    else queuedCommands.push(command);
  };
  receive((command) => execute(command));
  let isOpen = false;
  let pause = Promise.withResolvers<void>();
  const onInterrupted = (problem: Problem) => {
    send({ type: isOpen ? 'book.interrupted' : 'book.failed', problem });
    return pause.promise;
  };
  const onContinued = () => send({ type: 'book.continued' });
  const resume = () => {
    pause.resolve();
    pause = Promise.withResolvers();
  };
  const task = openPdf(await openRanges({ address, signal, onInterrupted, onContinued }));
  signal.addEventListener('abort', () => void task.destroy());
  const [pdf, mountPoint] = await Promise.all([task.promise, findMountPoint('book', signal)]);
  if (input.title !== undefined) persistForm(pdf, input.title, mountPoint, signal);
  const [contents, rightToLeft] = await Promise.all([readOutline(pdf).catch(() => []), isRightToLeft(pdf)]);
  const { viewer, goToDestination, onLink, onPage, setLook } = await showPdf(mountPoint, pdf, input.look, signal);
  const pages = pdf.numPages;
  let chapterStarts: { page: number; title: string }[] = [];

  const getLocator = (): Locator => {
    const page = viewer.currentPageNumber;
    return {
      href: toPageHref(page),
      progression: 0,
      totalProgression: pages === 1 ? 1 : (page - 1) / (pages - 1),
      cfi: null,
      label: chapterStarts.findLast((start) => start.page <= page)?.title ?? '',
      page,
      pages,
    };
  };
  const reportPlace = () => {
    const page = String(viewer.currentPageNumber);
    send({ type: 'book.moved', locator: getLocator(), pageCount: { ...noPageCount, page, lastPage: String(pages) } });
  };
  const goTo = (page: number) => {
    viewer.currentPageNumber = Math.min(Math.max(page, 1), pages);
  };
  const toPage = (fraction: number) => 1 + Math.round(fraction * (pages - 1));

  const { start } = input;
  if (start !== null) goTo(parsePageHref(start.href) ?? toPage(start.totalProgression));
  isOpen = true;
  send({ type: 'book.opened', contents, ...(rightToLeft && { rightToLeft }) });
  reportPlace();
  onPage(reportPlace);
  onLink((destination) => send({ type: 'book.linkPressed', href: toDestinationHref(destination) }));
  listenForGestures(mountPoint, { send, rightToLeft, mountPoint, scrolls: true, signal });
  execute = (command) => {
    switch (command.type) {
      case 'book.turn':
        if (command.direction === 'previous') return goTo(viewer.currentPageNumber - 1);
        return viewer.currentPageNumber < pages ? goTo(viewer.currentPageNumber + 1) : send({ type: 'book.ended' });
      case 'book.goTo': {
        const destination = parseDestinationHref(command.href);
        if (destination !== null) return void goToDestination(destination);
        return goTo(parsePageHref(command.href) ?? viewer.currentPageNumber);
      }
      case 'book.goToFraction':
        return goTo(toPage(command.fraction));
      case 'book.goToPlace':
        return goTo(parsePageHref(command.place.href) ?? 1);
      case 'book.setLook':
        return setLook(command.look);
      // The pages of a PDF are zoomed as a whole.
      case 'book.enlarge':
      case 'book.reduce':
        return;
      case 'book.continue':
        return resume();
      case 'book.renewed':
        return address.renewed(command.url);
      case 'book.notRenewed':
        return address.failed(command.problem);
    }
  };
  queuedCommands.forEach(execute);

  await viewer.firstPagePromise;
  chapterStarts = await findEntryPages(pdf, contents, signal);
  if (!signal.aborted && getLocator().label !== '') reportPlace();
};

/** Whether the document's viewer preferences declare the reading direction right to left. */
const isRightToLeft = async (pdf: PDFDocumentProxy): Promise<boolean> => {
  const preferences = (await pdf.getViewerPreferences().catch(() => null)) as { Direction?: string } | null;
  return preferences?.Direction === 'R2L';
};
