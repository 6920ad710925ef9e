import type { TracksCommand, TracksFact, TracksInput, ViewerItem } from '../../machines/model/reading/reading.ts';
import { isUnreachable, toProblem, type Problem } from '../../machines/model/problem.ts';
import { offlineProblem } from '../client/wire/problem.ts';
import type { EngineIo } from './engine.ts';
import { startFilmStage } from './film-stage.ts';
import { loadItem, createPlayers, diagnosePlayer, fetchRefusal, setPlayback } from './media-players.ts';
import { startMediaKeys } from './media-keys.ts';
import { delay, untilUnreachable } from './until-unreachable.ts';
import { isExpired, createRenewable } from './renewable.ts';
import { showPlaybackTime } from './playback-time.ts';
import { createTrackProgress, type TrackPoint } from './track-progress.ts';

/** Milliseconds between reports of the position during playback. */
const POSITION_INTERVAL_MS = 5_000;
/** Milliseconds without data, although the server answers, after which a player is restarted. */
const STALL_TIMEOUT_MS = 15_000;
/** "Previous part" restarts a part that has played for more than this number of seconds. */
const RESTART_AFTER_SECONDS = 3;

/**
 * Plays the items of a recording in sequence. Facts and commands are those of
 * `machines/model/reading/reading.ts`.
 */
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
  let isReady = false;
  let reportedAt = 0;
  /** Whether another address was requested, from which no data has arrived yet. */
  let isRenewing = false;
  let isInterrupted = false;
  /** Whether the player plays, or should: a failing player stops without a pause event. */
  let shouldPlay = false;
  /** Number of times that data of a file has arrived. */
  let dataArrivals = 0;
  /** Ends the probing of an unreachable server while the player waits for data. */
  let stopProbing = () => undefined as void;

  const getItemId = () => items[index]?.id ?? '';
  const getPoint = (): TrackPoint => ({ index, seconds: player.currentTime });
  const getPosition = () => ({
    itemId: getItemId(),
    seconds: player.currentTime,
    totalProgression: progress.totalProgression(getPoint()),
  });
  const getTime = () => ({
    seconds: player.currentTime,
    duration: player.readyState > 0 ? player.duration : (items[index]?.durationSeconds ?? NaN),
    rate: playback.rate,
  });
  const writeTime = showPlaybackTime(getTime, signal);
  const showTime = () => keys.showTime(getTime(), !player.paused);
  const reportPosition = () => {
    reportedAt = performance.now();
    send({ type: 'position.passed', ...getPosition() });
    showTime();
  };

  const play = () => {
    shouldPlay = true;
    reportedAt = performance.now();
    player.play().catch((error: unknown) => {
      if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') return;
      shouldPlay = false;
      send({ type: 'tracks.blocked' });
    });
  };
  /** Seeks to a place in any item; the other player may have preloaded that item. */
  const goTo = ({ index: next, seconds }: TrackPoint, playing: boolean) => {
    const item = items[next];
    if (item === undefined) return;
    const isOtherItem = next !== index;
    index = next;
    const preloadedPlayer = players.find((other) => other !== player && other.dataset['item'] === item.id);
    if (preloadedPlayer !== undefined) {
      player.pause();
      player = preloadedPlayer;
    }
    loadItem(player, item);
    setPlayback(player, item, playback);
    player.currentTime = seconds;
    if (playing) play();
    keys.showItem();
    if (isOtherItem) send({ type: 'tracks.itemChanged', itemId: item.id });
    if (player.readyState > 0) onLoaded();
    else writeTime();
  };
  const preloadNext = () => {
    const [other, next] = [players.find((one) => one !== player), items[index + 1]];
    if (other !== undefined && next !== undefined) loadItem(other, next);
  };

  const onEnded = () => {
    reportPosition();
    if (index + 1 < items.length) return goTo({ index: index + 1, seconds: 0 }, true);
    shouldPlay = false;
    return send({ type: 'tracks.ended' });
  };
  const onLoaded = () => {
    isRenewing = false;
    onContinued();
    // The browser may have selected captions of its own in the meantime.
    applyPlayback(player);
    progress.setLength(index, player.duration);
    writeTime();
    showTime();
    preloadNext();
    if (isReady) {
      // A track that is preloaded at its beginning does not seek.
      if (!player.seeking) reportPosition();
      return;
    }
    isReady = true;
    send({ type: 'tracks.ready' });
  };
  const onPause = () => {
    stopProbing();
    if (player.ended) return;
    shouldPlay = false;
    reportPosition();
    send({ type: 'tracks.paused', itemId: getItemId(), seconds: player.currentTime });
  };
  const onTime = () => {
    writeTime();
    if (!player.paused && performance.now() - reportedAt >= POSITION_INTERVAL_MS) reportPosition();
  };
  /**
   * Retries with another address if the old one has expired, and returns null; else the problem.
   */
  const retryWithNewAddress = async (problem: Problem | null): Promise<Problem | null> => {
    if (problem === null || !isExpired(problem) || isRenewing) return problem;
    isRenewing = true;
    try {
      await addresses.getReplacement(items);
      retry();
      return null;
    } catch (error) {
      return signal.aborted ? null : toProblem(error);
    }
  };
  /** Retries a failed load, at the current address. */
  const retry = () => goTo(getPoint(), shouldPlay);
  const onError = async () => {
    stopProbing();
    const isRenewed = player.getAttribute('src') !== items[index]?.url;
    if (isRenewed && !isRenewing) {
      isRenewing = true;
      return retry();
    }
    const problem = await retryWithNewAddress(await diagnosePlayer(player, getItemId(), signal));
    if (problem === null) return;
    isRenewing = false;
    if (!isReady) return send({ type: 'tracks.failed', problem });
    reportPosition();
    interrupt(problem);
  };
  const interrupt = (problem: Problem) => {
    isInterrupted = true;
    if (shouldPlay && isUnreachable(problem)) send({ type: 'tracks.waiting' });
    else if (shouldPlay) {
      shouldPlay = false;
      send({ type: 'tracks.paused', itemId: getItemId(), seconds: player.currentTime });
    }
    send({ type: 'tracks.interrupted', problem });
  };
  const onContinued = () => {
    stopProbing();
    if (isInterrupted) send({ type: 'tracks.continued' });
    isInterrupted = false;
  };
  const onContinue = async () => {
    if (!isInterrupted) return;
    const problem = await fetchRefusal(player, signal);
    // The picture and the loaded part stay until more arrives.
    if (problem !== null && isUnreachable(problem)) return interrupt(problem);
    if (player.error !== null) return retry();
    onContinued();
    if (shouldPlay && player.readyState < HTMLMediaElement.HAVE_FUTURE_DATA) onStall();
  };
  const onStall = () => {
    send({ type: 'tracks.waiting' });
    stopProbing();
    const probe = new AbortController();
    stopProbing = () => probe.abort();
    const stallSignal = AbortSignal.any([probe.signal, signal]);
    untilUnreachable(player.currentSrc, stallSignal).then(
      () => {
        // Without a server, a restarted player would lose the picture and its loaded part.
        probe.abort();
        interrupt(offlineProblem());
      },
      () => undefined,
    );
    void untilNoData(stallSignal).then(() => {
      // A player whose request hangs does not retry by itself.
      delete player.dataset['item'];
      retry();
    });
  };
  const untilNoData = async (stallSignal: AbortSignal): Promise<void> => {
    for (let arrivalsBefore = -1; arrivalsBefore !== dataArrivals;) {
      arrivalsBefore = dataArrivals;
      await delay(STALL_TIMEOUT_MS, stallSignal);
    }
  };
  const onRenewed = (renewedItems: ViewerItem[]) => {
    items = renewedItems;
    addresses.renewed(renewedItems);
    preloadNext();
  };

  // Events of the other player are ignored: it is preloading, or has just been replaced.
  for (const eachPlayer of players) {
    const on = (name: keyof HTMLMediaElementEventMap, listener: () => void) =>
      eachPlayer.addEventListener(
        name,
        () => {
          if (eachPlayer === player) listener();
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
      if (!eachPlayer.paused && !eachPlayer.ended) onStall();
    });
    on('ended', onEnded);
    on('loadedmetadata', onLoaded);
    on('timeupdate', onTime);
    on('seeked', () => {
      writeTime();
      if (isReady) reportPosition();
    });
    on('durationchange', writeTime);
    on('progress', () => {
      dataArrivals += 1;
    });
    on('error', () => throwUnlessStopped(onError()));
  }

  const throwUnlessStopped = (work: Promise<unknown>): void =>
    void work.catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  const applyPlayback = (target: HTMLMediaElement) => {
    const item = items.find(({ id }) => id === target.dataset['item']);
    if (item !== undefined) setPlayback(target, item, playback);
  };
  const toggleFullScreen = player instanceof HTMLVideoElement ? startFilmStage(player, send, signal) : () => undefined;
  const goToNeighbour = (direction: 1 | -1) => {
    const next = Math.min(Math.max(index + direction, 0), items.length - 1);
    // A part that has played for a while restarts first, as on other players.
    goTo({ index: direction < 0 && player.currentTime > RESTART_AFTER_SECONDS ? index : next, seconds: 0 }, shouldPlay);
  };
  const onCommand = (command: TracksCommand) => {
    switch (command.type) {
      case 'tracks.play':
        if (player.ended && index === items.length - 1) return goTo({ index: 0, seconds: 0 }, true);
        // A failed player does not restart by itself.
        return player.error === null ? play() : goTo(getPoint(), true);
      case 'tracks.pause':
        return player.pause();
      case 'tracks.seek':
        return goTo({ index: items.findIndex(({ id }) => id === command.itemId), seconds: command.seconds }, shouldPlay);
      case 'tracks.skip':
        return goTo(progress.skip(getPoint(), command.seconds), shouldPlay);
      case 'tracks.playback':
        playback = command.playback;
        players.forEach(applyPlayback);
        showTime();
        return writeTime();
      case 'tracks.reportPosition':
        return send({ type: 'tracks.positionReported', ...getPosition() });
      case 'tracks.fullScreen':
        return toggleFullScreen();
      case 'tracks.continue':
        return throwUnlessStopped(onContinue());
      case 'tracks.renewed':
        return onRenewed(command.items);
      case 'tracks.notRenewed':
        return addresses.failed(command.problem);
    }
  };
  const keys = startMediaKeys(
    { about, execute: onCommand, item: () => items[index], step: items.length > 1 ? goToNeighbour : null },
    signal,
  );

  const firstIndex = Math.max(
    0,
    items.findIndex(({ id }) => id === start?.itemId),
  );
  goTo({ index: firstIndex, seconds: items[firstIndex]?.id === start?.itemId ? (start?.seconds ?? 0) : 0 }, false);
  receive(onCommand);
};
