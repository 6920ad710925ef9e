import { expect, test } from 'vitest';
import { progressMachine } from '../../../machines/reading/progress.ts';
import { untouched } from '../../../machines/path-models/progress-input.ts';
import { after, contextOf, done, failed, isSend, isStart } from '../../support/steps.ts';

const known = { version: 0 };
const key = { titleId: '1001', contextKey: 'epub' };
const progressKey = { ...key, ...untouched };
const at = (page: number) => ({ ...key, position: { page }, known });
const kept = done('saveProgress', { known: { version: 1 }, earlier: [], newer: null });
const moved = (page: number) => ({ type: 'position.moved', position: { page } });
const hidden = { type: 'page.hidden' };

const savedAfter = (...events: { type: string }[]) =>
  after(progressMachine, progressKey, ...events)
    .effects.filter(isStart)
    .filter(({ id }) => id !== 'memory')
    .map(({ input }) => input);

test('of several moves, the last one is saved', () => {
  expect(savedAfter(moved(1), moved(2), hidden)).toEqual([at(2)]);
});

test('a move while another one is being saved is saved after it', () => {
  expect(savedAfter(moved(1), hidden, moved(2), hidden)).toEqual([at(2)]);
  expect(savedAfter(moved(1), hidden, moved(2), { type: 'close' })).toEqual([at(2)]);
});

test('a move after a save that failed is what is saved next', () => {
  const unsaved = [moved(1), hidden, failed('saveProgress', { kind: 'offline' })];
  expect(savedAfter(...unsaved, hidden)).toEqual([at(1)]);
  expect(savedAfter(...unsaved, moved(2), hidden)).toEqual([at(2)]);
});

test('after a rate limit the last move is saved when its time is over, and no move asks before', () => {
  const limited = { kind: 'refused', code: 'too_many_requests', message: '', retryAfterSeconds: 60 };
  const delayed = [moved(1), hidden, failed('saveProgress', limited), moved(2), moved(3)];
  expect(savedAfter(...delayed)).toEqual([]);
  const step = after(progressMachine, progressKey, ...delayed);
  expect([step.snapshot.value, contextOf(step)['retryDelay']]).toEqual(['delayed', 60_000]);
  const last = [at(3)];
  expect(savedAfter(...delayed, { type: 'xstate.after.takenAgain.progress.delayed' })).toEqual(last);
  expect(savedAfter(...delayed, hidden)).toEqual(last);
  expect(savedAfter(...delayed, { type: 'close' })).toEqual(last);
});

test('what is saved is not saved again', () => {
  const saved = [moved(1), hidden, kept];
  expect(savedAfter(...saved, hidden)).toEqual([]);
  expect(after(progressMachine, progressKey, ...saved, { type: 'close' }).snapshot.status).toBe('done');
});

test('a save that failed is tried again after 5 s, then twice as long each time, at most a minute', () => {
  const failing = failed('saveProgress', { kind: 'offline' });
  const again = { type: 'xstate.after.tryAgain.progress.unsaved' };
  const waits = [1, 2, 3, 4, 5, 6].map((times) => {
    const retries = Array.from({ length: times }, (_, nth) => (nth === 0 ? [failing] : [again, failing])).flat();
    return after(progressMachine, progressKey, moved(1), hidden, ...retries)
      .effects.filter(isSend)
      .flatMap(({ delay }) => (delay === undefined ? [] : [delay]));
  });
  expect(waits).toEqual([[5000], [10_000], [20_000], [40_000], [60_000], [60_000]]);
});

test('when the connection returns, an unsaved place is sent at once', () => {
  const unsaved = [moved(1), hidden, failed('saveProgress', { kind: 'offline' })];
  expect(savedAfter(...unsaved, { type: 'connection.returned' })).toEqual([at(1)]);
});

test('a place that is left over from an earlier visit is sent first', () => {
  const left = after(progressMachine, { ...progressKey, unsent: { page: 4 } }).effects.filter(isStart);
  expect(left.map(({ input }) => input)).toContainEqual(at(4));
});

test('a place that is kept while another device is ahead stays based on the version that was known before', () => {
  const other = { position: { page: 9 }, savedAt: '', device: null, minutesAgo: null };
  const conflict = done('saveProgress', { known: { version: 9 }, earlier: [], newer: other });
  const kept = after(progressMachine, progressKey, moved(1), hidden, conflict, moved(2)).effects.filter(isSend);
  expect(kept.map(({ event }) => event)).toContainEqual({ type: 'place.moved', ...key, position: { page: 2 }, known });
  expect(savedAfter(moved(1), hidden, conflict, { type: 'place.dismissed' })).toEqual([{ ...at(1), known: { version: 9 } }]);
});
