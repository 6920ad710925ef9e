import { ENLARGED_ATTRIBUTE, MARK_ATTRIBUTES } from './wide-content.ts';

const MARGIN_PIXELS = 16;
/** The close button is in the corner. */
const BUTTON_PIXELS = 44;

const getPaperColor = (doc: Document): string => {
  const paper = doc.defaultView?.getComputedStyle(doc.documentElement).backgroundColor ?? '';
  return /^rgba\(.*, 0\)$|^$/.test(paper) ? 'Canvas' : paper;
};

/** Styles that a copy after the body no longer inherits from its element's ancestors. */
const INHERITED = ['fontFamily', 'fontSize', 'fontWeight', 'fontStyle', 'lineHeight', 'color', 'direction', 'textAlign'] as const;

const getInheritedStyles = (element: Element): Partial<Record<(typeof INHERITED)[number], string>> => {
  const parent = element.parentElement ?? element;
  const style = parent.ownerDocument.defaultView?.getComputedStyle(parent);
  return style === undefined ? {} : Object.fromEntries(INHERITED.map((name) => [name, style[name]]));
};

/** The name of a picture, table or figure, from the book's own text. */
const getName = (element: Element): string =>
  (
    element.getAttribute('aria-label') ??
    element.getAttribute('alt') ??
    element.querySelector('caption, figcaption, title')?.textContent ??
    ''
  ).trim();

/**
 * Shows a copy of an element over its whole page, scrollable in both directions; returns a function
 * that removes it. The copy is placed after the body of the page's document: the page's policy and
 * most of its styles apply, and no stored place shifts.
 */
export const showEnlarged = (element: Element): (() => void) => {
  const doc = element.ownerDocument;
  const frame = doc.defaultView?.frameElement;
  const host = frame?.getRootNode();
  const pageRect = host instanceof ShadowRoot ? host.host.getBoundingClientRect() : frame?.getBoundingClientRect();
  const frameRect = frame?.getBoundingClientRect();
  if (pageRect === undefined || frameRect === undefined) return () => undefined;
  const box = doc.createElement('div');
  const copy = element.cloneNode(true) as Element;
  for (const each of [copy, ...copy.querySelectorAll('*')]) {
    for (const name of [...MARK_ATTRIBUTES, 'id']) each.removeAttribute(name);
  }
  if (copy.matches('img, svg, canvas, video')) {
    copy.setAttribute(
      'style',
      `display: block; width: ${Math.round(pageRect.width * 1.5)}px; max-width: none; height: auto; max-height: none`,
    );
  }
  box.setAttribute(ENLARGED_ATTRIBUTE, '');
  box.tabIndex = 0;
  box.setAttribute('role', 'group');
  const name = getName(element);
  if (name !== '') box.setAttribute('aria-label', name);
  Object.assign(box.style, getInheritedStyles(element), {
    position: 'absolute',
    zIndex: '2147483647',
    left: `${pageRect.left - frameRect.left}px`,
    top: `${pageRect.top - frameRect.top}px`,
    width: `${pageRect.width}px`,
    height: `${pageRect.height}px`,
    boxSizing: 'border-box',
    padding: `${MARGIN_PIXELS + BUTTON_PIXELS}px ${MARGIN_PIXELS}px ${MARGIN_PIXELS}px`,
    overflow: 'auto',
    overscrollBehavior: 'contain',
    touchAction: 'pan-x pan-y pinch-zoom',
    background: getPaperColor(doc),
    columns: 'auto',
    outline: 'none',
  });
  // The renderer would turn to the page that it assumes the box to be on.
  box.addEventListener('focusin', (event) => event.stopPropagation());
  box.append(copy);
  doc.documentElement.append(box);
  box.focus({ preventScroll: true });
  return () => {
    box.remove();
    // An SVG drawing is focusable as well, and not an HTMLElement.
    if (element.isConnected) (element as HTMLElement | SVGElement).focus({ preventScroll: true });
  };
};
