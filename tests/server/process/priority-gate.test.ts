import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OverloadedError, PriorityGate } from '../../../server/base/priority-gate.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** A task that lasts until it is ended. */
function createStep() {
  let end = () => {};
  const lasts = new Promise<void>((resolve) => (end = resolve));
  return { run: () => lasts, end: () => end() };
}

const watchSettled = (waiting: Promise<unknown>) => {
  const state = { over: false };
  void waiting.then(() => (state.over = true));
  return state;
};
/** A few turns of the event loop. */
const flushTasks = async () => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
};

test('lists wait while a purchase is in progress', async () => {
  const priorityGate = new PriorityGate();
  const [one, two] = [createStep(), createStep()];
  const purchases = [priorityGate.runPurchase(one.run), priorityGate.runPurchase(two.run)];
  const list = watchSettled(priorityGate.waitForPurchases());
  one.end();
  await flushTasks();
  expect(list.over).toBe(false);
  two.end();
  await flushTasks();
  expect(list.over).toBe(true);
  await Promise.all(purchases);
  await priorityGate.waitForPurchases();
});

test('waiting lists continue in small groups, and pause for the next purchase', async () => {
  const priorityGate = new PriorityGate();
  const [first, second] = [createStep(), createStep()];
  const purchase = priorityGate.runPurchase(first.run);
  let gone = 0;
  for (let list = 0; list < 50; list += 1) void priorityGate.waitForPurchases().then(() => (gone += 1));
  first.end();
  await purchase;
  expect(gone).toBe(0);
  await flushTasks();
  expect(gone).toBeGreaterThan(0);
  expect(gone).toBeLessThan(50);
  const next = priorityGate.runPurchase(second.run);
  const before = gone;
  await flushTasks();
  expect(gone).toBe(before);
  second.end();
  await next;
  while (gone < 50) await flushTasks();
});

test('a long purchase stops blocking lists', async () => {
  const priorityGate = new PriorityGate();
  const slow = createStep();
  const purchase = priorityGate.runPurchase(slow.run);
  await vi.advanceTimersByTimeAsync(251);
  await priorityGate.waitForPurchases();
  slow.end();
  await purchase;
});

test('lists wait at most 250 ms during any number of purchases', async () => {
  const priorityGate = new PriorityGate();
  void priorityGate.runPurchase(createStep().run);
  const list = watchSettled(priorityGate.waitForPurchases());
  for (const time of [60, 120, 180, 240, 300]) {
    void priorityGate.runPurchase(createStep().run);
    await vi.advanceTimersByTimeAsync(60);
    await flushTasks();
    expect(list.over, `after ${time} ms`).toBe(time > 250);
  }
});

test('a failed purchase lets the lists continue', async () => {
  const priorityGate = new PriorityGate();
  await expect(priorityGate.runPurchase(() => Promise.reject(new Error('declined')))).rejects.toThrow('declined');
  await priorityGate.waitForPurchases();
});

test('a task that hangs loses its place, and a caller that waits too long is refused', async () => {
  const priorityGate = new PriorityGate();
  const hung = Array.from({ length: 4 }, () => priorityGate.runList(() => new Promise<void>(() => {})));
  const outcomes = Promise.allSettled(hung);
  const waits = expect(priorityGate.runList(async () => 'a list')).rejects.toThrow(OverloadedError);
  await vi.advanceTimersByTimeAsync(25_000);
  await waits;
  const next = priorityGate.runList(async () => 'a list');
  await vi.advanceTimersByTimeAsync(6_000);
  expect(await next).toBe('a list');
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: { statusCode: 503 } });
});

test('four lists run at once, and the next one starts when one has ended or failed', async () => {
  const priorityGate = new PriorityGate();
  let working = 0;
  let most = 0;
  const steps = Array.from({ length: 10 }, createStep);
  const lists = steps.map(({ run }, place) =>
    priorityGate.runList(async () => {
      most = Math.max(most, (working += 1));
      await run();
      working -= 1;
      if (place % 3 === 0) throw new Error('the list failed');
    }),
  );
  const settled = Promise.allSettled(lists);
  await flushTasks();
  expect(working).toBe(4);
  for (const each of steps) {
    each.end();
    await flushTasks();
  }
  expect((await settled).filter(({ status }) => status === 'rejected')).toHaveLength(4);
  expect(most).toBe(4);
});
