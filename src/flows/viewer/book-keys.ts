export type BookKeyEvent = { type: 'turn.pressed'; direction: 'next' | 'previous' } | { type: 'book.controlsRequested' };

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
