import type { TracksCommand, TracksFact, TracksInput, ViewerItem } from '../../machines/model/reading.ts';
import type { EngineIo } from './engine.ts';
import { load, makePlayers, setRate, problemOfPlayer } from './media-players.ts';
import { startMediaKeys } from './media-keys.ts';
import { isExpired, renewable } from './renewable.ts';
import { showPlaybackTime } from './playback-time.ts';
import { trackProgress, type TrackPoint } from './track-progress.ts';

/** How often a playing recording says where it is. */
const PASSED_MS = 5_000;

/** Plays recordings one after the other. Facts and commands as in the model of reading. */
export const runTracks = async (
  { medium, items: firstItems, start, rate: firstRate }: TracksInput,
  { send, receive, signal }: EngineIo<TracksCommand, TracksFact>,
): Promise<void> => {
  const addresses = renewable(firstItems, () => send({ type: 'tracks.expired' }), signal);
  let items = firstItems;
  const players = await makePlayers(medium, signal);
  const [firstPlayer] = players;
  if (firstPlayer === undefined) return;
  const progress = trackProgress(firstItems);
  let player = firstPlayer;
  let index = -1;
  let rate = firstRate;
  let ready = false;
  let passedAt = 0;
  /** Another address was asked for, and nothing has come from it yet. */
  let isAsking = false;

  const itemId = () => items[index]?.id ?? '';
  const here = (): TrackPoint => ({ index, seconds: player.currentTime });
  const tellPassed = () => {
    passedAt = performance.now();
    const { seconds } = here();
    send({ type: 'position.passed', itemId: itemId(), seconds, totalProgression: progress.totalProgression(here()) });
  };
  const write = showPlaybackTime(() => ({ seconds: player.currentTime, duration: player.duration, rate }), signal);

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
    setRate(player, rate);
    player.currentTime = seconds;
    if (playing) play();
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
    progress.learn(index, player.duration);
    write();
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
    if (!isExpired(problem) || isAsking) return send({ type: 'tracks.failed', problem });
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
    on('playing', () => send({ type: 'tracks.playing' }));
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

  const first = Math.max(
    0,
    items.findIndex(({ id }) => id === start?.itemId),
  );
  goTo({ index: first, seconds: items[first]?.id === start?.itemId ? (start?.seconds ?? 0) : 0 }, false);
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
      case 'tracks.rate':
        rate = command.rate;
        players.forEach((one) => setRate(one, rate));
        return write();
      case 'tracks.renewed':
        return onRenewed(command.items);
    }
  };
  receive(onCommand);
  startMediaKeys(onCommand, () => items[index]?.name ?? '', signal);
};
