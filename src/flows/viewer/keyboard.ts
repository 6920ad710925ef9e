type BookKeyEvent =
  | { type: 'turn.pressed'; direction: 'next' | 'previous' }
  | { type: 'book.controlsRequested' }
  | { type: 'book.reduceRequested' };

type KeyPress = { key: string; shiftKey: boolean; ctrlKey: boolean; altKey: boolean; metaKey: boolean };

const pageKeys: Record<string, 'next' | 'previous'> = { PageDown: 'next', PageUp: 'previous' };
/** In a book that is read from left to right. */
const arrowKeys: Record<string, 'next' | 'previous'> = { ArrowRight: 'next', ArrowLeft: 'previous' };
/** In a book that is read from right to left. */
const mirroredArrowKeys: Record<string, 'next' | 'previous'> = { ArrowRight: 'previous', ArrowLeft: 'next' };

/**
 * Maps a key press during reading to an event; null leaves the key to the browser. `within` is the
 * kind of the focused element: a `field` (input, select or text area) keeps all keys but Escape, a
 * `button` (or link) its space bar. An open panel keeps all keys.
 */
export const toBookEvent = (
  press: KeyPress,
  {
    within,
    panelOpen,
    enlarged,
    rightToLeft,
  }: { within: 'field' | 'button' | 'page'; panelOpen: boolean; enlarged: boolean; rightToLeft: boolean },
): BookKeyEvent | null => {
  if (panelOpen || press.ctrlKey || press.altKey || press.metaKey) return null;
  if (press.key === 'Escape') return { type: enlarged ? 'book.reduceRequested' : 'book.controlsRequested' };
  if (within === 'field') return null;
  const direction = pageKeys[press.key] ?? (rightToLeft ? mirroredArrowKeys : arrowKeys)[press.key];
  if (direction) return { type: 'turn.pressed', direction };
  if (press.key === ' ' && within === 'page') {
    return { type: 'turn.pressed', direction: press.shiftKey ? 'previous' : 'next' };
  }
  return null;
};

/** The kind of the focused element, by the keys that it handles itself. */
export const getFocusKind = (target: EventTarget): 'field' | 'button' | 'page' => {
  if (!(target instanceof Element)) return 'page';
  if (target.closest('input, select, textarea')) return 'field';
  return target.closest('button, a') ? 'button' : 'page';
};

type TrackKeyEvent =
  | { type: 'play.pressed' }
  | { type: 'pause.pressed' }
  | { type: 'skip.pressed'; seconds: number }
  | { type: 'volume.chosen'; volume: number }
  | { type: 'mute.pressed' }
  | { type: 'captions.chosen'; language: string }
  | { type: 'fullScreen.pressed' };

export const skipBackSeconds = -15;
export const skipForwardSeconds = 30;
/** Change of the volume by one press; the volume is 0 to 1. */
const volumeStep = 0.1;

type TrackKeys = {
  within: 'field' | 'button' | 'page';
  playing: boolean;
  /** The audible volume: 0 when muted. */
  volume: number;
  /**
   * The language that the captions' switch selects, '' for off; null where there are no captions.
   */
  captionsNext: string | null;
  film: boolean;
};

const trackKeys: Record<string, (keys: TrackKeys) => TrackKeyEvent | null> = {
  ' ': ({ within, playing }) => (within === 'page' ? { type: playing ? 'pause.pressed' : 'play.pressed' } : null),
  k: ({ playing }) => ({ type: playing ? 'pause.pressed' : 'play.pressed' }),
  ArrowLeft: () => ({ type: 'skip.pressed', seconds: skipBackSeconds }),
  ArrowRight: () => ({ type: 'skip.pressed', seconds: skipForwardSeconds }),
  ArrowUp: ({ volume }) => ({ type: 'volume.chosen', volume: Math.min(1, volume + volumeStep) }),
  ArrowDown: ({ volume }) => ({ type: 'volume.chosen', volume: Math.max(0, volume - volumeStep) }),
  m: () => ({ type: 'mute.pressed' }),
  c: ({ captionsNext }) => (captionsNext === null ? null : { type: 'captions.chosen', language: captionsNext }),
  f: ({ film }) => (film ? { type: 'fullScreen.pressed' } : null),
};

/**
 * Maps a key press during playback to an event; null leaves the key to the browser. `within` is as
 * in `toBookEvent`, but a `field` keeps all keys.
 */
export const toTrackEvent = (press: KeyPress, keys: TrackKeys): TrackKeyEvent | null => {
  if (press.ctrlKey || press.altKey || press.metaKey || keys.within === 'field') return null;
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  return trackKeys[key]?.(keys) ?? null;
};

/**
 * Focuses the element when it appears, and forwards key presses on the body to it: a focused iframe
 * or button that is removed leaves the focus on the body. A stable function, so that React calls it
 * once, not at each render.
 */
export const holdFocus = (node: HTMLElement | null): (() => void) | undefined => {
  if (!node) return undefined;
  node.focus({ preventScroll: true });
  const forwardKey = (press: KeyboardEvent) => {
    const { key, shiftKey, target } = press;
    if (target !== document.body || press.ctrlKey || press.altKey || press.metaKey || key === 'Tab') return;
    node.focus({ preventScroll: true });
    const isHandled = !node.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }));
    if (isHandled) press.preventDefault();
  };
  document.addEventListener('keydown', forwardKey);
  return () => document.removeEventListener('keydown', forwardKey);
};
