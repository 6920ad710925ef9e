import { afterEach, expect, test, vi } from 'vitest';
import { createActor, setup } from 'xstate';
import { createTraceBuffer } from '../../src/trace/trace-buffer.ts';

afterEach(() => void vi.useRealTimers());

/** Waits a second each time it is sent to wait. */
const machine = setup({ types: { events: {} as { type: 'wait' } | { type: 'leave' } } }).createMachine({
  initial: 'away',
  states: {
    away: { on: { wait: 'waiting' } },
    waiting: { after: { 1_000: 'done' }, on: { leave: 'away' } },
    done: {},
  },
});

const started = () => {
  vi.useFakeTimers();
  const { options, time } = createTraceBuffer();
  const actor = createActor(machine, options).start();
  actor.send({ type: 'wait' });
  return { actor, time };
};

test('what is due while time is held runs when it is let go', () => {
  const { actor, time } = started();
  time.hold();
  vi.advanceTimersByTime(1_000);
  expect(actor.getSnapshot().value).toBe('waiting');
  time.letGo();
  expect(actor.getSnapshot().value).toBe('done');
});

test('what nobody waits for any more when it is let go never runs', () => {
  const { actor, time } = started();
  time.hold();
  vi.advanceTimersByTime(1_000);
  actor.send({ type: 'leave' });
  actor.send({ type: 'wait' });
  time.letGo();
  expect(actor.getSnapshot().value).toBe('waiting');
  vi.advanceTimersByTime(1_000);
  expect(actor.getSnapshot().value).toBe('done');
});
