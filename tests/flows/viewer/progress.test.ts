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

const listSavesAfter = (...events: { type: string }[]) =>
  stepThrough(progressMachine, progressKey, ...events)
    .effects.filter(isStartEffect)
    .filter(({ id }) => id !== 'memory')
    .map(({ input }) => input);

test('of several moves, the last one is saved', () => {
  expect(listSavesAfter(positionMoved(1), positionMoved(2), pageHidden)).toEqual([saveInputAt(2)]);
});

test('a move during a save is saved after it', () => {
  expect(listSavesAfter(positionMoved(1), pageHidden, positionMoved(2), pageHidden)).toEqual([saveInputAt(2)]);
  expect(listSavesAfter(positionMoved(1), pageHidden, positionMoved(2), { type: 'close' })).toEqual([saveInputAt(2)]);
});

test('a move after a failed save is saved next', () => {
  const unsavedEvents = [positionMoved(1), pageHidden, errorEvent('saveProgress', { kind: 'offline' })];
  expect(listSavesAfter(...unsavedEvents, pageHidden)).toEqual([saveInputAt(1)]);
  expect(listSavesAfter(...unsavedEvents, positionMoved(2), pageHidden)).toEqual([saveInputAt(2)]);
});

test('after a rate limit the last move is saved when the limit ends, the page is hidden or the title is closed', () => {
  const rateLimit = { kind: 'refused', code: 'too_many_requests', message: '', retryAfterSeconds: 60 };
  const delayedEvents = [positionMoved(1), pageHidden, errorEvent('saveProgress', rateLimit), positionMoved(2), positionMoved(3)];
  expect(listSavesAfter(...delayedEvents)).toEqual([]);
  const step = stepThrough(progressMachine, progressKey, ...delayedEvents);
  expect([step.snapshot.value, getContext(step)['retryDelay']]).toEqual(['delayed', 60_000]);
  const expectedSaves = [saveInputAt(3)];
  expect(listSavesAfter(...delayedEvents, { type: 'xstate.after.takenAgain.progress.delayed' })).toEqual(expectedSaves);
  expect(listSavesAfter(...delayedEvents, pageHidden)).toEqual(expectedSaves);
  expect(listSavesAfter(...delayedEvents, { type: 'close' })).toEqual(expectedSaves);
});

test('a saved position is not saved again', () => {
  const savedEvents = [positionMoved(1), pageHidden, progressSaved];
  expect(listSavesAfter(...savedEvents, pageHidden)).toEqual([]);
  expect(stepThrough(progressMachine, progressKey, ...savedEvents, { type: 'close' }).snapshot.status).toBe('done');
});

test('a failed save is retried after 5 s, then at doubled intervals, at most a minute', () => {
  const saveFailed = errorEvent('saveProgress', { kind: 'offline' });
  const retryDue = { type: 'xstate.after.tryAgain.progress.unsaved' };
  const delays = [1, 2, 3, 4, 5, 6].map((times) => {
    const retries = Array.from({ length: times }, (_, nth) => (nth === 0 ? [saveFailed] : [retryDue, saveFailed])).flat();
    return stepThrough(progressMachine, progressKey, positionMoved(1), pageHidden, ...retries)
      .effects.filter(isSendEffect)
      .flatMap(({ delay }) => (delay === undefined ? [] : [delay]));
  });
  expect(delays).toEqual([[5000], [10_000], [20_000], [40_000], [60_000], [60_000]]);
});

test('when the connection returns, an unsaved position is sent at once', () => {
  const unsavedEvents = [positionMoved(1), pageHidden, errorEvent('saveProgress', { kind: 'offline' })];
  expect(listSavesAfter(...unsavedEvents, { type: 'connection.returned' })).toEqual([saveInputAt(1)]);
});

test('an unsent position of an earlier visit is sent at the start', () => {
  const startEffects = stepThrough(progressMachine, { ...progressKey, unsent: { page: 4 } }).effects.filter(isStartEffect);
  expect(startEffects.map(({ input }) => input)).toContainEqual(saveInputAt(4));
});

test('a position reached while another device is ahead keeps the version that was known before', () => {
  const otherPlace = { position: { page: 9 }, savedAt: '', device: null, minutesAgo: null };
  const conflict = doneEvent('saveProgress', { known: { version: 9 }, earlier: [], newer: otherPlace });
  const sendEffects = stepThrough(
    progressMachine,
    progressKey,
    positionMoved(1),
    pageHidden,
    conflict,
    positionMoved(2),
  ).effects.filter(isSendEffect);
  expect(sendEffects.map(({ event }) => event)).toContainEqual({ type: 'place.moved', ...key, position: { page: 2 }, known });
  expect(listSavesAfter(positionMoved(1), pageHidden, conflict, { type: 'place.dismissed' })).toEqual([
    { ...saveInputAt(1), known: { version: 9 } },
  ]);
});
