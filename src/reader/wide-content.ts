/** A column of a page, in pixels along the lines of text and across them. */
type Column = { width: number; gap: number; height: number; vertical: boolean };

/**
 * Marks an element that was fitted into its column: `wrap` breaks its lines, `shrink` makes it as
 * small as the column, `scroll` gives it a box that scrolls.
 */
export const FIT = 'data-colophon-fit';

/** Attribute of a picture that is drawn much smaller than it is, by its book or by the renderer. */
const REDUCED_ATTRIBUTE = 'data-colophon-reduced';
export const REDUCED = `[${REDUCED_ATTRIBUTE}]`;

/** Attribute of the copy that is shown large over its page. */
export const ENLARGED_ATTRIBUTE = 'data-colophon-enlarged';
export const ENLARGED = `[${ENLARGED_ATTRIBUTE}]`;
/** A box that scrolls in its page. */
export const SCROLLED = `[${FIT}~="scroll"], ${ENLARGED}`;
/** Content that can be enlarged by a press or a key; a reduced picture by a double press. */
export const FITTED = `[${FIT}~="scroll"], [${FIT}~="shrink"]:is(img, svg, canvas)`;
export const ENLARGEABLE = `${FITTED}, ${REDUCED}`;
/** The marks and all that elements have by them. */
export const MARKS = [FIT, REDUCED_ATTRIBUTE];

const PICTURES = 'img, svg, canvas, video, object, picture, iframe, embed';

