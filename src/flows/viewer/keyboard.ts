type BookKeyEvent = { type: 'turn.pressed'; direction: 'next' | 'previous' } | { type: 'book.controlsRequested' };

type KeyPress = { key: string; shiftKey: boolean; ctrlKey: boolean; altKey: boolean; metaKey: boolean };

const turns: Record<string, 'next' | 'previous'> = {
  ArrowRight: 'next',
  ArrowLeft: 'previous',
  PageDown: 'next',
  PageUp: 'previous',
};

/**
 * What a key means while reading; null leaves it to the browser. `within` names what the key was pressed in: a `field`
 * (slider, radio, select) keeps its arrows, a `button` its space bar. An open panel keeps all of them.
 */
export const bookKey = (
  press: KeyPress,
  { within, panelOpen }: { within: 'field' | 'button' | 'page'; panelOpen: boolean },
): BookKeyEvent | null => {
  if (panelOpen || press.ctrlKey || press.altKey || press.metaKey) return null;
  if (press.key === 'Escape') return { type: 'book.controlsRequested' };
  if (within === 'field') return null;
  const direction = turns[press.key];
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

type TrackKeyEvent = { type: 'play.pressed' } | { type: 'pause.pressed' } | { type: 'skip.pressed'; seconds: number };

export const skipBack = -15;
export const skipForward = 30;

/** What a key means while listening; null leaves it to the browser. `within` as for a book's keys. */
export const trackKey = (
  press: KeyPress,
  { within, playing }: { within: 'field' | 'button' | 'page'; playing: boolean },
): TrackKeyEvent | null => {
  if (press.ctrlKey || press.altKey || press.metaKey || within === 'field') return null;
  if (press.key === 'ArrowLeft') return { type: 'skip.pressed', seconds: skipBack };
  if (press.key === 'ArrowRight') return { type: 'skip.pressed', seconds: skipForward };
  if (press.key === ' ' && within === 'page') return { type: playing ? 'pause.pressed' : 'play.pressed' };
  return null;
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
