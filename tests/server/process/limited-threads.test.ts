import { expect, onTestFinished, test, vi } from 'vitest';
import { LimitedThreads, Overload, TaskOutOfMemory, TaskTimeout } from '../../../server/base/limited-threads.ts';

const module = new URL('../publication/support/thread-tasks.ts', import.meta.url);
const TIME = 1_000;
const MEMORY_MIB = 24;

function threads(count: number, { queue = 8, wait }: { queue?: number; wait?: number } = {}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const log = vi.fn<(error: unknown) => void>();
  const limits = { time: TIME, memory: MEMORY_MIB, queue, ...(wait === undefined ? {} : { wait }) };
  const limited = new LimitedThreads(module, count, limits, log);
  onTestFinished(async () => {
    await limited.close();
    vi.useRealTimers();
  });
  return { limited, log };
}

const counter = (): Int32Array<SharedArrayBuffer> => new Int32Array(new SharedArrayBuffer(4));

/** Until a task has begun to count. */
const begun = async (shared: Int32Array<SharedArrayBuffer>): Promise<unknown> => Atomics.waitAsync(shared, 0, 0).value;

test('tasks behind some that never end begin when these are given up, and have all of their time', async () => {
  const { limited } = threads(2);
  const shared = [counter(), counter()];
  const endless = shared.map((begins) => limited.run('hang', begins).catch((error: unknown) => error));
  const others = ['one', 'two', 'three'].map((words) => limited.run('say', words));
  await Promise.all(shared.map(begun));
  vi.advanceTimersByTime(TIME);
  expect(await Promise.all(endless)).toEqual([expect.any(TaskTimeout), expect.any(TaskTimeout)]);
  expect(await Promise.all(others)).toEqual(['one', 'two', 'three']);
});

test('a task for which there is no room in the queue is refused at once, and not for long', async () => {
  const { limited } = threads(1, { queue: 1 });
  const shared = counter();
  const endless = limited.run('hang', shared).catch((error: unknown) => error);
  const waiting = limited.run('say', 'waiting');
  await expect(limited.run('say', 'too many')).rejects.toBeInstanceOf(Overload);
  await begun(shared);
  vi.advanceTimersByTime(TIME);
  expect([await endless, await waiting]).toEqual([expect.any(TaskTimeout), 'waiting']);
  expect(await limited.run('say', 'later')).toBe('later');
});

test('tasks that go first take no place of the others', async () => {
  const { limited } = threads(1, { queue: 1 });
  const shared = counter();
  const endless = limited.run('hang', shared).catch((error: unknown) => error);
  const first = limited.run('say', 'first', { key: 'one', goesFirst: true });
  const other = limited.run('say', 'other', { key: 'two' });
  await expect(limited.run('say', 'too many', { key: 'three', goesFirst: true })).rejects.toBeInstanceOf(Overload);
  await begun(shared);
  vi.advanceTimersByTime(TIME);
  expect([await endless, await first, await other]).toEqual([expect.any(TaskTimeout), 'first', 'other']);
});

test('a task does not wait for ever', async () => {
  const { limited } = threads(1);
  const [first, second] = [counter(), counter()];
  const endless = [first, second].map((begins) => limited.run('hang', begins).catch((error: unknown) => error));
  const late = limited.run('say', 'late').catch((error: unknown) => error);
  await begun(first);
  vi.advanceTimersByTime(TIME);
  await begun(second);
  vi.advanceTimersByTime(TIME);
  expect(await Promise.all([...endless, late])).toEqual([expect.any(TaskTimeout), expect.any(TaskTimeout), expect.any(Overload)]);
  expect(await limited.run('say', 'later')).toBe('later');
});

test('a task waits as long as it may', async () => {
  const { limited } = threads(1, { wait: 3 * TIME });
  const [first, second] = [counter(), counter()];
  const endless = [first, second].map((begins) => limited.run('hang', begins).catch((error: unknown) => error));
  const late = limited.run('say', 'late');
  await begun(first);
  vi.advanceTimersByTime(TIME);
  await begun(second);
  vi.advanceTimersByTime(TIME);
  await Promise.all(endless);
  expect(await late).toBe('late');
});

test('a thread’s new objects have a limit beside that of its old ones', async () => {
  const { limited } = threads(1);
  expect(await limited.run('heapLimit', null)).toBeLessThanOrEqual((MEMORY_MIB + 48) * 2 ** 20);
});

test('a task that takes too much memory is given up, and the next one runs', async () => {
  const { limited, log } = threads(1);
  await expect(limited.run('grow', counter())).rejects.toBeInstanceOf(TaskOutOfMemory);
  expect(await limited.run('say', 'next')).toBe('next');
  expect(log).not.toHaveBeenCalled();
});

test('a thread that runs out of memory just when its task is given up is heard of, and ends nothing else', async () => {
  const { limited, log } = threads(1);
  const heard = new Promise((resolve) => void log.mockImplementation(resolve));
  const taken = counter();
  const growing = limited.run('grow', taken);
  await begun(taken);
  // Until it takes no more: it has died, and this thread has not been told yet.
  while (Atomics.wait(taken, 0, Atomics.load(taken, 0), 500) !== 'timed-out');
  vi.advanceTimersByTime(TIME);
  await expect(growing).rejects.toBeInstanceOf(TaskTimeout);
  expect(await heard).toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' });
  expect(await limited.run('say', 'next')).toBe('next');
});
