import { ENLARGEABLE, ENLARGED, FITTED, REDUCED, SCROLLED } from './wide-content.ts';
import type { BookFact } from '../../machines/model/reading/reading.ts';

type Request = Extract<
  BookFact,
  { type: 'book.turnRequested' | 'book.controlsRequested' | 'book.enlargeRequested' | 'book.reduceRequested' }
>;

export type GestureContext = {
  send: (request: Request) => void;
  /** Pages turn to the left in books bound on the right. */
  rightToLeft: boolean;
  /** The margins are measured against it, and it receives the keys that the reader does not handle. */
  mountPoint: HTMLElement;
  /** Pages may be higher than the mount point: the arrows up and down scroll them. */
  scrolls: boolean;
  /** Remembers what is to be enlarged; without it nothing can be. */
  toEnlarge?: (element: Element) => void;
  signal: AbortSignal;
};

/** The share of the width, on each side, where a press turns the page. */
const EDGE = 0.3;
const SWIPE_PIXELS = 40;
/** So near to the window's side a finger begins a browser's own swipe, which leaves the page. */
const BROWSER_EDGE_PIXELS = 28;
/** A finger that moves no further has pressed. */
const PRESS_PIXELS = 10;

const turn = (direction: 'next' | 'previous'): Request => ({ type: 'book.turnRequested', direction });
const towards = (side: 'left' | 'right', rightToLeft: boolean): Request =>
  turn((side === 'right') === rightToLeft ? 'previous' : 'next');

/** What a key asks for while the focus is on the page; null leaves it to the page. */
const keyRequest = (press: KeyboardEvent, rightToLeft: boolean, scrolls: boolean): Request | null => {
  if (press.ctrlKey || press.altKey || press.metaKey || press.defaultPrevented) return null;
  const element = press.composedPath()[0];
  const tag = element !== undefined && 'localName' in element ? String(element.localName) : '';
  if (/^(input|select|textarea|audio|video|summary|button)$/.test(tag)) return null;
  if (press.key === 'ArrowRight') return towards('right', rightToLeft);
  if (press.key === 'ArrowLeft') return towards('left', rightToLeft);
  if (press.key === 'PageDown' || (press.key === 'ArrowDown' && !scrolls)) return turn('next');
  if (press.key === 'PageUp' || (press.key === 'ArrowUp' && !scrolls)) return turn('previous');
  if (press.key === ' ' && tag !== 'a') return turn(press.shiftKey ? 'previous' : 'next');
  return null;
};

/** Left or right edge turns, the middle asks for the controls; `x` and `width` in the same pixels. */
const pressRequest = (x: number, width: number, rightToLeft: boolean): Request => {
  if (x < width * EDGE) return towards('left', rightToLeft);
  if (x > width * (1 - EDGE)) return towards('right', rightToLeft);
  return { type: 'book.controlsRequested' };
};

