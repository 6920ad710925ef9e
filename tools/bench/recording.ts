import { performance } from 'node:perf_hooks';
import { createActor, type AnyActor, type EventObject } from 'xstate';
import { addressesMachine } from '../../machines/reading/addresses.ts';
import { bookMachine } from '../../machines/reading/book.ts';
import type { Locator } from '../../machines/model/reading/reading.ts';
import { channelPort, requestPort } from '../../machines/ports.ts';
import { progressMachine } from '../../machines/reading/progress.ts';
import { createPseudonymizer } from '../../machines/trace/pseudonym.ts';
import { createRecorder } from '../../machines/trace/recorder.ts';
import { createTable } from '../../machines/trace/table.ts';
import { tap, type TappedEvent, type Timers } from '../../machines/trace/tap.ts';
import { computeMedian, type Row } from './rows.ts';

const EVENTS = 5_000;
const ROUNDS = 25;

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

const toMoveEvent = (page: number): EventObject & { locator: Locator } => ({
  type: 'book.moved',
  locator: {
    href: `chapter-${page % 9}.xhtml`,
    progression: page / EVENTS,
    totalProgression: page / EVENTS,
    cfi: `epubcfi(/6/${page % 40}!/4/2/${page % 90})`,
    label: 'The second log',
    page,
    pages: EVENTS,
  },
});

/** A reader whose book and server send no events. */
const reader = bookMachine.provide({
  actors: {
    pages: channelPort(() => {}),
    saveLook: requestPort(async () => null),
    addresses: addressesMachine.provide({ actors: { renewAddresses: requestPort(() => new Promise(() => {})) } }),
    progress: progressMachine.provide({
      actors: {
        saveProgress: requestPort(async ({ input: { known } }) => ({ known, earlier: [], newer: null })),
        memory: channelPort(() => {}),
      },
    }),
  },
});

/**
 * Measures the milliseconds that a reader takes for many pages, each turned by a press and reported
 * by the book.
 */
const measureReading = (options: object): number => {
  const actor = createActor(reader, { ...options, input: { book, progress, addresses } }).start();
  actor.send({ type: 'book.opened', contents: [] });
  const startedAt = performance.now();
  for (let page = 0; page < EVENTS / 2; page += 1) {
    actor.send({ type: 'turn.pressed', direction: 'next' });
    actor.send(toMoveEvent(page) as never);
  }
  const ms = performance.now() - startedAt;
  actor.stop();
  return ms;
};

const toMicrosPerEvent = (ms: number): number => (ms * 1000) / EVENTS;

/**
 * Measures the three variants in a row, so that a disturbance affects all alike.
 * @returns microseconds per event
 */
const measureRound = () => {
  const plainMs = measureReading({ clock: { setTimeout: () => 0, clearTimeout: () => {} } });
  let tappedEvents: TappedEvent[] = [];
  const recordedMs = measureReading(
    tap(timers, (tapped) => {
      // Dropped as in the shop, where recorded events are soon written out.
      if (tappedEvents.push(tapped) > 200) tappedEvents = [];
    }),
  );
  const allEvents: TappedEvent[] = [];
  measureReading(tap(timers, (tapped) => allEvents.push(tapped)));
  const recorder = createRecorder({
    table: createTable(),
    input: { book, progress, addresses },
    startedAt: Date.now(),
    redact: createPseudonymizer(Math.random, new Map()),
    bounds: { size: Infinity, age: Infinity, runSize: Infinity, runAge: Infinity },
    root: (): AnyActor => {
      throw new Error('A run without bounds has requested a checkpoint: expected none.');
    },
  });
  const startedAt = performance.now();
  allEvents.forEach(recorder.take);
  const writingMs = performance.now() - startedAt;
  return { plain: toMicrosPerEvent(plainMs), recorded: toMicrosPerEvent(recordedMs), written: toMicrosPerEvent(writingMs) };
};

/**
 * Measures the cost of recording: while the shop runs, and later when the browser is idle. Each
 * value is that of the best round, which is the least disturbed.
 */
export function measureRecording(): Row[] {
  measureRound();
  const rounds = Array.from({ length: ROUNDS }, measureRound);
  const findBest = (getValue: (each: ReturnType<typeof measureRound>) => number): number => Math.min(...rounds.map(getValue));
  const plain = findBest((each) => each.plain);
  return [
    { name: 'recording: an event of a reader, not recorded', value: plain, unit: 'µs' },
    { name: 'recording: overhead per event', value: findBest((each) => each.recorded) - plain, unit: 'µs' },
    // Compared within a round, since absolute times depend on the processor.
    {
      name: 'recording: a recorded event to an unrecorded one',
      value: computeMedian(rounds.map((each) => each.recorded / each.plain)),
      unit: 'times',
      limit: 1.35,
    },
    { name: 'recording: writing an event when idle', value: findBest((each) => each.written), unit: 'µs' },
  ];
}
