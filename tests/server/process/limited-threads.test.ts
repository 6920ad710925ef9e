import { expect, onTestFinished, test, vi } from 'vitest';
import { LimitedThreads, Overload, TaskOutOfMemory, TaskTimeout } from '../../../server/base/limited-threads.ts';

const taskModule = new URL('../publication/support/thread-tasks.ts', import.meta.url);
const MAX_TIME_MS = 1_000;
const MEMORY_MIB = 24;

function createThreads(count: number, { queue = 8, wait }: { queue?: number; wait?: number } = {}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const log = vi.fn<(error: unknown) => void>();
  const limits = { time: MAX_TIME_MS, memory: MEMORY_MIB, queue, ...(wait === undefined ? {} : { wait }) };
  const limited = new LimitedThreads(taskModule, count, limits, log);
  onTestFinished(async () => {
    await limited.close();
    vi.useRealTimers();
  });
  return { limited, log };
}

const counter = (): Int32Array<SharedArrayBuffer> => new Int32Array(new SharedArrayBuffer(4));

/** Waits until a task has started to count. */
const waitForStart = async (shared: Int32Array<SharedArrayBuffer>): Promise<unknown> => Atomics.waitAsync(shared, 0, 0).value;

test('tasks queued behind endless ones start when those time out, and have their full time', async () => {
  const { limited } = createThreads(2);
  const shared = [counter(), counter()];
  const endless = shared.map((begins) => limited.run('hang', begins).catch((error: unknown) => error));
  const others = ['one', 'two', 'three'].map((words) => limited.run('say', words));
  await Promise.all(shared.map(waitForStart));
  vi.advanceTimersByTime(MAX_TIME_MS);
  expect(await Promise.all(endless)).toEqual([expect.any(TaskTimeout), expect.any(TaskTimeout)]);
  expect(await Promise.all(others)).toEqual(['one', 'two', 'three']);
});

test('a task is refused at once while the queue is full, and accepted later', async () => {
  const { limited } = createThreads(1, { queue: 1 });
  const shared = counter();
  const endless = limited.run('hang', shared).catch((error: unknown) => error);
  const waiting = limited.run('say', 'waiting');
  await expect(limited.run('say', 'too many')).rejects.toBeInstanceOf(Overload);
  await waitForStart(shared);
  vi.advanceTimersByTime(MAX_TIME_MS);
  expect([await endless, await waiting]).toEqual([expect.any(TaskTimeout), 'waiting']);
  expect(await limited.run('say', 'later')).toBe('later');
});

test('priority tasks do not take the places of others in the queue', async () => {
  const { limited } = createThreads(1, { queue: 1 });
  const shared = counter();
  const endless = limited.run('hang', shared).catch((error: unknown) => error);
  const first = limited.run('say', 'first', { key: 'one', goesFirst: true });
  const other = limited.run('say', 'other', { key: 'two' });
  await expect(limited.run('say', 'too many', { key: 'three', goesFirst: true })).rejects.toBeInstanceOf(Overload);
  await waitForStart(shared);
  vi.advanceTimersByTime(MAX_TIME_MS);
  expect([await endless, await first, await other]).toEqual([expect.any(TaskTimeout), 'first', 'other']);
});

test('a queued task times out', async () => {
  const { limited } = createThreads(1);
  const [first, second] = [counter(), counter()];
  const endless = [first, second].map((begins) => limited.run('hang', begins).catch((error: unknown) => error));
  const late = limited.run('say', 'late').catch((error: unknown) => error);
  await waitForStart(first);
  vi.advanceTimersByTime(MAX_TIME_MS);
  await waitForStart(second);
  vi.advanceTimersByTime(MAX_TIME_MS);
  expect(await Promise.all([...endless, late])).toEqual([expect.any(TaskTimeout), expect.any(TaskTimeout), expect.any(Overload)]);
  expect(await limited.run('say', 'later')).toBe('later');
});

test('a task may wait as long as its limit', async () => {
  const { limited } = createThreads(1, { wait: 3 * MAX_TIME_MS });
  const [first, second] = [counter(), counter()];
  const endless = [first, second].map((begins) => limited.run('hang', begins).catch((error: unknown) => error));
  const late = limited.run('say', 'late');
  await waitForStart(first);
  vi.advanceTimersByTime(MAX_TIME_MS);
  await waitForStart(second);
  vi.advanceTimersByTime(MAX_TIME_MS);
  await Promise.all(endless);
  expect(await late).toBe('late');
});

test('a thread’s young generation has its own limit besides that of the old one', async () => {
  const { limited } = createThreads(1);
  expect(await limited.run('heapLimit', null)).toBeLessThanOrEqual((MEMORY_MIB + 48) * 2 ** 20);
});

test('a task that takes too much memory is aborted, and the next one runs', async () => {
  const { limited, log } = createThreads(1);
  await expect(limited.run('grow', counter())).rejects.toBeInstanceOf(TaskOutOfMemory);
  expect(await limited.run('say', 'next')).toBe('next');
  expect(log).not.toHaveBeenCalled();
});

test('a thread that runs out of memory just when its task times out is logged, and affects nothing else', async () => {
  const { limited, log } = createThreads(1);
  const heard = new Promise((resolve) => void log.mockImplementation(resolve));
  const taken = counter();
  const growing = limited.run('grow', taken);
  await waitForStart(taken);
  // Until it allocates no more: it has died, and this thread has not been notified yet.
  while (Atomics.wait(taken, 0, Atomics.load(taken, 0), 500) !== 'timed-out');
  vi.advanceTimersByTime(MAX_TIME_MS);
  await expect(growing).rejects.toBeInstanceOf(TaskTimeout);
  expect(await heard).toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' });
  expect(await limited.run('say', 'next')).toBe('next');
});
