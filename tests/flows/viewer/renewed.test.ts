import { expect, test } from 'vitest';
import { createActor, SimulatedClock, waitFor, type AnyActorRef } from 'xstate';
import { channelPort, requestPort } from '../../../machines/ports.ts';
import { addressesMachine } from '../../../machines/reading/addresses.ts';
import { bookMachine } from '../../../machines/reading/book.ts';
import { connectionPort } from '../../../machines/reading/connection.ts';
import { interactiveMachine } from '../../../machines/reading/interactive.ts';
import { progressMachine } from '../../../machines/reading/progress.ts';
import { tracksMachine } from '../../../machines/reading/tracks.ts';
import type { RenewedAddresses, TitleKey } from '../../../machines/model/reading/reading.ts';
import { emptyProgress } from '../../../machines/path-models/progress-input.ts';

const renewIn = 1000;
const itemAt = (url: string) => ({ id: 'a', name: 'One', url, durationSeconds: 60, captions: [] });
const [firstUrl, renewedUrl] = ['/media/first/one', '/media/next/one'];
const commonInput = {
  progress: { titleId: '1001', contextKey: 'all', ...emptyProgress },
  addresses: { instanceId: 'i1', sample: false, renewIn },
};
const look = { fontScale: 1, theme: 'light' } as const;

/** The URLs with which an engine was started, in order. */
const startedUrls: string[] = [];
const recordStart = (input: { url: string } | { items: { url: string }[] }) => {
  startedUrls.push(...('url' in input ? [input] : input.items).map(({ url }) => url));
};
const addresses = addressesMachine.provide({
  actors: { renewAddresses: requestPort<RenewedAddresses, TitleKey>(async () => ({ items: [itemAt(renewedUrl)], renewIn })) },
});

const connection = connectionPort(() => {});
const progress = progressMachine.provide({ actors: { memory: channelPort(() => {}), connection } });

const playback = { rate: 1, volume: 1, muted: false, captions: 'en' };
const about = { name: 'One', authors: [], cover: null };

const players = {
  book: (clock: SimulatedClock) =>
    createActor(
      bookMachine.provide({ actors: { addresses, progress, connection, pages: channelPort(({ input }) => recordStart(input)) } }),
      {
        clock,
        input: { book: { medium: 'epub', url: firstUrl, start: null, look }, ...commonInput },
      },
    ),
  tracks: (clock: SimulatedClock) =>
    createActor(
      tracksMachine.provide({
        actors: {
          addresses,
          progress,
          connection,
          memory: channelPort(() => {}),
          element: channelPort(({ input }) => recordStart(input)),
        },
      }),
      {
        clock,
        input: { tracks: { medium: 'audio', items: [itemAt(firstUrl)], start: null, playback, about }, ...commonInput },
      },
    ),
  interactive: (clock: SimulatedClock) =>
    createActor(
      interactiveMachine.provide({ actors: { addresses, progress, iframe: channelPort(({ input }) => recordStart(input)) } }),
      {
        clock,
        input: { interactive: { url: firstUrl, start: null }, ...commonInput },
      },
    ),
};

test.each(['book', 'tracks', 'interactive'] as const)(
  'the player “%s” starts with the renewed URLs after a retry',
  async (name) => {
    startedUrls.length = 0;
    const clock = new SimulatedClock();
    const player: AnyActorRef = players[name](clock);
    player.start();
    player.send({ type: `${name}.failed`, problem: { kind: 'offline' } });
    clock.increment(renewIn);
    await waitFor(player, (snapshot) => JSON.stringify(snapshot).includes(renewedUrl), { timeout: 5000 });
    player.send({ type: 'retry.pressed' });
    expect(startedUrls).toEqual([firstUrl, renewedUrl]);
    player.stop();
  },
);
