/** A column of a page, in pixels along the lines of text and across them. */
type Column = { width: number; gap: number; height: number; vertical: boolean };

/**
 * Attribute of an element that was fitted into its column: `place` removes its own position, `wrap`
 * breaks its lines, `shrink` limits its size to the column, `scroll` makes it a scrolling box.
 */
export const FIT = 'data-colophon-fit';

/**
 * Attribute of a picture that is rendered much smaller than its size, by its book or by the
 * renderer.
 */
const REDUCED_ATTRIBUTE = 'data-colophon-reduced';
export const REDUCED = `[${REDUCED_ATTRIBUTE}]`;

/** Attribute of the enlarged copy over its page. */
export const ENLARGED_ATTRIBUTE = 'data-colophon-enlarged';
export const ENLARGED = `[${ENLARGED_ATTRIBUTE}]`;
/** Selects scrolling boxes within a page. */
export const SCROLLED = `[${FIT}~="scroll"], ${ENLARGED}`;
/** Selects fitted content that can be enlarged by a press or a key. */
export const FITTED = `[${FIT}~="scroll"], [${FIT}~="shrink"]:is(img, svg, canvas)`;
/** Selects all content that can be enlarged; a reduced picture by a double press. */
export const ENLARGEABLE = `${FITTED}, ${REDUCED}`;
/** All attributes that fitting adds to elements. */
export const MARK_ATTRIBUTES = [FIT, REDUCED_ATTRIBUTE];

const PICTURES = 'img, svg, canvas, video, object, picture, iframe, embed';

/** The style rules for these attributes. They override the book's own, in its writing direction. */
const createFitStyles = ({ width, height }: Column): string => `
  [${FIT}] { max-inline-size: min(100%, ${Math.floor(width)}px) !important; min-inline-size: 0 !important; box-sizing: border-box !important; }
  [${FIT}~="place"] {
    position: static !important; float: none !important; transform: none !important; margin-inline: 0 !important;
  }
  [${FIT}~="wrap"], [${FIT}~="wrap"] :not(${PICTURES}) { white-space: normal !important; overflow-wrap: anywhere !important; }
  :is(pre, code, kbd, samp, textarea)[${FIT}~="wrap"], :is(pre, code, kbd, samp)[${FIT}~="wrap"] * { white-space: pre-wrap !important; }
  table[${FIT}~="wrap"], table[${FIT}~="wrap"] * { overflow-wrap: break-word !important; min-inline-size: 0 !important; }
  table[${FIT}~="wrap"] :is(table, td, th, col) { inline-size: auto !important; }
  [${FIT}~="shrink"] { block-size: auto !important; object-fit: contain !important; }
  [${FIT}~="scroll"] {
    overflow: auto !important; max-block-size: ${height}px !important; touch-action: pan-x pan-y pinch-zoom !important;
    overscroll-behavior: contain !important;
    box-shadow: inset -12px 0 10px -10px rgb(128 128 128 / 0.7);
  }
  :is(table, math, span, a, em, strong, code)[${FIT}~="scroll"] { display: block !important; }
  table[${FIT}~="scroll"], table[${FIT}~="scroll"] * { overflow-wrap: normal !important; }
  ${REDUCED} { cursor: zoom-in !important; }
  :is([${FIT}~="scroll"], ${REDUCED}):focus-visible { outline: 2px solid currentColor; outline-offset: -2px; }
`;

type Fit = 'place' | 'wrap' | 'shrink' | 'scroll';

const addFit = (element: Element, fit: Fit): void => {
  const fits = new Set((element.getAttribute(FIT) ?? '').split(' ').filter((each) => each !== ''));
  element.setAttribute(FIT, [...fits.add(fit)].join(' '));
};

/** Whether a rectangle extends beyond its column by more than half of the gap beside it. */
const createOverflowCheck = (doc: Document, { width, gap, vertical }: Column): ((rect: DOMRect) => boolean) => {
  const root = doc.documentElement.getBoundingClientRect();
  const isRightToLeft = !vertical && doc.defaultView?.getComputedStyle(doc.body).direction === 'rtl';
  return (rect) => {
    const size = vertical ? rect.height : rect.width;
    if (size === 0) return false;
    const start = vertical ? rect.top - root.top : isRightToLeft ? root.right - rect.right : rect.left - root.left;
    const columnOffset = start - gap / 2 - Math.floor(start / (width + gap)) * (width + gap);
    return columnOffset + size - width > gap / 2;
  };
};

/** Whether a box hides a part of its text. */
const isClipped = (element: Element, style: CSSStyleDeclaration): boolean =>
  /hidden|clip/.test(style.overflow) &&
  (element.scrollWidth > element.clientWidth + 8 || element.scrollHeight > element.clientHeight + 8) &&
  element.textContent.trim() !== '' &&
  element.clientHeight > 8;

const isShown = (style: CSSStyleDeclaration): boolean => style.display !== 'none' && style.visibility !== 'hidden';

/** The elements of a page that overflow their columns, or whose text does. */
const findWideElements = (doc: Document, isBeyond: (rect: DOMRect) => boolean): Element[] => {
  const view = doc.defaultView;
  const text = doc.createRange();
  const isTooWide = (element: Element): boolean => {
    const style = view?.getComputedStyle(element);
    if (style === undefined || !isShown(style)) return false;
    if ([...element.getClientRects()].some(isBeyond) || isClipped(element, style)) return true;
    const mayOverflow =
      /^(nowrap|pre)$/.test(style.whiteSpace) || style.overflowWrap === 'normal' || element.localName === 'math';
    if (!mayOverflow) return false;
    text.selectNodeContents(element);
    return [...text.getClientRects()].some(isBeyond);
  };
  // A drawing is fitted as a whole.
  const fittedWithParent = `[${FIT}~="scroll"] *, svg *`;
  return [...doc.body.querySelectorAll('*')].filter((element) => !element.matches(fittedWithParent) && isTooWide(element));
};

