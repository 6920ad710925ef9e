type BookKeyEvent =
  | { type: 'turn.pressed'; direction: 'next' | 'previous' }
  | { type: 'book.controlsRequested' }
  | { type: 'book.reduceRequested' };

type KeyPress = { key: string; shiftKey: boolean; ctrlKey: boolean; altKey: boolean; metaKey: boolean };

const turns: Record<string, 'next' | 'previous'> = { PageDown: 'next', PageUp: 'previous' };
/** In a book bound on the right they are the other way round. */
const sideways: Record<string, 'next' | 'previous'> = { ArrowRight: 'next', ArrowLeft: 'previous' };
const mirrored: Record<string, 'next' | 'previous'> = { ArrowRight: 'previous', ArrowLeft: 'next' };

/**
 * What a key means while reading; null leaves it to the browser. `within` names what the key was pressed in: a `field`
 * (slider, radio, select) keeps its arrows, a `button` its space bar. An open panel keeps all of them.
 */
export const bookKey = (
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
  const direction = turns[press.key] ?? (rightToLeft ? mirrored : sideways)[press.key];
  if (direction) return { type: 'turn.pressed', direction };
  if (press.key === ' ' && within === 'page') {
    return { type: 'turn.pressed', direction: press.shiftKey ? 'previous' : 'next' };
  }
  return null;
};

/** What the focused element does with keys of its own. */
export const fieldOf = (target: EventTarget): 'field' | 'button' | 'page' => {
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

export const skipBack = -15;
export const skipForward = 30;
/** How much louder or softer a press makes it, of 1. */
const volumeStep = 0.1;

type TrackKeys = {
  within: 'field' | 'button' | 'page';
  playing: boolean;
  /** As it is heard: 0 when it is muted. */
  volume: number;
  /** The language that the other state of the captions' switch is in, '' for off; null where there are no captions. */
  captionsNext: string | null;
  film: boolean;
};

const trackKeys: Record<string, (keys: TrackKeys) => TrackKeyEvent | null> = {
  ' ': ({ within, playing }) => (within === 'page' ? { type: playing ? 'pause.pressed' : 'play.pressed' } : null),
  k: ({ playing }) => ({ type: playing ? 'pause.pressed' : 'play.pressed' }),
  ArrowLeft: () => ({ type: 'skip.pressed', seconds: skipBack }),
  ArrowRight: () => ({ type: 'skip.pressed', seconds: skipForward }),
  ArrowUp: ({ volume }) => ({ type: 'volume.chosen', volume: Math.min(1, volume + volumeStep) }),
  ArrowDown: ({ volume }) => ({ type: 'volume.chosen', volume: Math.max(0, volume - volumeStep) }),
  m: () => ({ type: 'mute.pressed' }),
  c: ({ captionsNext }) => (captionsNext === null ? null : { type: 'captions.chosen', language: captionsNext }),
  f: ({ film }) => (film ? { type: 'fullScreen.pressed' } : null),
};

/** What a key means while listening or watching; null leaves it to the browser. `within` as for a book's keys. */
export const trackKey = (press: KeyPress, keys: TrackKeys): TrackKeyEvent | null => {
  if (press.ctrlKey || press.altKey || press.metaKey || keys.within === 'field') return null;
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  return trackKeys[key]?.(keys) ?? null;
};

/**
 * Takes the focus when the element appears, and the keys that would go to nobody: a page's iframe or a button that goes
 * away while it is focused leaves them to the body. One function for every render, so that it runs once.
 */
export const holdFocus = (node: HTMLElement | null): (() => void) | undefined => {
  if (!node) return undefined;
  node.focus({ preventScroll: true });
  const passOn = (press: KeyboardEvent) => {
    const { key, shiftKey, target } = press;
    if (target !== document.body || press.ctrlKey || press.altKey || press.metaKey || key === 'Tab') return;
    node.focus({ preventScroll: true });
    const taken = !node.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }));
    if (taken) press.preventDefault();
  };
  document.addEventListener('keydown', passOn);
  return () => document.removeEventListener('keydown', passOn);
};
