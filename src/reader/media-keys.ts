import type { RecordingInfo, TracksCommand, ViewerItem } from '../../machines/model/reading/reading.ts';
import type { PlaybackTime } from './playback-time.ts';

const SKIP_SECONDS = 15;

type MediaKeysOptions = {
  about: RecordingInfo;
  execute: (command: TracksCommand) => void;
  item: () => ViewerItem | undefined;
  /** Skips parts forwards or backwards; null for a recording of one part. */
  step: ((direction: 1 | -1) => void) | null;
};

/**
 * The Media Session of an open recording: metadata and controls for lock screens, headsets and
 * keyboards.
 */
export type MediaKeys = {
  /** Shows the current part; called when another part becomes current. */
  showItem: () => void;
  /**
   * Reports the position after a jump, or after a change of rate or state: in between the browser
   * extrapolates it.
   */
  showTime: (time: PlaybackTime, playing: boolean) => void;
};

export const startMediaKeys = ({ about, execute, item, step }: MediaKeysOptions, signal: AbortSignal): MediaKeys => {
  const { mediaSession } = navigator;
  const seekTo = (seconds: number) => execute({ type: 'tracks.seek', itemId: item()?.id ?? '', seconds });
  const handlers: Partial<Record<MediaSessionAction, MediaSessionActionHandler>> = {
    play: () => execute({ type: 'tracks.play' }),
    pause: () => execute({ type: 'tracks.pause' }),
    seekbackward: ({ seekOffset }) => execute({ type: 'tracks.skip', seconds: -(seekOffset ?? SKIP_SECONDS) }),
    seekforward: ({ seekOffset }) => execute({ type: 'tracks.skip', seconds: seekOffset ?? SKIP_SECONDS }),
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
        artwork: toArtwork(about),
      });
    },
    showTime: ({ seconds, duration, rate }, playing) => {
      mediaSession.playbackState = playing ? 'playing' : 'paused';
      // Without a known duration there is no position to report.
      if (!Number.isFinite(duration) || duration <= 0) return mediaSession.setPositionState();
      return mediaSession.setPositionState({ duration, playbackRate: rate, position: Math.min(seconds, duration) });
    },
  };
};

const toArtwork = ({ cover }: RecordingInfo): MediaImage[] => {
  if (cover === null) return [];
  const sizes = cover.width > 0 && cover.height > 0 ? { sizes: `${cover.width}x${cover.height}` } : {};
  return [{ src: cover.url, ...sizes }];
};