/** The first, mild way to fit an element: it wraps, shrinks, or loses its own position. */
const applyMildFit = (element: Element, style: CSSStyleDeclaration): void => {
  if (element.matches(PICTURES)) return addFit(element, 'shrink');
  if (style.position !== 'static' || style.float !== 'none' || /-/.test(style.marginInline)) addFit(element, 'place');
  addFit(element, 'wrap');
};

/**
 * The element that scrolls instead, where wrapping does not help: a whole table, a whole formula.
 */
const getScrollBox = (element: Element, style: CSSStyleDeclaration): Element => {
  const container = element.closest('table, math, pre, figure');
  if (container !== null && container.ownerDocument.body.contains(container)) return container.closest('table') ?? container;
  const isInline = style.display.startsWith('inline') || style.display === 'contents';
  return isInline && element.parentElement !== null && element.parentElement !== element.ownerDocument.body
    ? element.parentElement
    : element;
};

/** Names of the attributes that fitting has added, by element. */
const addedAttributes = new WeakMap<Element, string[]>();

const addAttribute = (element: Element, name: string, value: string): void => {
  if (value === '' || element.hasAttribute(name)) return;
  element.setAttribute(name, value);
  addedAttributes.set(element, [...(addedAttributes.get(element) ?? []), name]);
};

const removeAddedAttributes = (element: Element): void => {
  for (const name of addedAttributes.get(element) ?? []) element.removeAttribute(name);
  addedAttributes.delete(element);
};

/** Elements that cannot have an accessible name without a role. */
const UNNAMED = 'div, span, p, pre, code';

const makeFocusable = (element: Element): void => {
  addAttribute(element, 'tabindex', '0');
  // Displayed as a block, a table would lose its role.
  if (element.matches('table')) addAttribute(element, 'role', 'table');
  if (element.matches(UNNAMED)) addAttribute(element, 'role', 'group');
  // How to enlarge it, in the customer's language: the view has the text.
  const hint = document.querySelector<HTMLElement>('[data-enlarge-hint]')?.dataset['enlargeHint'];
  addAttribute(element, 'aria-description', hint ?? '');
};

/**
 * Minimum ratio of a picture's own width to its rendered width for it to count as reduced;
 * ornaments do not.
 */
const REDUCED_MIN_RATIO = 1.2;
const MAX_ORNAMENT_PIXELS = 160;

/** A picture's intrinsic width in pixels; 0 where it has none. */
const getNaturalWidth = (picture: Element): number => {
  if (picture.localName === 'img') return (picture as HTMLImageElement).naturalWidth;
  const width = picture.getAttribute('width') ?? '';
  return /^[\d.]+(px)?$/.test(width) ? Number.parseFloat(width) : 0;
};

const makeReducedFocusable = (picture: Element): void => {
  if (!picture.matches('img, svg') || picture.matches(FITTED) || picture.parentElement?.closest('svg, a, button') != null) return;
  const { width } = picture.getBoundingClientRect();
  if (width < MAX_ORNAMENT_PIXELS || getNaturalWidth(picture) < width * REDUCED_MIN_RATIO) return;
  addAttribute(picture, REDUCED_ATTRIBUTE, 'true');
  makeFocusable(picture);
};

const sheets = new WeakMap<Document, CSSStyleSheet>();

/**
 * A constructed style sheet after those of the page: as it is not an element, it shifts no stored
 * place (CFI).
 */
const getFitSheet = (doc: Document): CSSStyleSheet | null => {
  const cachedSheet = sheets.get(doc);
  const view = doc.defaultView;
  if (cachedSheet !== undefined || view === null) return cachedSheet ?? null;
  const sheet = new view.CSSStyleSheet();
  doc.adoptedStyleSheets = [...doc.adoptedStyleSheets, sheet];
  sheets.set(doc, sheet);
  // Pictures may load after the layout.
  doc.addEventListener('load', ({ target }) => makeReducedFocusable(target as Element), true);
  return sheet;
};

/**
 * Fits content wider than a column into it: first it wraps or shrinks, else its box scrolls. Called
 * for each layout, so that a wider column undoes the fitting of a narrower one.
 */
export const fitWideContent = (doc: Document, column: Column): void => {
  for (const element of doc.querySelectorAll(`[${FIT}], ${REDUCED}`)) {
    element.removeAttribute(FIT);
    removeAddedAttributes(element);
  }
  getFitSheet(doc)?.replaceSync(createFitStyles(column));
  const view = doc.defaultView;
  const isBeyond = createOverflowCheck(doc, column);
  const getStyle = (element: Element) => view?.getComputedStyle(element);
  for (const element of findWideElements(doc, isBeyond)) {
    const style = getStyle(element);
    if (style !== undefined) applyMildFit(element, style);
  }
  // The innermost element is the one that is too wide; its ancestors only follow.
  for (const element of findWideElements(doc, isBeyond).toReversed()) {
    const style = getStyle(element);
    const isAround = element.querySelector(`[${FIT}~="scroll"]`) !== null;
    if (style === undefined || isAround || element.matches(PICTURES)) continue;
    addFit(getScrollBox(element, style), 'scroll');
  }
  for (const element of doc.querySelectorAll(FITTED)) makeFocusable(element);
  for (const picture of doc.querySelectorAll('img, svg')) makeReducedFocusable(picture);
};
