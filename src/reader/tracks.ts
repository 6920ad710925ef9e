import type { TracksCommand, TracksFact, TracksInput, ViewerItem } from '../../machines/model/reading.ts';
import type { EngineIo } from './engine.ts';
import { startFilmStage } from './film-stage.ts';
import { load, makePlayers, problemOfPlayer, setPlayback } from './media-players.ts';
import { startMediaKeys } from './media-keys.ts';
import { isExpired, renewable } from './renewable.ts';
import { showPlaybackTime } from './playback-time.ts';
import { trackProgress, type TrackPoint } from './track-progress.ts';

/** How often a playing recording says where it is. */
const PASSED_MS = 5_000;
/** From here on, the way to the part before leads to the beginning of this one. */
const BEGUN_SECONDS = 3;

/** Plays recordings one after the other. Facts and commands as in the model of reading. */
export const runTracks = async (
  { medium, items: firstItems, start, playback: firstPlayback, about }: TracksInput,
  { send, receive, signal }: EngineIo<TracksCommand, TracksFact>,
): Promise<void> => {
  const addresses = renewable(firstItems, () => send({ type: 'tracks.expired' }), signal);
  let items = firstItems;
  const players = await makePlayers(medium, about.cover?.url ?? '', signal);
  const [firstPlayer] = players;
  if (firstPlayer === undefined) return;
  const progress = trackProgress(firstItems);
  let player = firstPlayer;
  let index = -1;
  let playback = firstPlayback;
  let ready = false;
  let passedAt = 0;
  /** Another address was asked for, and nothing has come from it yet. */
  let isAsking = false;

  const itemId = () => items[index]?.id ?? '';
  const here = (): TrackPoint => ({ index, seconds: player.currentTime });
  const place = () => ({
    itemId: itemId(),
    seconds: player.currentTime,
    totalProgression: progress.totalProgression(here()),
  });
  const time = () => ({ seconds: player.currentTime, duration: player.duration, rate: playback.rate });
  const write = showPlaybackTime(time, signal);
  const showTime = () => keys.showTime(time(), !player.paused);
  const tellPassed = () => {
    passedAt = performance.now();
    send({ type: 'position.passed', ...place() });
    showTime();
  };

  const play = () => {
    passedAt = performance.now();
    player.play().catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'NotAllowedError') send({ type: 'tracks.blocked' });
    });
  };
  /** Goes to a place; the other player may have its item loaded already. */
  const goTo = ({ index: next, seconds }: TrackPoint, playing: boolean) => {
    const item = items[next];
    if (item === undefined) return;
    const changed = next !== index;
    index = next;
    const prepared = players.find((other) => other !== player && other.dataset['item'] === item.id);
    if (prepared !== undefined) {
      player.pause();
      player = prepared;
    }
    load(player, item);
    setPlayback(player, item, playback);
    player.currentTime = seconds;
    if (playing) play();
    keys.showItem();
    if (changed) send({ type: 'tracks.itemChanged', itemId: item.id });
    if (player.readyState > 0) onLoaded();
    else write();
  };
  const prepareNext = () => {
    const [other, next] = [players.find((one) => one !== player), items[index + 1]];
    if (other !== undefined && next !== undefined) load(other, next);
  };

  const onEnded = () => {
    tellPassed();
    if (index + 1 < items.length) return goTo({ index: index + 1, seconds: 0 }, true);
    return send({ type: 'tracks.ended' });
  };
  const onLoaded = () => {
    isAsking = false;
    // The browser has chosen captions of its own meanwhile.
    applyPlayback(player);
    progress.learn(index, player.duration);
    write();
    showTime();
    prepareNext();
    if (ready) {
      // A track that is loaded at its beginning is not sought in.
      if (!player.seeking) tellPassed();
      return;
    }
    ready = true;
    send({ type: 'tracks.ready' });
  };
  const onPause = () => {
    if (player.ended) return;
    tellPassed();
    send({ type: 'tracks.paused', itemId: itemId(), seconds: player.currentTime });
  };
  const onTime = () => {
    write();
    if (!player.paused && performance.now() - passedAt >= PASSED_MS) tellPassed();
  };
  const onError = async () => {
    const problem = await problemOfPlayer(player, itemId(), signal);
    if (problem === null) return;
    if (!isExpired(problem) || isAsking) {
      // Whoever tries again goes on here.
      if (ready) tellPassed();
      return send({ type: 'tracks.failed', problem });
    }
    isAsking = true;
    if (player.getAttribute('src') === items[index]?.url) await addresses.instead(items);
    goTo(here(), !player.paused);
  };
  const onRenewed = (renewed: ViewerItem[]) => {
    items = renewed;
    addresses.renewed(renewed);
    prepareNext();
  };

  // What the other player does is no news: it loads ahead, or has just given way.
  for (const one of players) {
    const on = (name: keyof HTMLMediaElementEventMap, listener: () => void) =>
      one.addEventListener(
        name,
        () => {
          if (one === player) listener();
        },
        { signal },
      );
    on('playing', () => {
      showTime();
      send({ type: 'tracks.playing' });
    });
    on('pause', onPause);
    on('waiting', () => {
      if (!one.paused && !one.ended) send({ type: 'tracks.waiting' });
    });
    on('ended', onEnded);
    on('loadedmetadata', onLoaded);
    on('timeupdate', onTime);
    on('seeked', () => {
      write();
      if (ready) tellPassed();
    });
    on('durationchange', write);
    on('error', () => {
      onError().catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    });
  }

  const applyPlayback = (one: HTMLMediaElement) => {
    const item = items.find(({ id }) => id === one.dataset['item']);
    if (item !== undefined) setPlayback(one, item, playback);
  };
  const switchFullScreen = player instanceof HTMLVideoElement ? startFilmStage(player, send, signal) : () => undefined;
  const step = (by: 1 | -1) => {
    const next = Math.min(Math.max(index + by, 0), items.length - 1);
    // A part that has begun is begun again first, as record players do.
    goTo({ index: by < 0 && player.currentTime > BEGUN_SECONDS ? index : next, seconds: 0 }, !player.paused);
  };
  const onCommand = (command: TracksCommand) => {
    switch (command.type) {
      case 'tracks.play':
        if (player.ended && index === items.length - 1) return goTo({ index: 0, seconds: 0 }, true);
        return play();
      case 'tracks.pause':
        return player.pause();
      case 'tracks.seek':
        return goTo({ index: items.findIndex(({ id }) => id === command.itemId), seconds: command.seconds }, !player.paused);
      case 'tracks.skip':
        return goTo(progress.skip(here(), command.seconds), !player.paused);
      case 'tracks.playback':
        playback = command.playback;
        players.forEach(applyPlayback);
        showTime();
        return write();
      case 'tracks.tell':
        return send({ type: 'tracks.told', ...place() });
      case 'tracks.fullScreen':
        return switchFullScreen();
      case 'tracks.renewed':
        return onRenewed(command.items);
    }
  };
  const keys = startMediaKeys({ about, obey: onCommand, item: () => items[index], step: items.length > 1 ? step : null }, signal);

  const first = Math.max(
    0,
    items.findIndex(({ id }) => id === start?.itemId),
  );
  goTo({ index: first, seconds: items[first]?.id === start?.itemId ? (start?.seconds ?? 0) : 0 }, false);
  receive(onCommand);
};
