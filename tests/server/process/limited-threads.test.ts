import { expect, onTestFinished, test, vi } from 'vitest';
import { LimitedThreads, Overload, TaskOutOfMemory, TaskTimeout } from '../../../server/base/limited-threads.ts';

const taskModule = new URL('../publication/support/thread-tasks.ts', import.meta.url);
const MAX_TIME_MS = 1_000;
const MEMORY_MIB = 24;

function createThreads(count: number, { queue = 8, wait }: { queue?: number; wait?: number } = {}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const log = vi.fn<(error: unknown) => void>();
  const limits = { time: MAX_TIME_MS, memory: MEMORY_MIB, queue, ...(wait === undefined ? {} : { wait }) };
  const threads = new LimitedThreads(taskModule, count, limits, log);
  onTestFinished(async () => {
    await threads.close();
    vi.useRealTimers();
  });
  return { threads, log };
}

const createCounter = (): Int32Array<SharedArrayBuffer> => new Int32Array(new SharedArrayBuffer(4));

/** Waits until a task has started to count. */
const waitForStart = async (counter: Int32Array<SharedArrayBuffer>): Promise<unknown> => Atomics.waitAsync(counter, 0, 0).value;

test('tasks queued behind endless tasks start when those time out, and have their full time', async () => {
  const { threads } = createThreads(2);
  const counters = [createCounter(), createCounter()];
  const endlessTasks = counters.map((counter) => threads.run('hang', counter).catch((error: unknown) => error));
  const otherTasks = ['one', 'two', 'three'].map((text) => threads.run('say', text));
  await Promise.all(counters.map(waitForStart));
  vi.advanceTimersByTime(MAX_TIME_MS);
  expect(await Promise.all(endlessTasks)).toEqual([expect.any(TaskTimeout), expect.any(TaskTimeout)]);
  expect(await Promise.all(otherTasks)).toEqual(['one', 'two', 'three']);
});

test('a task is refused at once while the queue is full, and accepted later', async () => {
  const { threads } = createThreads(1, { queue: 1 });
  const counter = createCounter();
  const endlessTask = threads.run('hang', counter).catch((error: unknown) => error);
  const queuedTask = threads.run('say', 'waiting');
  await expect(threads.run('say', 'too many')).rejects.toBeInstanceOf(Overload);
  await waitForStart(counter);
  vi.advanceTimersByTime(MAX_TIME_MS);
  expect([await endlessTask, await queuedTask]).toEqual([expect.any(TaskTimeout), 'waiting']);
  expect(await threads.run('say', 'later')).toBe('later');
});

test('priority tasks do not take the places of other tasks in the queue', async () => {
  const { threads } = createThreads(1, { queue: 1 });
  const counter = createCounter();
  const endlessTask = threads.run('hang', counter).catch((error: unknown) => error);
  const priorityTask = threads.run('say', 'first', { key: 'one', goesFirst: true });
  const otherTask = threads.run('say', 'other', { key: 'two' });
  await expect(threads.run('say', 'too many', { key: 'three', goesFirst: true })).rejects.toBeInstanceOf(Overload);
  await waitForStart(counter);
  vi.advanceTimersByTime(MAX_TIME_MS);
  expect([await endlessTask, await priorityTask, await otherTask]).toEqual([expect.any(TaskTimeout), 'first', 'other']);
});

test('a task that waits too long in the queue is refused', async () => {
  const { threads } = createThreads(1);
  const [firstCounter, secondCounter] = [createCounter(), createCounter()];
  const endlessTasks = [firstCounter, secondCounter].map((counter) =>
    threads.run('hang', counter).catch((error: unknown) => error),
  );
  const lateTask = threads.run('say', 'late').catch((error: unknown) => error);
  await waitForStart(firstCounter);
  vi.advanceTimersByTime(MAX_TIME_MS);
  await waitForStart(secondCounter);
  vi.advanceTimersByTime(MAX_TIME_MS);
  expect(await Promise.all([...endlessTasks, lateTask])).toEqual([
    expect.any(TaskTimeout),
    expect.any(TaskTimeout),
    expect.any(Overload),
  ]);
  expect(await threads.run('say', 'later')).toBe('later');
});

test('a task waits in the queue for the whole time that is set', async () => {
  const { threads } = createThreads(1, { wait: 3 * MAX_TIME_MS });
  const [firstCounter, secondCounter] = [createCounter(), createCounter()];
  const endlessTasks = [firstCounter, secondCounter].map((counter) =>
    threads.run('hang', counter).catch((error: unknown) => error),
  );
  const lateTask = threads.run('say', 'late');
  await waitForStart(firstCounter);
  vi.advanceTimersByTime(MAX_TIME_MS);
  await waitForStart(secondCounter);
  vi.advanceTimersByTime(MAX_TIME_MS);
  await Promise.all(endlessTasks);
  expect(await lateTask).toBe('late');
});

test('a thread’s young generation has its own limit besides that of the old one', async () => {
  const { threads } = createThreads(1);
  expect(await threads.run('heapLimit', null)).toBeLessThanOrEqual((MEMORY_MIB + 48) * 2 ** 20);
});

test('a task that takes too much memory is aborted, and the next task runs', async () => {
  const { threads, log } = createThreads(1);
  await expect(threads.run('grow', createCounter())).rejects.toBeInstanceOf(TaskOutOfMemory);
  expect(await threads.run('say', 'next')).toBe('next');
  expect(log).not.toHaveBeenCalled();
});

test('a thread that runs out of memory just when its task times out is logged, and affects nothing else', async () => {
  const { threads, log } = createThreads(1);
  const loggedError = new Promise((resolve) => void log.mockImplementation(resolve));
  const counter = createCounter();
  const growingTask = threads.run('grow', counter);
  await waitForStart(counter);
  // Waits until the task allocates no more: its thread has died, without a notification so far.
  while (Atomics.wait(counter, 0, Atomics.load(counter, 0), 500) !== 'timed-out');
  vi.advanceTimersByTime(MAX_TIME_MS);
  await expect(growingTask).rejects.toBeInstanceOf(TaskTimeout);
  expect(await loggedError).toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' });
  expect(await threads.run('say', 'next')).toBe('next');
});
