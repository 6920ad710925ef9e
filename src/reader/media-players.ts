import { selectCaptions, type Playback, type TracksInput, type ViewerItem } from '../../machines/model/reading/reading.ts';
import { findMountPoint, mount } from './mount-point.ts';
import { toProblem, type Problem } from '../../machines/model/problem.ts';
import { malformedProblem, offlineProblem } from '../client/wire/problem.ts';
import { fetchMedia } from './fetch-media.ts';

/**
 * The media elements: two for sound, so that the next track preloads while one plays; one for film,
 * in its mount point.
 */
export const createPlayers = async (
  medium: TracksInput['medium'],
  poster: string,
  signal: AbortSignal,
): Promise<HTMLMediaElement[]> => {
  const players = medium === 'audio' ? [new Audio(), new Audio()] : [await mountVideo(poster, signal)];
  for (const player of players) {
    player.preload = 'auto';
    player.preservesPitch = true;
  }
  signal.addEventListener('abort', () => players.forEach(unload));
  return players;
};

const mountVideo = async (poster: string, signal: AbortSignal): Promise<HTMLVideoElement> => {
  const mountPoint = await findMountPoint('video', signal);
  const video = document.createElement('video');
  video.playsInline = true;
  if (poster !== '') video.poster = poster;
  Object.assign(video.style, { width: '100%', height: '100%', display: 'block' });
  mount(mountPoint, video, signal);
  return video;
};

/** Releases the file and its connection. */
const unload = (player: HTMLMediaElement): void => {
  player.pause();
  player.replaceChildren();
  player.removeAttribute('src');
  player.load();
};

/** Loads an item from its current address, unless it is loaded already. */
export const loadItem = (player: HTMLMediaElement, item: ViewerItem): void => {
  if (player.dataset['item'] === item.id && player.getAttribute('src') === item.url && player.error === null) return;
  player.dataset['item'] = item.id;
  player.replaceChildren(...item.captions.map(createCaptionTrack));
  player.src = item.url;
};

const createCaptionTrack = ({ url, language }: ViewerItem['captions'][number]): HTMLTrackElement => {
  const track = document.createElement('track');
  track.kind = 'captions';
  track.src = url;
  track.srclang = language;
  track.label = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
  return track;
};

/**
 * Sets speed, volume and captions. Loading a source resets the rate to the default one, so both are
 * set.
 */
export const setPlayback = (player: HTMLMediaElement, { captions }: ViewerItem, playback: Playback): void => {
  const { rate, volume, muted } = playback;
  player.defaultPlaybackRate = rate;
  player.playbackRate = rate;
  player.volume = volume;
  player.muted = muted;
  const shownCaptions = selectCaptions(captions, playback.captions);
  for (const [nth, { track }] of [...player.querySelectorAll('track')].entries()) {
    track.mode = shownCaptions !== null && captions[nth] === shownCaptions ? 'showing' : 'disabled';
  }
};

/** Why the server refuses a player's file; null where it does not, or the engine has stopped. */
export const fetchRefusal = async ({ currentSrc, src }: HTMLMediaElement, signal: AbortSignal): Promise<Problem | null> => {
  try {
    await fetchMedia(currentSrc || src, signal, 'HEAD');
    return null;
  } catch (failure) {
    return signal.aborted ? null : toProblem(failure);
  }
};

/** Firefox's error for a recording on a device without sound output; Chromium plays it silently. */
const NO_SOUND_OUTPUT = 'OnMediaSinkAudioError';

/**
 * Why a player failed. Its own error says little, so the file is requested once more; null when the
 * engine has stopped.
 */
export const diagnosePlayer = async (player: HTMLMediaElement, itemId: string, signal: AbortSignal): Promise<Problem | null> => {
  const { error } = player;
  const refusal = await fetchRefusal(player, signal);
  if (refusal !== null || signal.aborted) return refusal;
  if (error?.code === MediaError.MEDIA_ERR_NETWORK) return offlineProblem();
  const message = error?.message ?? '';
  if (message.startsWith(NO_SOUND_OUTPUT)) return { kind: 'refused', code: 'no_sound_output', message };
  return malformedProblem('recording', itemId, message);
};
