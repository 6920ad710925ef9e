import type { TracksCommand } from '../../machines/model/reading.ts';

const SKIP_SECONDS = 15;

/** Obeys the keys of keyboards, headsets and lock screens while the recording is open. */
export const startMediaKeys = (obey: (command: TracksCommand) => void, name: () => string, signal: AbortSignal): void => {
  const { mediaSession } = navigator;
  const handlers: Partial<Record<MediaSessionAction, MediaSessionActionHandler>> = {
    play: () => {
      mediaSession.metadata = new MediaMetadata({ title: name() });
      obey({ type: 'tracks.play' });
    },
    pause: () => obey({ type: 'tracks.pause' }),
    seekbackward: ({ seekOffset }) => obey({ type: 'tracks.skip', seconds: -(seekOffset ?? SKIP_SECONDS) }),
    seekforward: ({ seekOffset }) => obey({ type: 'tracks.skip', seconds: seekOffset ?? SKIP_SECONDS }),
  };
  const actions = Object.keys(handlers) as MediaSessionAction[];
  for (const action of actions) mediaSession.setActionHandler(action, handlers[action] ?? null);
  mediaSession.metadata = new MediaMetadata({ title: name() });
  signal.addEventListener('abort', () => {
    for (const action of actions) mediaSession.setActionHandler(action, null);
    mediaSession.metadata = null;
  });
};
