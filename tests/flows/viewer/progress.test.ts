import { expect, test } from 'vitest';
import { progressMachine } from '../../../machines/reading/progress.ts';
import { emptyProgress } from '../../../machines/path-models/progress-input.ts';
import { stepThrough, getContext, doneEvent, errorEvent, isSendEffect, isStartEffect } from '../../support/steps.ts';

const known = { version: 0 };
const key = { titleId: '1001', contextKey: 'epub' };
const progressKey = { ...key, ...emptyProgress };
const saveInputAt = (page: number) => ({ ...key, position: { page }, known });
const progressSaved = doneEvent('saveProgress', { known: { version: 1 }, earlier: [], newer: null });
const positionMoved = (page: number) => ({ type: 'position.moved', position: { page } });
const pageHidden = { type: 'page.hidden' };

const savesAfter = (...events: { type: string }[]) =>
  stepThrough(progressMachine, progressKey, ...events)
    .effects.filter(isStartEffect)
    .filter(({ id }) => id !== 'memory')
    .map(({ input }) => input);

test('of several moves, the last one is saved', () => {
  expect(savesAfter(positionMoved(1), positionMoved(2), pageHidden)).toEqual([saveInputAt(2)]);
});

test('a move during a save is saved after it', () => {
  expect(savesAfter(positionMoved(1), pageHidden, positionMoved(2), pageHidden)).toEqual([saveInputAt(2)]);
  expect(savesAfter(positionMoved(1), pageHidden, positionMoved(2), { type: 'close' })).toEqual([saveInputAt(2)]);
});

test('a move after a failed save is saved next', () => {
  const unsaved = [positionMoved(1), pageHidden, errorEvent('saveProgress', { kind: 'offline' })];
  expect(savesAfter(...unsaved, pageHidden)).toEqual([saveInputAt(1)]);
  expect(savesAfter(...unsaved, positionMoved(2), pageHidden)).toEqual([saveInputAt(2)]);
});

test('after a rate limit the last move is saved when the wait is over, and no move retries before', () => {
  const limited = { kind: 'refused', code: 'too_many_requests', message: '', retryAfterSeconds: 60 };
  const delayed = [positionMoved(1), pageHidden, errorEvent('saveProgress', limited), positionMoved(2), positionMoved(3)];
  expect(savesAfter(...delayed)).toEqual([]);
  const step = stepThrough(progressMachine, progressKey, ...delayed);
  expect([step.snapshot.value, getContext(step)['retryDelay']]).toEqual(['delayed', 60_000]);
  const last = [saveInputAt(3)];
  expect(savesAfter(...delayed, { type: 'xstate.after.takenAgain.progress.delayed' })).toEqual(last);
  expect(savesAfter(...delayed, pageHidden)).toEqual(last);
  expect(savesAfter(...delayed, { type: 'close' })).toEqual(last);
});

test('a saved place is not saved again', () => {
  const saved = [positionMoved(1), pageHidden, progressSaved];
  expect(savesAfter(...saved, pageHidden)).toEqual([]);
  expect(stepThrough(progressMachine, progressKey, ...saved, { type: 'close' }).snapshot.status).toBe('done');
});

test('a failed save is retried after 5 s, then at doubled intervals, at most a minute', () => {
  const failing = errorEvent('saveProgress', { kind: 'offline' });
  const again = { type: 'xstate.after.tryAgain.progress.unsaved' };
  const waits = [1, 2, 3, 4, 5, 6].map((times) => {
    const retries = Array.from({ length: times }, (_, nth) => (nth === 0 ? [failing] : [again, failing])).flat();
    return stepThrough(progressMachine, progressKey, positionMoved(1), pageHidden, ...retries)
      .effects.filter(isSendEffect)
      .flatMap(({ delay }) => (delay === undefined ? [] : [delay]));
  });
  expect(waits).toEqual([[5000], [10_000], [20_000], [40_000], [60_000], [60_000]]);
});

test('when the connection returns, an unsaved place is sent at once', () => {
  const unsaved = [positionMoved(1), pageHidden, errorEvent('saveProgress', { kind: 'offline' })];
  expect(savesAfter(...unsaved, { type: 'connection.returned' })).toEqual([saveInputAt(1)]);
});

test('an unsent place of an earlier visit is sent first', () => {
  const left = stepThrough(progressMachine, { ...progressKey, unsent: { page: 4 } }).effects.filter(isStartEffect);
  expect(left.map(({ input }) => input)).toContainEqual(saveInputAt(4));
});

test('a place saved while another device is ahead stays based on the version that was known before', () => {
  const other = { position: { page: 9 }, savedAt: '', device: null, minutesAgo: null };
  const conflict = doneEvent('saveProgress', { known: { version: 9 }, earlier: [], newer: other });
  const kept = stepThrough(progressMachine, progressKey, positionMoved(1), pageHidden, conflict, positionMoved(2)).effects.filter(
    isSendEffect,
  );
  expect(kept.map(({ event }) => event)).toContainEqual({ type: 'place.moved', ...key, position: { page: 2 }, known });
  expect(savesAfter(positionMoved(1), pageHidden, conflict, { type: 'place.dismissed' })).toEqual([
    { ...saveInputAt(1), known: { version: 9 } },
  ]);
});