/** Listens to keys, presses and swipes on the mount point itself or in a page's document within it. */
export const listenForGestures = (target: Document | HTMLElement, context: GestureContext): void => {
  const { send, rightToLeft, mountPoint, scrolls, toEnlarge, signal } = context;
  const inIframe = target !== mountPoint;

  const enlarges = (press: Event, selector: string): boolean => {
    const element = closest(press, selector);
    if (toEnlarge === undefined || element === null || closest(press, ENLARGED) !== null) return false;
    toEnlarge(element);
    press.preventDefault();
    press.stopPropagation();
    send({ type: 'book.enlargeRequested' });
    return true;
  };
  const onKey = (press: KeyboardEvent) => {
    if (press.key === 'Escape' && closest(press, ENLARGED) !== null) return send({ type: 'book.reduceRequested' });
    if (press.key === 'Enter' && press.target === closest(press, ENLARGEABLE) && enlarges(press, ENLARGEABLE)) return;
    if (scrollsBy(press)) return;
    const request = keyRequest(press, rightToLeft, scrolls);
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
    if (closest(press, ENLARGED) !== null || enlarges(press, FITTED)) return;
    const { left, width } = mountPoint.getBoundingClientRect();
    send(pressRequest(windowX(press, target) - left, width, rightToLeft));
  };

  const scrollerOf = (press: Event) => (scrolls ? mountPoint.firstElementChild : closest(press, SCROLLED));
  let start: { touch: Touch; scroller: Element | null; scrolled: number; ours: boolean } | null = null;
  const onTouchStart = (press: TouchEvent) => {
    const [touch] = press.touches;
    start = null;
    // The renderer would drag the page by itself, past the machine.
    press.stopImmediatePropagation();
    if (touch === undefined || press.touches.length !== 1) return;
    const x = windowX(touch, target);
    const atSide = x < BROWSER_EDGE_PIXELS || x > innerWidth - BROWSER_EDGE_PIXELS;
    const scroller = scrollerOf(press);
    const ours = atSide && press.cancelable && !isControl(press) && closest(press, SCROLLED) === null;
    start = { touch, scroller, scrolled: scroller?.scrollLeft ?? 0, ours };
    // Taken from the browser, a finger at the side turns pages as it does elsewhere; it clicks no more.
    if (start.ours) press.preventDefault();
  };
  const onTouchEnd = (press: TouchEvent) => {
    press.stopImmediatePropagation();
    const end = press.changedTouches[0];
    if (start === null || end === undefined || hasSelection(target)) return;
    // A page that is wider than the window was moved, not turned.
    if ((start.scroller?.scrollLeft ?? 0) !== start.scrolled || start.scroller?.matches(ENLARGED) === true) return;
    const [across, down] = [end.screenX - start.touch.screenX, end.screenY - start.touch.screenY];
    if (start.ours && Math.hypot(across, down) < PRESS_PIXELS) {
      const { left, width } = mountPoint.getBoundingClientRect();
      return send(pressRequest(windowX(end, target) - left, width, rightToLeft));
    }
    if (Math.abs(across) < SWIPE_PIXELS || Math.abs(across) < Math.abs(down) * 1.5) return;
    if (press.cancelable) press.preventDefault();
    send(towards(across < 0 ? 'right' : 'left', rightToLeft));
  };
  // The browser would take a swipe across for its own way back, and never say that the finger has left.
  const element = 'documentElement' in target ? target.documentElement : target;
  if (!scrolls) element.style.touchAction = 'pan-y pinch-zoom';

  const on = target.addEventListener.bind(target) as HTMLElement['addEventListener'];
  on('keydown', onKey, { signal });
  on('click', onClick, { signal });
  // One press of a picture turns the page or asks for the controls, as it does beside it.
  on('dblclick', (press) => void enlarges(press, REDUCED), { signal });
  on('touchstart', onTouchStart, { capture: true, passive: false, signal });
  on('touchmove', (press) => press.stopImmediatePropagation(), { capture: true, passive: true, signal });
  on('touchend', onTouchEnd, { capture: true, passive: false, signal });
};

/** In the pixels of the shop's window: a page's document is moved behind the mount point. */
const windowX = (press: { clientX: number }, target: Document | HTMLElement): number => {
  const iframe = 'defaultView' in target ? target.defaultView?.frameElement : null;
  if (iframe == null) return press.clientX;
  const { left, width } = iframe.getBoundingClientRect();
  return left + press.clientX * (width / Math.max(1, iframe.clientWidth));
};

/** The innermost element around a press that the selector fits, of any window. */
const closest = (press: Event, selector: string): Element | null => {
  const isElement = (node: EventTarget): node is Element => 'matches' in node;
  return press.composedPath().find((node): node is Element => isElement(node) && node.matches(selector)) ?? null;
};

const arrows: Record<string, [across: number, down: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Whether a key scrolls the box that has the focus, as the browser does by itself. */
const scrollsBy = (press: KeyboardEvent): boolean => {
  const box = closest(press, SCROLLED);
  const [across, down] = arrows[press.key] ?? [0, 0];
  if (box === null || (across === 0 && down === 0)) return box?.matches(ENLARGED) === true;
  const room = (at: number, most: number, step: number) => (step > 0 ? at < most - 1 : step < 0 && at > 0);
  return (
    room(Math.abs(box.scrollLeft), box.scrollWidth - box.clientWidth, across) ||
    room(box.scrollTop, box.scrollHeight - box.clientHeight, down) ||
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