/** The rules of the marks. They hold against the book's own, in the directions of its lines. */
const fitStyles = ({ width, height }: Column): string => `
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

const add = (element: Element, fit: Fit): void => {
  const fits = new Set((element.getAttribute(FIT) ?? '').split(' ').filter((each) => each !== ''));
  element.setAttribute(FIT, [...fits.add(fit)].join(' '));
};

/** Whether a rectangle reaches beyond its column, further than half of the gap beside it. */
const beyond = (doc: Document, { width, gap, vertical }: Column): ((rect: DOMRect) => boolean) => {
  const root = doc.documentElement.getBoundingClientRect();
  const isRightToLeft = !vertical && doc.defaultView?.getComputedStyle(doc.body).direction === 'rtl';
  return (rect) => {
    const size = vertical ? rect.height : rect.width;
    if (size === 0) return false;
    const from = vertical ? rect.top - root.top : isRightToLeft ? root.right - rect.right : rect.left - root.left;
    const inColumn = from - gap / 2 - Math.floor(from / (width + gap)) * (width + gap);
    return inColumn + size - width > gap / 2;
  };
};

/** Whether a box cuts off what is in it. */
const cutsOff = (element: Element, style: CSSStyleDeclaration): boolean =>
  /hidden|clip/.test(style.overflow) &&
  (element.scrollWidth > element.clientWidth + 8 || element.scrollHeight > element.clientHeight + 8) &&
  element.textContent.trim() !== '' &&
  element.clientHeight > 8;

const isShown = (style: CSSStyleDeclaration): boolean => style.display !== 'none' && style.visibility !== 'hidden';

/** The elements of a page that reach beyond their columns, or whose text does. */
const wideIn = (doc: Document, isBeyond: (rect: DOMRect) => boolean): Element[] => {
  const view = doc.defaultView;
  const text = doc.createRange();
  const reaches = (element: Element): boolean => {
    const style = view?.getComputedStyle(element);
    if (style === undefined || !isShown(style)) return false;
    if ([...element.getClientRects()].some(isBeyond) || cutsOff(element, style)) return true;
    const mayOverflow =
      /^(nowrap|pre)$/.test(style.whiteSpace) || style.overflowWrap === 'normal' || element.localName === 'math';
    if (!mayOverflow) return false;
    text.selectNodeContents(element);
    return [...text.getClientRects()].some(isBeyond);
  };
  // A drawing is fitted as a whole.
  const inOther = `[${FIT}~="scroll"] *, svg *`;
  return [...doc.body.querySelectorAll('*')].filter((element) => !element.matches(inOther) && reaches(element));
};

/** The first, mild way to fit an element: it wraps, shrinks, or loses a position of its own. */
const ease = (element: Element, style: CSSStyleDeclaration): void => {
  if (element.matches(PICTURES)) return add(element, 'shrink');
  if (style.position !== 'static' || style.float !== 'none' || /-/.test(style.marginInline)) add(element, 'place');
  add(element, 'wrap');
};

/** The box that scrolls instead, where wrapping does not help: all of a table, all of a formula. */
const boxOf = (element: Element, style: CSSStyleDeclaration): Element => {
  const whole = element.closest('table, math, pre, figure');
  if (whole !== null && whole.ownerDocument.body.contains(whole)) return whole.closest('table') ?? whole;
  const isInline = style.display.startsWith('inline') || style.display === 'contents';
  return isInline && element.parentElement !== null && element.parentElement !== element.ownerDocument.body
    ? element.parentElement
    : element;
};

/** The attributes that elements have only while they are fitted. */
const given = new WeakMap<Element, string[]>();

const give = (element: Element, name: string, value: string): void => {
  if (value === '' || element.hasAttribute(name)) return;
  element.setAttribute(name, value);
  given.set(element, [...(given.get(element) ?? []), name]);
};

const takeBack = (element: Element): void => {
  for (const name of given.get(element) ?? []) element.removeAttribute(name);
  given.delete(element);
};

/** Elements that are nothing to a screen reader without a role. */
const UNNAMED = 'div, span, p, pre, code';

const openToKeys = (element: Element): void => {
  give(element, 'tabindex', '0');
  // As a block, a table would lose its role.
  if (element.matches('table')) give(element, 'role', 'table');
  if (element.matches(UNNAMED)) give(element, 'role', 'group');
  // How it is enlarged, in the customer's language: the view has the words.
  const hint = document.querySelector<HTMLElement>('[data-enlarge-hint]')?.dataset['enlargeHint'];
  give(element, 'aria-description', hint ?? '');
};

/** A picture is reduced where it is so many times as wide as it is drawn, and no ornament. */
const REDUCED_TIMES = 1.2;
const ORNAMENT_PIXELS = 160;

/** The width of a picture by itself, in pixels; 0 where it has none. */
const ownWidth = (picture: Element): number => {
  if (picture.localName === 'img') return (picture as HTMLImageElement).naturalWidth;
  const width = picture.getAttribute('width') ?? '';
  return /^[\d.]+(px)?$/.test(width) ? Number.parseFloat(width) : 0;
};

const openReduced = (picture: Element): void => {
  if (!picture.matches('img, svg') || picture.matches(FITTED) || picture.parentElement?.closest('svg, a, button') != null) return;
  const { width } = picture.getBoundingClientRect();
  if (width < ORNAMENT_PIXELS || ownWidth(picture) < width * REDUCED_TIMES) return;
  give(picture, REDUCED_ATTRIBUTE, 'true');
  openToKeys(picture);
};

const sheets = new WeakMap<Document, CSSStyleSheet>();

/** A style sheet behind those of the page: as no element of it, it moves no place that is kept. */
const sheetOf = (doc: Document): CSSStyleSheet | null => {
  const known = sheets.get(doc);
  const view = doc.defaultView;
  if (known !== undefined || view === null) return known ?? null;
  const sheet = new view.CSSStyleSheet();
  doc.adoptedStyleSheets = [...doc.adoptedStyleSheets, sheet];
  sheets.set(doc, sheet);
  // A picture that comes after the layout.
  doc.addEventListener('load', ({ target }) => openReduced(target as Element), true);
  return sheet;
};

/**
 * Fits what is wider than a column into it: first it wraps or shrinks, else its box scrolls. Called
 * for each layout, so that more room gives back what less room took.
 */
export const fitWideContent = (doc: Document, column: Column): void => {
  for (const element of doc.querySelectorAll(`[${FIT}], ${REDUCED}`)) {
    element.removeAttribute(FIT);
    takeBack(element);
  }
  sheetOf(doc)?.replaceSync(fitStyles(column));
  const view = doc.defaultView;
  const isBeyond = beyond(doc, column);
  const styleOf = (element: Element) => view?.getComputedStyle(element);
  for (const element of wideIn(doc, isBeyond)) {
    const style = styleOf(element);
    if (style !== undefined) ease(element, style);
  }
  // The innermost element is the one that is too wide; those around it only follow.
  for (const element of wideIn(doc, isBeyond).toReversed()) {
    const style = styleOf(element);
    const isAround = element.querySelector(`[${FIT}~="scroll"]`) !== null;
    if (style === undefined || isAround || element.matches(PICTURES)) continue;
    add(boxOf(element, style), 'scroll');
  }
  for (const element of doc.querySelectorAll(FITTED)) openToKeys(element);
  for (const picture of doc.querySelectorAll('img, svg')) openReduced(picture);
};
