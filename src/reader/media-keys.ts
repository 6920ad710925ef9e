import type { AboutRecording, TracksCommand, ViewerItem } from '../../machines/model/reading/reading.ts';
import type { PlaybackTime } from './playback-time.ts';

const SKIP_SECONDS = 15;

type Given = {
  about: AboutRecording;
  obey: (command: TracksCommand) => void;
  item: () => ViewerItem | undefined;
  /** So many parts on, or back; null for a recording of one part. */
  step: ((by: 1 | -1) => void) | null;
};

/** What lock screens, headsets and keyboards show of the recording and ask of it, for as long as it is open. */
export type MediaKeys = {
  /** Another part is the current one. */
  showItem: () => void;
  /** Where it is, when that has jumped or what it follows from has changed: in between it runs on by itself. */
  showTime: (time: PlaybackTime, playing: boolean) => void;
};

export const startMediaKeys = ({ about, obey, item, step }: Given, signal: AbortSignal): MediaKeys => {
  const { mediaSession } = navigator;
  const seekTo = (seconds: number) => obey({ type: 'tracks.seek', itemId: item()?.id ?? '', seconds });
  const handlers: Partial<Record<MediaSessionAction, MediaSessionActionHandler>> = {
    play: () => obey({ type: 'tracks.play' }),
    pause: () => obey({ type: 'tracks.pause' }),
    seekbackward: ({ seekOffset }) => obey({ type: 'tracks.skip', seconds: -(seekOffset ?? SKIP_SECONDS) }),
    seekforward: ({ seekOffset }) => obey({ type: 'tracks.skip', seconds: seekOffset ?? SKIP_SECONDS }),
    seekto: ({ seekTime }) => seekTo(seekTime ?? 0),
    ...(step === null ? {} : { previoustrack: () => step(-1), nexttrack: () => step(1) }),
  };
  const actions = Object.keys(handlers) as MediaSessionAction[];
  for (const action of actions) mediaSession.setActionHandler(action, handlers[action] ?? null);
  signal.addEventListener('abort', () => {
    for (const action of actions) mediaSession.setActionHandler(action, null);
    mediaSession.metadata = null;
    mediaSession.playbackState = 'none';
    mediaSession.setPositionState();
  });
  return {
    showItem: () => {
      mediaSession.metadata = new MediaMetadata({
        title: item()?.name || about.name,
        artist: about.authors.join(', '),
        album: about.name,
        artwork: artworkOf(about),
      });
    },
    showTime: ({ seconds, duration, rate }, playing) => {
      mediaSession.playbackState = playing ? 'playing' : 'paused';
      // Before its length is known there is no position either.
      if (!Number.isFinite(duration) || duration <= 0) return mediaSession.setPositionState();
      return mediaSession.setPositionState({ duration, playbackRate: rate, position: Math.min(seconds, duration) });
    },
  };
};

const artworkOf = ({ cover }: AboutRecording): MediaImage[] => {
  if (cover === null) return [];
  const sizes = cover.width > 0 && cover.height > 0 ? { sizes: `${cover.width}x${cover.height}` } : {};
  return [{ src: cover.url, ...sizes }];
};
