// First, because the viewer takes the library from a global that the library sets.
import { openPdf, problemOfPdf } from './pdf-document.ts';
import 'pdfjs-dist/web/pdf_viewer.css';
import { EventBus, PDFLinkService, PDFSinglePageViewer } from 'pdfjs-dist/web/pdf_viewer.mjs';
import type { BookCommand, BookFact, BookInput, ContentsEntry, Locator, ReadingLook } from '../../../machines/model/reading.ts';
import { listenForGestures } from './book-gestures.ts';
import { bookColors, colorSchemeOf } from './book-look.ts';
import type { EngineIo } from './io.ts';
import { labelAt, outlineOf, pageHref, pageOfHref } from './pdf-outline.ts';
import { findStage, mount } from './stage.ts';

/** Narrower than this a whole page would be too small to read, so it fills the width. */
const NARROW_PIXELS = 700;
const NEW_WINDOW = 2;

const filters: Record<ReadingLook['theme'], string> = {
  light: 'none',
  sepia: 'sepia(0.35)',
  dark: 'invert(0.9) hue-rotate(180deg)',
};

/** Shows a PDF page by page on the stage `book`. Facts and commands as in the model of reading. */
export const runPdf = async (input: BookInput, { send, receive, signal }: EngineIo<BookCommand, BookFact>): Promise<void> => {
  const task = openPdf(new URL(input.url, location.href).href);
  signal.addEventListener('abort', () => void task.destroy());
  const report = (error: unknown) => send({ type: 'book.failed', problem: problemOfPdf(error) });
  try {
    const [pdf, stage] = await Promise.all([task.promise, findStage('book', signal)]);
    const contents = await outlineOf(pdf).catch((): ContentsEntry[] => []);
    signal.throwIfAborted();

    const { container, pages, viewer, bus, links } = openViewer(stage, signal);
    const first = new Promise<void>((resolve) => bus.on('pagesinit', resolve, { once: true }));
    viewer.setDocument(pdf);
    links.setDocument(pdf, null);
    await first;
    signal.throwIfAborted();

    let look = input.look;
    const show = () => {
      applyLook(viewer, look);
      pages.style.filter = filters[look.theme];
    };
    show();
    viewer.currentPageNumber = startPage(input.start, pdf.numPages);
    const tell = () => send({ type: 'book.moved', locator: locatorAt(viewer.currentPageNumber, pdf.numPages, contents) });
    send({ type: 'book.opened', contents });
    tell();
    bus.on('pagechanging', tell, { signal });
    const observer = new ResizeObserver(show);
    observer.observe(container);
    signal.addEventListener('abort', () => observer.disconnect());
    listenForGestures(stage, { send, rightToLeft: false, stage, scrolls: true, signal });

    const goTo = (page: number) => {
      viewer.currentPageNumber = Math.min(Math.max(page, 1), pdf.numPages);
    };
    receive((command) => {
      switch (command.type) {
        case 'book.turn':
          if (command.direction === 'previous') return goTo(viewer.currentPageNumber - 1);
          return viewer.currentPageNumber < pdf.numPages ? goTo(viewer.currentPageNumber + 1) : send({ type: 'book.ended' });
        case 'book.goTo':
          return goTo(pageOfHref(command.href) ?? viewer.currentPageNumber);
        case 'book.goToFraction':
          return goTo(1 + Math.round(command.fraction * (pdf.numPages - 1)));
        case 'book.look':
          look = command.look;
          return show();
      }
    });
  } catch (error) {
    if (!signal.aborted) report(error);
  }
};

const openViewer = (stage: HTMLElement, signal: AbortSignal) => {
  const container = document.createElement('div');
  const pages = document.createElement('div');
  pages.className = 'pdfViewer singlePageView';
  // The viewer insists on a container that is positioned absolutely.
  Object.assign(container.style, { position: 'absolute', inset: '0', overflow: 'auto' });
  container.tabIndex = -1;
  container.append(pages);
  mount(stage, container, signal);
  const bus = new EventBus();
  const links = new PDFLinkService({ eventBus: bus, externalLinkTarget: NEW_WINDOW });
  const viewer = new PDFSinglePageViewer({
    container,
    viewer: pages,
    eventBus: bus,
    linkService: links,
    removePageBorders: true,
    annotationEditorMode: -1,
  });
  links.setViewer(viewer);
  signal.addEventListener('abort', () => viewer.cleanup());
  return { container, pages, viewer, bus, links };
};

/** A page at scale 1 fits the stage, or its width where that is narrow; larger type is a larger page. */
const applyLook = (viewer: PDFSinglePageViewer, { fontScale, theme }: ReadingLook): void => {
  const { container } = viewer;
  viewer.currentScaleValue = container.clientWidth < NARROW_PIXELS ? 'page-width' : 'page-fit';
  if (fontScale !== 1) viewer.currentScale *= fontScale;
  container.style.background = bookColors[theme].paper;
  container.style.colorScheme = colorSchemeOf(theme);
};

const startPage = (start: Locator | null, pages: number): number => {
  const page = start === null ? 1 : (pageOfHref(start.href) ?? start.page ?? 1 + Math.round(start.totalProgression * (pages - 1)));
  return Math.min(Math.max(page, 1), pages);
};

const locatorAt = (page: number, pages: number, contents: readonly ContentsEntry[]): Locator => ({
  href: pageHref(page),
  progression: 0,
  totalProgression: pages === 1 ? 1 : (page - 1) / (pages - 1),
  cfi: null,
  label: labelAt(contents, page),
  page,
  pages,
});
