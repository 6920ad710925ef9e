import { expect, test } from 'vitest';
import { progressMachine } from '../../../machines/reading/progress.ts';
import { after, contextOf, done, failed, isStart } from '../../support/steps.ts';

const progressKey = { titleId: '1001', contextKey: 'epub' };
const moved = (page: number) => ({ type: 'position.moved', position: { page } });
const hidden = { type: 'page.hidden' };

const savedAfter = (...events: { type: string }[]) =>
  after(progressMachine, progressKey, ...events)
    .effects.filter(isStart)
    .map(({ input }) => input);

test('of several moves, the last one is saved', () => {
  expect(savedAfter(moved(1), moved(2), hidden)).toEqual([{ ...progressKey, position: { page: 2 } }]);
});

test('a move while another one is being saved is saved after it', () => {
  expect(savedAfter(moved(1), hidden, moved(2), hidden)).toEqual([{ ...progressKey, position: { page: 2 } }]);
  expect(savedAfter(moved(1), hidden, moved(2), { type: 'close' })).toEqual([{ ...progressKey, position: { page: 2 } }]);
});

test('a move after a save that failed is what is saved next', () => {
  const unsaved = [moved(1), hidden, failed('saveProgress', { kind: 'offline' })];
  expect(savedAfter(...unsaved, hidden)).toEqual([{ ...progressKey, position: { page: 1 } }]);
  expect(savedAfter(...unsaved, moved(2), hidden)).toEqual([{ ...progressKey, position: { page: 2 } }]);
});

test('after a rate limit the last move is saved when its time is over, and no move asks before', () => {
  const limited = { kind: 'refused', code: 'too_many_requests', message: '', retryAfterSeconds: 60 };
  const delayed = [moved(1), hidden, failed('saveProgress', limited), moved(2), moved(3)];
  expect(savedAfter(...delayed)).toEqual([]);
  const step = after(progressMachine, progressKey, ...delayed);
  expect([step.snapshot.value, contextOf(step)['retryDelay']]).toEqual(['delayed', 60_000]);
  const last = [{ ...progressKey, position: { page: 3 } }];
  expect(savedAfter(...delayed, { type: 'xstate.after.takenAgain.progress.delayed' })).toEqual(last);
  expect(savedAfter(...delayed, hidden)).toEqual(last);
  expect(savedAfter(...delayed, { type: 'close' })).toEqual(last);
});

test('what is saved is not saved again', () => {
  const saved = [moved(1), hidden, done('saveProgress', null)];
  expect(savedAfter(...saved, hidden)).toEqual([]);
  expect(after(progressMachine, progressKey, ...saved, { type: 'close' }).snapshot.status).toBe('done');
});
