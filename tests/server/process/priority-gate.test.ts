import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OverloadedError, PriorityGate } from '../../../server/base/priority-gate.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Creates a task that lasts until `end` is called. */
function createStep() {
  let end = () => {};
  const promise = new Promise<void>((resolve) => (end = resolve));
  return { run: () => promise, end: () => end() };
}

const watchSettled = (promise: Promise<unknown>) => {
  const state = { isSettled: false };
  void promise.then(() => (state.isSettled = true));
  return state;
};
/** Waits for a few turns of the event loop. */
const flushTasks = async () => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
};

test('lists wait while a purchase is in progress', async () => {
  const priorityGate = new PriorityGate();
  const [firstStep, secondStep] = [createStep(), createStep()];
  const purchases = [priorityGate.runPurchase(firstStep.run), priorityGate.runPurchase(secondStep.run)];
  const list = watchSettled(priorityGate.waitForPurchases());
  firstStep.end();
  await flushTasks();
  expect(list.isSettled).toBe(false);
  secondStep.end();
  await flushTasks();
  expect(list.isSettled).toBe(true);
  await Promise.all(purchases);
  await priorityGate.waitForPurchases();
});

test('waiting lists continue in small groups, and pause for the next purchase', async () => {
  const priorityGate = new PriorityGate();
  const [firstStep, secondStep] = [createStep(), createStep()];
  const purchase = priorityGate.runPurchase(firstStep.run);
  let continuedCount = 0;
  for (let list = 0; list < 50; list += 1) void priorityGate.waitForPurchases().then(() => (continuedCount += 1));
  firstStep.end();
  await purchase;
  expect(continuedCount).toBe(0);
  await flushTasks();
  expect(continuedCount).toBeGreaterThan(0);
  expect(continuedCount).toBeLessThan(50);
  const nextPurchase = priorityGate.runPurchase(secondStep.run);
  const countBefore = continuedCount;
  await flushTasks();
  expect(continuedCount).toBe(countBefore);
  secondStep.end();
  await nextPurchase;
  while (continuedCount < 50) await flushTasks();
});

test('a purchase blocks lists for at most 250 ms', async () => {
  const priorityGate = new PriorityGate();
  const slowStep = createStep();
  const purchase = priorityGate.runPurchase(slowStep.run);
  await vi.advanceTimersByTimeAsync(251);
  await priorityGate.waitForPurchases();
  slowStep.end();
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
    expect(list.isSettled, `after ${time} ms`).toBe(time > 250);
  }
});

test('a failed purchase lets the lists continue', async () => {
  const priorityGate = new PriorityGate();
  await expect(priorityGate.runPurchase(() => Promise.reject(new Error('declined')))).rejects.toThrow('declined');
  await priorityGate.waitForPurchases();
});

test('a task that hangs loses its place, and a caller that waits too long is refused', async () => {
  const priorityGate = new PriorityGate();
  const hangingLists = Array.from({ length: 4 }, () => priorityGate.runList(() => new Promise<void>(() => {})));
  const outcomes = Promise.allSettled(hangingLists);
  const refusal = expect(priorityGate.runList(async () => 'a list')).rejects.toThrow(OverloadedError);
  await vi.advanceTimersByTimeAsync(25_000);
  await refusal;
  const nextList = priorityGate.runList(async () => 'a list');
  await vi.advanceTimersByTimeAsync(6_000);
  expect(await nextList).toBe('a list');
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: { statusCode: 503 } });
});

test('four lists run at once, and the next one starts when one has ended or failed', async () => {
  const priorityGate = new PriorityGate();
  let runningCount = 0;
  let maxRunning = 0;
  const steps = Array.from({ length: 10 }, createStep);
  const lists = steps.map(({ run }, index) =>
    priorityGate.runList(async () => {
      maxRunning = Math.max(maxRunning, (runningCount += 1));
      await run();
      runningCount -= 1;
      if (index % 3 === 0) throw new Error('the list failed');
    }),
  );
  const outcomes = Promise.allSettled(lists);
  await flushTasks();
  expect(runningCount).toBe(4);
  for (const each of steps) {
    each.end();
    await flushTasks();
  }
  expect((await outcomes).filter(({ status }) => status === 'rejected')).toHaveLength(4);
  expect(maxRunning).toBe(4);
});
