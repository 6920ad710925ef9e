import type { TracksFact } from '../../machines/model/reading/reading.ts';

/** How long the bars over a film stay when nobody moves. */
const IDLE_MS = 3_000;

/** Of Safari on telephones, which fills the screen with nothing but its own player. */
type PhoneVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void };

/**
 * What surrounds a film's picture: the whole screen, and bars that go while nobody moves. `data-idle` on the player says
 * that nobody does, many times a minute without a machine or a view hearing of it. @returns what switches full screen
 */
export const startFilmStage = (video: HTMLVideoElement, send: (fact: TracksFact) => void, signal: AbortSignal): (() => void) => {
  const player = video.closest<HTMLElement>('[data-flow]') ?? video;
  document.addEventListener(
    'fullscreenchange',
    () => send({ type: 'tracks.fullScreenChanged', on: document.fullscreenElement !== null }),
    { signal },
  );
  hideBarsInIdleness(player, video, signal);
  return () => {
    // A browser that refuses has its reasons, and the player is as usable as before.
    if (document.fullscreenElement !== null) document.exitFullscreen().catch(() => undefined);
    else if (document.fullscreenEnabled) player.requestFullscreen().catch(() => undefined);
    else (video as PhoneVideo).webkitEnterFullscreen?.();
  };
};

const hideBarsInIdleness = (player: HTMLElement, video: HTMLVideoElement, signal: AbortSignal): void => {
  let timer = 0;
  const wake = () => {
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
      wake();
    },
    { capture: true, signal },
  );
  player.addEventListener(
    'click',
    (press) => {
      // A finger that brings the bars back does not stop the film as well.
      if (isWaking && press.target === video) press.stopPropagation();
    },
    { capture: true, signal },
  );
  for (const name of ['pointermove', 'keydown', 'focusin']) player.addEventListener(name, wake, { signal });
  for (const name of ['playing', 'pause', 'ended']) video.addEventListener(name, wake, { signal });
  signal.addEventListener('abort', () => clearTimeout(timer));
};
