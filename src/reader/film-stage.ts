import type { TracksFact } from '../../machines/model/reading/reading.ts';

/** Milliseconds without activity after which the bars over a film are hidden. */
const IDLE_MS = 3_000;

/** Safari on phones allows full screen only with its own player. */
type PhoneVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void };

/**
 * Reports full screen, and hides the bars without activity. The player's `data-idle` attribute
 * shows inactivity; it changes many times a minute, so neither a machine nor a view is notified.
 * @returns a function that toggles full screen
 */
export const startFilmStage = (video: HTMLVideoElement, send: (fact: TracksFact) => void, signal: AbortSignal): (() => void) => {
  const player = video.closest<HTMLElement>('[data-flow]') ?? video;
  document.addEventListener(
    'fullscreenchange',
    () => send({ type: 'tracks.fullScreenChanged', on: document.fullscreenElement !== null }),
    { signal },
  );
  hideIdleBars(player, video, signal);
  return () => {
    // A browser may refuse; the player remains usable.
    if (document.fullscreenElement !== null) document.exitFullscreen().catch(() => undefined);
    else if (document.fullscreenEnabled) player.requestFullscreen().catch(() => undefined);
    else (video as PhoneVideo).webkitEnterFullscreen?.();
  };
};

const hideIdleBars = (player: HTMLElement, video: HTMLVideoElement, signal: AbortSignal): void => {
  let timer = 0;
  const showBars = () => {
    delete player.dataset['idle'];
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      if (!video.paused) player.dataset['idle'] = '';
    }, IDLE_MS);
  };
  let isWaking = false;
  player.addEventListener(
    'pointerdown',
    ({ pointerType }) => {
      isWaking = pointerType === 'touch' && player.dataset['idle'] !== undefined;
      showBars();
    },
    { capture: true, signal },
  );
  player.addEventListener(
    'click',
    (press) => {
      // A press that shows the bars again does not pause the film as well.
      if (isWaking && press.target === video) press.stopPropagation();
    },
    { capture: true, signal },
  );
  for (const name of ['pointermove', 'keydown', 'focusin']) player.addEventListener(name, showBars, { signal });
  for (const name of ['playing', 'pause', 'ended']) video.addEventListener(name, showBars, { signal });
  signal.addEventListener('abort', () => clearTimeout(timer));
};
