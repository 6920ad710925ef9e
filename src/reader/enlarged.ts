import { ENLARGED_ATTRIBUTE, FIT } from './wide-content.ts';

const MARGIN_PIXELS = 16;
/** The button that takes it away lies in the corner. */
const BUTTON_PIXELS = 44;

const paperOf = (doc: Document): string => {
  const paper = doc.defaultView?.getComputedStyle(doc.documentElement).backgroundColor ?? '';
  return /^rgba\(.*, 0\)$|^$/.test(paper) ? 'Canvas' : paper;
};

/**
 * Shows a copy of an element over its page, on all of it, where it scrolls in both directions;
 * returns a function that takes it away. The copy is behind the body of the page's document: its
 * styles and its policy hold, and no place that is kept moves.
 */
export const showEnlarged = (element: Element): (() => void) => {
  const doc = element.ownerDocument;
  const frame = doc.defaultView?.frameElement;
  const host = frame?.getRootNode();
  const page = host instanceof ShadowRoot ? host.host.getBoundingClientRect() : frame?.getBoundingClientRect();
  const strip = frame?.getBoundingClientRect();
  if (page === undefined || strip === undefined) return () => undefined;
  const box = doc.createElement('div');
  const copy = element.cloneNode(true) as Element;
  for (const each of [copy, ...copy.querySelectorAll('*')]) {
    each.removeAttribute(FIT);
    each.removeAttribute('id');
  }
  if (copy.matches('img, svg, canvas, video')) {
    copy.setAttribute(
      'style',
      `display: block; width: ${Math.round(page.width * 1.5)}px; max-width: none; height: auto; max-height: none`,
    );
  }
  box.setAttribute(ENLARGED_ATTRIBUTE, '');
  box.tabIndex = 0;
  Object.assign(box.style, {
    position: 'absolute',
    zIndex: '2147483647',
    left: `${page.left - strip.left}px`,
    top: `${page.top - strip.top}px`,
    width: `${page.width}px`,
    height: `${page.height}px`,
    boxSizing: 'border-box',
    padding: `${MARGIN_PIXELS + BUTTON_PIXELS}px ${MARGIN_PIXELS}px ${MARGIN_PIXELS}px`,
    overflow: 'auto',
    overscrollBehavior: 'contain',
    touchAction: 'pan-x pan-y pinch-zoom',
    background: paperOf(doc),
    columns: 'auto',
    outline: 'none',
  });
  // The renderer would turn to the page on which it takes the box to be.
  box.addEventListener('focusin', (event) => event.stopPropagation());
  box.append(copy);
  doc.documentElement.append(box);
  box.focus({ preventScroll: true });
  return () => {
    box.remove();
    if (element instanceof (doc.defaultView ?? window).HTMLElement) element.focus({ preventScroll: true });
  };
};
