export type TrackKeyEvent = { type: 'play.pressed' } | { type: 'pause.pressed' } | { type: 'skip.pressed'; seconds: number };

export const skipBack = -15;
export const skipForward = 30;

type KeyPress = { key: string; ctrlKey: boolean; altKey: boolean; metaKey: boolean };

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
