import { afterEach, expect, test, vi } from 'vitest';
import { createActor, setup } from 'xstate';
import { createTraceBuffer } from '../../src/trace/trace-buffer.ts';

afterEach(() => void vi.useRealTimers());

/** Waits one second on each `wait` event. */
const machine = setup({ types: { events: {} as { type: 'wait' } | { type: 'leave' } } }).createMachine({
  initial: 'away',
  states: {
    away: { on: { wait: 'waiting' } },
    waiting: { after: { 1_000: 'done' }, on: { leave: 'away' } },
    done: {},
  },
});

const startBuffer = () => {
  vi.useFakeTimers();
  const { options, time } = createTraceBuffer();
  const actor = createActor(machine, options).start();
  actor.send({ type: 'wait' });
  return { actor, time };
};

test('a timer that falls due while time is held runs when time continues', () => {
  const { actor, time } = startBuffer();
  time.hold();
  vi.advanceTimersByTime(1_000);
  expect(actor.getSnapshot().value).toBe('waiting');
  time.resume();
  expect(actor.getSnapshot().value).toBe('done');
});

test('a timer cancelled while time is held never runs', () => {
  const { actor, time } = startBuffer();
  time.hold();
  vi.advanceTimersByTime(1_000);
  actor.send({ type: 'leave' });
  actor.send({ type: 'wait' });
  time.resume();
  expect(actor.getSnapshot().value).toBe('waiting');
  vi.advanceTimersByTime(1_000);
  expect(actor.getSnapshot().value).toBe('done');
});
