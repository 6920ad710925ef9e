import 'pdfjs-dist/web/pdf_viewer.css';
import type { PDFSinglePageViewer } from 'pdfjs-dist/web/pdf_viewer.mjs';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { ReadingLook } from '../../machines/model/reading/reading.ts';
import { bookColors, getColorScheme } from './book-styles.ts';
import type { Destination } from './pdf-outline.ts';
import { mount } from './mount-point.ts';

/** Below this width a whole page would be too small to read, so it fills the width instead. */
const NARROW_PIXELS = 700;
const NEW_WINDOW = 2;
const NO_EDITING = -1;

const filters: Record<ReadingLook['theme'], string> = {
  light: 'none',
  sepia: 'sepia(0.35)',
  dark: 'invert(0.9) hue-rotate(180deg)',
};

export type PdfPages = {
  viewer: PDFSinglePageViewer;
  goToDestination: (destination: Destination) => Promise<void>;
  /** Calls the listener with the target of a pressed link; links do not navigate by themselves. */
  onLink: (listener: (destination: Destination) => void) => void;
  /** Calls the listener when another page comes into view. */
  onPage: (listener: () => void) => void;
  setLook: (look: ReadingLook) => void;
};

/** Shows the document in the mount point, page by page; resolves as soon as pages can be turned. */
export const showPdf = async (
  mountPoint: HTMLElement,
  pdf: PDFDocumentProxy,
  initialLook: ReadingLook,
  signal: AbortSignal,
): Promise<PdfPages> => {
  // The package requires a document at import time.
  const { EventBus, PDFLinkService, PDFSinglePageViewer } = await import('pdfjs-dist/web/pdf_viewer.mjs');
  const container = document.createElement('div');
  const pages = document.createElement('div');
  pages.className = 'pdfViewer';
  // The viewer requires an absolutely positioned container.
  Object.assign(container.style, { position: 'absolute', inset: '0', overflow: 'auto', overscrollBehavior: 'none' });
  // Removes the gap below a page, which would make a fitting page scroll.
  pages.style.marginBottom = '-10px';
  container.tabIndex = -1;
  container.append(pages);
  mount(mountPoint, container, signal);

  const eventBus = new EventBus();
  const linkService = new PDFLinkService({ eventBus, externalLinkTarget: NEW_WINDOW, ignoreDestinationZoom: true });
  const viewer = new PDFSinglePageViewer({
    container,
    viewer: pages,
    eventBus,
    linkService,
    removePageBorders: true,
    annotationEditorMode: NO_EDITING,
  });
  const goToDestination = linkService.goToDestination.bind(linkService);
  linkService.setViewer(viewer);
  signal.addEventListener('abort', () => viewer.cleanup());

  let look = initialLook;
  /**
   * At scale 1 a page fits the mount point, or its width where that is narrow; a larger font scale
   * enlarges the page.
   */
  const applyLook = () => {
    viewer.currentScaleValue = container.clientWidth < NARROW_PIXELS ? 'page-width' : 'page-fit';
    if (look.fontScale !== 1) viewer.currentScale *= look.fontScale;
    container.style.background = bookColors[look.theme].paper;
    container.style.colorScheme = getColorScheme(look.theme);
    // If the page cannot scroll horizontally, horizontal swipes are withheld from the browser.
    container.style.touchAction = container.scrollWidth > container.clientWidth ? 'auto' : 'pan-y pinch-zoom';
    pages.style.filter = filters[look.theme];
  };
  const pagesReady = new Promise<void>((resolve) => eventBus.on('pagesinit', resolve, { once: true }));
  viewer.setDocument(pdf);
  linkService.setDocument(pdf, null);
  await pagesReady;
  signal.throwIfAborted();
  // A removed mount point has no size to fit.
  const observer = new ResizeObserver(() => {
    if (container.offsetParent !== null) applyLook();
  });
  observer.observe(container);
  signal.addEventListener('abort', () => observer.disconnect());
  applyLook();
  return {
    viewer,
    goToDestination,
    onLink: (listener) => {
      linkService.goToDestination = async (destination: Destination) => listener(destination);
    },
    onPage: (listener) => eventBus.on('pagechanging', listener, { signal }),
    setLook: (next) => {
      look = next;
      applyLook();
    },
  };
};
