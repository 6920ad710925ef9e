import { ENLARGEABLE, ENLARGED, FITTED, REDUCED, SCROLLED } from './wide-content.ts';
import type { BookFact } from '../../machines/model/reading/reading.ts';

type Request = Extract<
  BookFact,
  { type: 'book.turnRequested' | 'book.controlsRequested' | 'book.enlargeRequested' | 'book.reduceRequested' }
>;

export type GestureContext = {
  send: (request: Request) => void;
  /** Whether the book is read from right to left: then pages turn the other way. */
  rightToLeft: boolean;
  /** The element whose edges turn pages. An unhandled Escape in a page is passed on to it. */
  mountPoint: HTMLElement;
  /** Whether pages may be higher than the mount point: then the vertical arrow keys scroll them. */
  scrolls: boolean;
  /** Called with an element to enlarge, before its request; without it nothing can be enlarged. */
  onEnlarge?: (element: Element) => void;
  signal: AbortSignal;
};

/** The share of the width, on each side, in which a press turns the page. */
const EDGE_SHARE = 0.3;
const SWIPE_PIXELS = 40;
/**
 * Distance from the window's side within which a browser starts its own swipe for history
 * navigation.
 */
const BROWSER_EDGE_PIXELS = 28;
/** Maximum movement of a finger that counts as a press. */
const PRESS_PIXELS = 10;

const createTurnRequest = (direction: 'next' | 'previous'): Request => ({ type: 'book.turnRequested', direction });
const createTurnTowards = (side: 'left' | 'right', rightToLeft: boolean): Request =>
  createTurnRequest((side === 'right') === rightToLeft ? 'previous' : 'next');

/** The request of a key while the page has the focus; null leaves it to the page. */
const toKeyRequest = (press: KeyboardEvent, rightToLeft: boolean, scrolls: boolean): Request | null => {
  if (press.ctrlKey || press.altKey || press.metaKey || press.defaultPrevented) return null;
  const element = press.composedPath()[0];
  const tag = element !== undefined && 'localName' in element ? String(element.localName) : '';
  if (/^(input|select|textarea|audio|video|summary|button)$/.test(tag)) return null;
  if (press.key === 'ArrowRight') return createTurnTowards('right', rightToLeft);
  if (press.key === 'ArrowLeft') return createTurnTowards('left', rightToLeft);
  if (press.key === 'PageDown' || (press.key === 'ArrowDown' && !scrolls)) return createTurnRequest('next');
  if (press.key === 'PageUp' || (press.key === 'ArrowUp' && !scrolls)) return createTurnRequest('previous');
  if (press.key === ' ' && tag !== 'a') return createTurnRequest(press.shiftKey ? 'previous' : 'next');
  return null;
};

/**
 * The request of a press: at the left or right edge it turns the page, in the middle it toggles the
 * controls. `x` and `width` are in the same pixels.
 */
const toPressRequest = (x: number, width: number, rightToLeft: boolean): Request => {
  if (x < width * EDGE_SHARE) return createTurnTowards('left', rightToLeft);
  if (x > width * (1 - EDGE_SHARE)) return createTurnTowards('right', rightToLeft);
  return { type: 'book.controlsRequested' };
};

