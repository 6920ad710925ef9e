import { performance } from 'node:perf_hooks';
import { createActor, type AnyActor, type EventObject } from 'xstate';
import { addressesMachine } from '../../machines/reading/addresses.ts';
import { bookMachine } from '../../machines/reading/book.ts';
import type { Locator } from '../../machines/model/reading/reading.ts';
import { channelPort, requestPort } from '../../machines/ports.ts';
import { progressMachine } from '../../machines/reading/progress.ts';
import { pseudonyms } from '../../machines/trace/pseudonym.ts';
import { createRecorder } from '../../machines/trace/recorder.ts';
import { createTable } from '../../machines/trace/table.ts';
import { tap, type Tapped, type Timers } from '../../machines/trace/tap.ts';
import { median, type Row } from './rows.ts';

const events = 5_000;
const rounds = 25;

const progress = {
  titleId: '1001',
  contextKey: 'epub',
  known: { version: 0 },
  unsent: null,
  offered: null,
  earlier: [],
};
const addresses = { instanceId: 'i1', sample: false, renewIn: 86_400_000 };
const book = {
  medium: 'epub' as const,
  url: '/media/x/manifest.json',
  start: null,
  look: { fontScale: 1, theme: 'light' as const },
};
const timers: Timers = { now: () => Date.now(), set: () => 0, clear: () => {} };

const moved = (page: number): EventObject & { locator: Locator } => ({
  type: 'book.moved',
  locator: {
    href: `chapter-${page % 9}.xhtml`,
    progression: page / events,
    totalProgression: page / events,
    cfi: `epubcfi(/6/${page % 40}!/4/2/${page % 90})`,
    label: 'The second log',
    page,
    pages: events,
  },
});

/** A reader whose book and server say nothing by themselves. */
const reader = bookMachine.provide({
  actors: {
    pages: channelPort(() => {}),
    rememberLook: requestPort(async () => null),
    addresses: addressesMachine.provide({ actors: { renewAddresses: requestPort(() => new Promise(() => {})) } }),
    progress: progressMachine.provide({
      actors: {
        saveProgress: requestPort(async ({ input: { known } }) => ({ known, earlier: [], newer: null })),
        memory: channelPort(() => {}),
      },
    }),
  },
});

/** Milliseconds that a reader of many pages takes, each page pressed for and reported by the book. */
const reading = (options: object): number => {
  const actor = createActor(reader, { ...options, input: { book, progress, addresses } }).start();
  actor.send({ type: 'book.opened', contents: [] });
  const started = performance.now();
  for (let page = 0; page < events / 2; page += 1) {
    actor.send({ type: 'turn.pressed', direction: 'next' });
    actor.send(moved(page) as never);
  }
  const took = performance.now() - started;
  actor.stop();
  return took;
};

const perEvent = (ms: number): number => (ms * 1000) / events;

/** One round of the three in a row, so that a disturbance meets them alike; microseconds for an event. */
const round = () => {
  const plain = reading({ clock: { setTimeout: () => 0, clearTimeout: () => {} } });
  let heard: Tapped[] = [];
  const recorded = reading(
    tap(timers, (tapped) => {
      // As in the shop, where what was heard is soon written down.
      if (heard.push(tapped) > 200) heard = [];
    }),
  );
  const all: Tapped[] = [];
  reading(tap(timers, (tapped) => all.push(tapped)));
  const recorder = createRecorder({
    table: createTable(),
    input: { book, progress, addresses },
    startedAt: Date.now(),
    redact: pseudonyms(Math.random, new Map()),
    bounds: { size: Infinity, age: Infinity, runSize: Infinity, runAge: Infinity },
    root: (): AnyActor => {
      throw new Error('An unbounded run needs no checkpoint.');
    },
  });
  const started = performance.now();
  all.forEach(recorder.take);
  const written = performance.now() - started;
  return { plain: perEvent(plain), recorded: perEvent(recorded), written: perEvent(written) };
};

/** What recording costs: while the shop works, and later when the browser is idle. The best round of each, as the least disturbed. */
export function recordingRows(): Row[] {
  round();
  const all = Array.from({ length: rounds }, round);
  const best = (of: (each: ReturnType<typeof round>) => number): number => Math.min(...all.map(of));
  const plain = best((each) => each.plain);
  return [
    { name: 'recording: an event of a reader, unrecorded', value: plain, unit: 'µs' },
    { name: 'recording: added to an event', value: best((each) => each.recorded) - plain, unit: 'µs' },
    // Compared within a round: a processor decides how many microseconds an event takes.
    {
      name: 'recording: an event that is recorded to one that is not',
      value: median(all.map((each) => each.recorded / each.plain)),
      unit: 'times',
      limit: 1.35,
    },
    { name: 'recording: writing an event down when idle', value: best((each) => each.written), unit: 'µs' },
  ];
}
