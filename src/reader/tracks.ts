import type { TracksCommand, TracksFact, TracksInput, ViewerItem } from '../../machines/model/reading/reading.ts';
import { isUnreachable, toProblem, type Problem } from '../../machines/model/problem.ts';
import { offlineProblem } from '../client/wire/problem.ts';
import type { EngineIo } from './engine.ts';
import { startFilmStage } from './film-stage.ts';
import { loadItem, createPlayers, diagnosePlayer, fetchRefusal, setPlayback } from './media-players.ts';
import { startMediaKeys } from './media-keys.ts';
import { delay, untilUnreachable } from './reachable.ts';
import { isExpired, createRenewable } from './renewable.ts';
import { showPlaybackTime } from './playback-time.ts';
import { createTrackProgress, type TrackPoint } from './track-progress.ts';

/** Milliseconds between reports of the position during playback. */
const POSITION_INTERVAL_MS = 5_000;
/** Milliseconds without data, although the server answers, after which a player is restarted. */
const STALL_TIMEOUT_MS = 15_000;
/** Seconds from which "previous part" goes to the beginning of the current one. */
const RESTART_AFTER_SECONDS = 3;

/** Plays recordings in sequence. Facts and commands as in the model of reading. */
export const runTracks = async (
  { medium, items: firstItems, start, playback: firstPlayback, about }: TracksInput,
  { send, receive, signal }: EngineIo<TracksCommand, TracksFact>,
): Promise<void> => {
  const addresses = createRenewable(firstItems, () => send({ type: 'tracks.expired' }), signal);
  let items = firstItems;
  const players = await createPlayers(medium, about.cover?.url ?? '', signal);
  const [firstPlayer] = players;
  if (firstPlayer === undefined) return;
  const progress = createTrackProgress(firstItems);
  let player = firstPlayer;
  let index = -1;
  let playback = firstPlayback;
  let ready = false;
  let passedAt = 0;
  /** Another address was requested, and nothing has arrived from it yet. */
  let isAsking = false;
  let isInterrupted = false;
  /** Whether it plays, or should: a failing player stops without a pause event. */
  let plays = false;
  /** Number of times that data of the file has arrived. */
  let arrivals = 0;
  /** Ends the probing of an unreachable server while the player waits for data. */
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
  /** Goes to a place; the other player may have preloaded its item. */
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
    loadItem(player, item);
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
    if (other !== undefined && next !== undefined) loadItem(other, next);
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
    // The browser may have selected captions of its own in the meantime.
    applyPlayback(player);
    progress.setLength(index, player.duration);
    write();
    showTime();
    prepareNext();
    if (ready) {
      // A track that is preloaded at its beginning does not seek.
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
    if (!player.paused && performance.now() - passedAt >= POSITION_INTERVAL_MS) tellPassed();
  };
  /** Retries with another address where the old one has expired; else returns the problem. */
  const renewedOr = async (problem: Problem | null): Promise<Problem | null> => {
    if (problem === null || !isExpired(problem) || isAsking) return problem;
    isAsking = true;
    try {
      await addresses.getReplacement(items);
      tryAgain();
      return null;
    } catch (error) {
      return signal.aborted ? null : toProblem(error);
    }
  };
  /** Retries a failed load, at the current address. */
  const tryAgain = () => goTo(here(), plays);
  const onError = async () => {
    endStall();
    const isRenewed = player.getAttribute('src') !== items[index]?.url;
    if (isRenewed && !isAsking) {
      isAsking = true;
      return tryAgain();
    }
    const problem = await renewedOr(await diagnosePlayer(player, itemId(), signal));
    if (problem === null) return;
    isAsking = false;
    if (!ready) return send({ type: 'tracks.failed', problem });
    tellPassed();
    interrupt(problem);
  };
  const interrupt = (problem: Problem) => {
    isInterrupted = true;
    if (plays && isUnreachable(problem)) send({ type: 'tracks.waiting' });
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
    const problem = await fetchRefusal(player, signal);
    // The picture and the loaded part stay until more arrives.
    if (problem !== null && isUnreachable(problem)) return interrupt(problem);
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
    untilUnreachable(player.currentSrc, waits).then(
      () => {
        // Without a server, a restarted player would lose the picture and its loaded part.
        over.abort();
        interrupt(offlineProblem());
      },
      () => undefined,
    );
    void untilSilent(waits).then(() => {
      // A player whose request hangs does not retry by itself.
      delete player.dataset['item'];
      tryAgain();
    });
  };
  const untilSilent = async (waits: AbortSignal): Promise<void> => {
    for (let before = -1; before !== arrivals;) {
      before = arrivals;
      await delay(STALL_TIMEOUT_MS, waits);
    }
  };
  const onRenewed = (renewed: ViewerItem[]) => {
    items = renewed;
    addresses.renewed(renewed);
    prepareNext();
  };

  // The other player's events are ignored: it is preloading, or has just been replaced.
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
    // A started part restarts first, as on other players.
    goTo({ index: by < 0 && player.currentTime > RESTART_AFTER_SECONDS ? index : next, seconds: 0 }, plays);
  };
  const onCommand = (command: TracksCommand) => {
    switch (command.type) {
      case 'tracks.play':
        if (player.ended && index === items.length - 1) return goTo({ index: 0, seconds: 0 }, true);
        // A failed player does not restart by itself.
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