/** Handles keys, presses and swipes on the mount point itself or in a page's document within it. */
export const listenForGestures = (target: Document | HTMLElement, context: GestureContext): void => {
  const { send, rightToLeft, mountPoint, scrolls, onEnlarge, signal } = context;
  const inIframe = target !== mountPoint;

  const tryEnlarge = (press: Event, selector: string): boolean => {
    const element = findClosest(press, selector);
    if (onEnlarge === undefined || element === null || findClosest(press, ENLARGED) !== null) return false;
    onEnlarge(element);
    press.preventDefault();
    press.stopPropagation();
    send({ type: 'book.enlargeRequested' });
    return true;
  };
  const onKey = (press: KeyboardEvent) => {
    if (press.key === 'Escape' && findClosest(press, ENLARGED) !== null) return send({ type: 'book.reduceRequested' });
    if (press.key === 'Enter' && press.target === findClosest(press, ENLARGEABLE) && tryEnlarge(press, ENLARGEABLE)) return;
    if (canScrollByKey(press)) return;
    const request = toKeyRequest(press, rightToLeft, scrolls);
    if (request !== null) {
      press.preventDefault();
      press.stopPropagation();
      send(request);
    } else if (inIframe && press.key === 'Escape') {
      mountPoint.dispatchEvent(new KeyboardEvent('keydown', { key: press.key, bubbles: true, cancelable: true }));
    }
  };

  const onClick = (press: MouseEvent) => {
    if (press.defaultPrevented || press.button !== 0 || isControl(press) || hasSelection(target)) return;
    if (findClosest(press, ENLARGED) !== null || tryEnlarge(press, FITTED)) return;
    const { left, width } = mountPoint.getBoundingClientRect();
    send(toPressRequest(toWindowX(press, target) - left, width, rightToLeft));
  };

  const getScroller = (press: Event) => (scrolls ? mountPoint.firstElementChild : findClosest(press, SCROLLED));
  let touchStart: { touch: Touch; scroller: Element | null; scrollLeft: number; isOurs: boolean } | null = null;
  const onTouchStart = (press: TouchEvent) => {
    const [touch] = press.touches;
    touchStart = null;
    // The renderer would drag the page by itself, bypassing the machine.
    press.stopImmediatePropagation();
    if (touch === undefined || press.touches.length !== 1) return;
    const x = toWindowX(touch, target);
    const isAtSide = x < BROWSER_EDGE_PIXELS || x > innerWidth - BROWSER_EDGE_PIXELS;
    const scroller = getScroller(press);
    const isOurs = isAtSide && press.cancelable && !isControl(press) && findClosest(press, SCROLLED) === null;
    touchStart = { touch, scroller, scrollLeft: scroller?.scrollLeft ?? 0, isOurs };
    // A touch at the window's side is withheld from the browser and turns pages as elsewhere; its
    // click is suppressed.
    if (touchStart.isOurs) press.preventDefault();
  };
  const onTouchEnd = (press: TouchEvent) => {
    press.stopImmediatePropagation();
    const end = press.changedTouches[0];
    if (touchStart === null || end === undefined || hasSelection(target)) return;
    // A page wider than the window was panned, not turned.
    if ((touchStart.scroller?.scrollLeft ?? 0) !== touchStart.scrollLeft || touchStart.scroller?.matches(ENLARGED) === true)
      return;
    const [across, down] = [end.screenX - touchStart.touch.screenX, end.screenY - touchStart.touch.screenY];
    if (touchStart.isOurs && Math.hypot(across, down) < PRESS_PIXELS) {
      const { left, width } = mountPoint.getBoundingClientRect();
      return send(toPressRequest(toWindowX(end, target) - left, width, rightToLeft));
    }
    if (Math.abs(across) < SWIPE_PIXELS || Math.abs(across) < Math.abs(down) * 1.5) return;
    if (press.cancelable) press.preventDefault();
    send(createTurnTowards(across < 0 ? 'right' : 'left', rightToLeft));
  };
  // The browser would take a horizontal swipe as its history navigation, and fire no event for its
  // end.
  const root = 'documentElement' in target ? target.documentElement : target;
  if (!scrolls) root.style.touchAction = 'pan-y pinch-zoom';

  const on = target.addEventListener.bind(target) as HTMLElement['addEventListener'];
  on('keydown', onKey, { signal });
  on('click', onClick, { signal });
  // A single press of a reduced picture turns the page or toggles the controls, as beside it.
  on('dblclick', (press) => void tryEnlarge(press, REDUCED), { signal });
  on('touchstart', onTouchStart, { capture: true, passive: false, signal });
  on('touchmove', (press) => press.stopImmediatePropagation(), { capture: true, passive: true, signal });
  on('touchend', onTouchEnd, { capture: true, passive: false, signal });
};

/**
 * The horizontal position of a press in pixels of the shop's window: a page's document is shifted
 * behind the mount point.
 */
const toWindowX = (press: { clientX: number }, target: Document | HTMLElement): number => {
  const iframe = 'defaultView' in target ? target.defaultView?.frameElement : null;
  if (iframe == null) return press.clientX;
  const { left, width } = iframe.getBoundingClientRect();
  return left + press.clientX * (width / Math.max(1, iframe.clientWidth));
};

/** The innermost element around a press that matches the selector, in any window. */
const findClosest = (press: Event, selector: string): Element | null => {
  const isElement = (node: EventTarget): node is Element => 'matches' in node;
  return press.composedPath().find((node): node is Element => isElement(node) && node.matches(selector)) ?? null;
};

const arrowDirections: Record<string, [across: number, down: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Whether the key is left to a scrolling box: the enlarged copy, or one with room to scroll. */
const canScrollByKey = (press: KeyboardEvent): boolean => {
  const box = findClosest(press, SCROLLED);
  const [across, down] = arrowDirections[press.key] ?? [0, 0];
  if (box === null || (across === 0 && down === 0)) return box?.matches(ENLARGED) === true;
  const hasRoom = (position: number, max: number, step: number) => (step > 0 ? position < max - 1 : step < 0 && position > 0);
  return (
    hasRoom(Math.abs(box.scrollLeft), box.scrollWidth - box.clientWidth, across) ||
    hasRoom(box.scrollTop, box.scrollHeight - box.clientHeight, down) ||
    box.matches(ENLARGED)
  );
};

const isControl = (press: Event): boolean =>
  press
    .composedPath()
    .some(
      (node) =>
        'localName' in node && /^(a|button|input|select|textarea|label|audio|video|summary)$/.test(String(node.localName)),
    );

const hasSelection = (target: Document | HTMLElement): boolean => {
  const selection = ('defaultView' in target ? target : target.ownerDocument).getSelection();
  return selection !== null && !selection.isCollapsed;
};
