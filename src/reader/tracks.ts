import type { TracksCommand, TracksFact, TracksInput, ViewerItem } from '../../machines/model/reading/reading.ts';
import { isUnreached, problemOf, type Problem } from '../../machines/model/problem.ts';
import { unreached } from '../client/wire/problem.ts';
import type { EngineIo } from './engine.ts';
import { startFilmStage } from './film-stage.ts';
import { load, makePlayers, problemOfPlayer, refusalOf, setPlayback } from './media-players.ts';
import { startMediaKeys } from './media-keys.ts';
import { pause, untilLost } from './reachable.ts';
import { isExpired, renewable } from './renewable.ts';
import { showPlaybackTime } from './playback-time.ts';
import { trackProgress, type TrackPoint } from './track-progress.ts';

/** How often a playing recording says where it is. */
const PASSED_MS = 5_000;
/** A player to which nothing has come for so long, although the server answers, starts again. */
const SILENCE_MS = 15_000;
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
  let isInterrupted = false;
  /** It plays, or would if it could: a player that gives up stops without a word. */
  let plays = false;
  /** How often something of its file has come to the player. */
  let arrivals = 0;
  /** Ends the watch for a server that is gone, while the player waits for it. */
  let endStall = () => undefined as void;

  const itemId = () => items[index]?.id ?? '';
  const here = (): TrackPoint => ({ index, seconds: player.currentTime });
  const place = () => ({
    itemId: itemId(),
    seconds: player.currentTime,
    totalProgression: progress.totalProgression(here()),
  });
  const time = () => ({
    seconds: player.currentTime,
    duration: player.readyState > 0 ? player.duration : (items[index]?.durationSeconds ?? NaN),
    rate: playback.rate,
  });
  const write = showPlaybackTime(time, signal);
  const showTime = () => keys.showTime(time(), !player.paused);
  const tellPassed = () => {
    passedAt = performance.now();
    send({ type: 'position.passed', ...place() });
    showTime();
  };

  const play = () => {
    plays = true;
    passedAt = performance.now();
    player.play().catch((error: unknown) => {
      if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') return;
      plays = false;
      send({ type: 'tracks.blocked' });
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
    plays = false;
    return send({ type: 'tracks.ended' });
  };
  const onLoaded = () => {
    isAsking = false;
    onContinued();
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
    endStall();
    if (player.ended) return;
    plays = false;
    tellPassed();
    send({ type: 'tracks.paused', itemId: itemId(), seconds: player.currentTime });
  };
  const onTime = () => {
    write();
    if (!player.paused && performance.now() - passedAt >= PASSED_MS) tellPassed();
  };
  /** Tries again at another address where the old one has expired; else gives the problem. */
  const renewedOr = async (problem: Problem | null): Promise<Problem | null> => {
    if (problem === null || !isExpired(problem) || isAsking) return problem;
    isAsking = true;
    try {
      await addresses.instead(items);
      tryAgain();
      return null;
    } catch (error) {
      return signal.aborted ? null : problemOf(error);
    }
  };
  /** Tries once more what did not come, at the address that is known now. */
  const tryAgain = () => goTo(here(), plays);
  const onError = async () => {
    endStall();
    const isRenewed = player.getAttribute('src') !== items[index]?.url;
    if (isRenewed && !isAsking) {
      isAsking = true;
      return tryAgain();
    }
    const problem = await renewedOr(await problemOfPlayer(player, itemId(), signal));
    if (problem === null) return;
    isAsking = false;
    if (!ready) return send({ type: 'tracks.failed', problem });
    tellPassed();
    interrupt(problem);
  };
  const interrupt = (problem: Problem) => {
    isInterrupted = true;
    if (plays && isUnreached(problem)) send({ type: 'tracks.waiting' });
    else if (plays) {
      plays = false;
      send({ type: 'tracks.paused', itemId: itemId(), seconds: player.currentTime });
    }
    send({ type: 'tracks.interrupted', problem });
  };
  const onContinued = () => {
    endStall();
    if (isInterrupted) send({ type: 'tracks.continued' });
    isInterrupted = false;
  };
  const onContinue = async () => {
    if (!isInterrupted) return;
    const problem = await refusalOf(player, signal);
    // The picture and what is loaded stay until there is more.
    if (problem !== null && isUnreached(problem)) return interrupt(problem);
    if (player.error !== null) return tryAgain();
    onContinued();
    if (plays && player.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) onStall();
  };
  const onStall = () => {
    send({ type: 'tracks.waiting' });
    endStall();
    const over = new AbortController();
    endStall = () => over.abort();
    const waits = AbortSignal.any([over.signal, signal]);
    untilLost(player.currentSrc, waits).then(
      () => {
        // Without a server, a player that starts again would lose the picture and its loaded part.
        over.abort();
        interrupt(unreached());
      },
      () => undefined,
    );
    void untilSilent(waits).then(() => {
      // A player whose request hangs does not ask again by itself.
      delete player.dataset['item'];
      tryAgain();
    });
  };
  const untilSilent = async (waits: AbortSignal): Promise<void> => {
    for (let before = -1; before !== arrivals;) {
      before = arrivals;
      await pause(SILENCE_MS, waits);
    }
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
      onContinued();
      showTime();
      send({ type: 'tracks.playing' });
    });
    on('pause', onPause);
    on('waiting', () => {
      if (!one.paused && !one.ended) onStall();
    });
    on('ended', onEnded);
    on('loadedmetadata', onLoaded);
    on('timeupdate', onTime);
    on('seeked', () => {
      write();
      if (ready) tellPassed();
    });
    on('durationchange', write);
    on('progress', () => {
      arrivals += 1;
    });
    on('error', () => untilStopped(onError()));
  }

  const untilStopped = (work: Promise<unknown>): void =>
    void work.catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  const applyPlayback = (one: HTMLMediaElement) => {
    const item = items.find(({ id }) => id === one.dataset['item']);
    if (item !== undefined) setPlayback(one, item, playback);
  };
  const switchFullScreen = player instanceof HTMLVideoElement ? startFilmStage(player, send, signal) : () => undefined;
  const step = (by: 1 | -1) => {
    const next = Math.min(Math.max(index + by, 0), items.length - 1);
    // A part that has begun is begun again first, as record players do.
    goTo({ index: by < 0 && player.currentTime > BEGUN_SECONDS ? index : next, seconds: 0 }, plays);
  };
  const onCommand = (command: TracksCommand) => {
    switch (command.type) {
      case 'tracks.play':
        if (player.ended && index === items.length - 1) return goTo({ index: 0, seconds: 0 }, true);
        // A player that has given up does not begin again by itself.
        return player.error === null ? play() : goTo(here(), true);
      case 'tracks.pause':
        return player.pause();
      case 'tracks.seek':
        return goTo({ index: items.findIndex(({ id }) => id === command.itemId), seconds: command.seconds }, plays);
      case 'tracks.skip':
        return goTo(progress.skip(here(), command.seconds), plays);
      case 'tracks.playback':
        playback = command.playback;
        players.forEach(applyPlayback);
        showTime();
        return write();
      case 'tracks.tell':
        return send({ type: 'tracks.told', ...place() });
      case 'tracks.fullScreen':
        return switchFullScreen();
      case 'tracks.continue':
        return untilStopped(onContinue());
      case 'tracks.renewed':
        return onRenewed(command.items);
      case 'tracks.notRenewed':
        return addresses.failed(command.problem);
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
