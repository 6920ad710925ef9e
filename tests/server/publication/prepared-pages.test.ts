import { expect, onTestFinished, test, vi } from 'vitest';
import { Overload, TaskTimeout } from '../../../server/base/limited-threads.ts';
import { PreparedPages } from '../../../server/publication/prepared-pages.ts';
import type { PageSource, PreparedPage } from '../../../server/publication/prepare-page.ts';

const type = 'text/html';
const pageSource = (name: string, size = 4): PageSource => ({
  file: 'book.epub',
  entry: { name, size, packed: size, stored: true, crc: 0, offset: 0 },
  type,
});
const page = (body: Buffer | null = null): PreparedPage => ({ type, etag: '"tag"', body });

test('a page is prepared once, also for concurrent requests; a large one is not cached', async () => {
  const prepare = vi.fn(async ({ entry }: PageSource) => Promise.resolve(page(Buffer.alloc(entry.size))));
  const pages = new PreparedPages(prepare);
  await Promise.all([pages.get(pageSource('one')), pages.get(pageSource('one'))]);
  await pages.get(pageSource('one'));
  expect(prepare).toHaveBeenCalledTimes(1);
  await pages.get(pageSource('big', 5 * 2 ** 20));
  await pages.get(pageSource('big', 5 * 2 ** 20));
  await pages.get(pageSource('one'));
  expect(prepare).toHaveBeenCalledTimes(3);
});

test('a failure to prepare a page is not cached as its content', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const prepare = vi.fn(async () => Promise.resolve(page()));
  const pages = new PreparedPages(prepare);
  const get = async () => pages.get(pageSource('one')).catch((error: unknown) => error);
  prepare.mockRejectedValueOnce(new Overload());
  expect(await get()).toBeInstanceOf(Overload);
  prepare.mockRejectedValueOnce(new TaskTimeout());
  expect(await get()).toBeInstanceOf(TaskTimeout);
  vi.setSystemTime(Date.now() + 59_000);
  expect(await get()).toBeInstanceOf(TaskTimeout);
  vi.setSystemTime(Date.now() + 2_000);
  expect(await get()).toEqual(page());
  expect(prepare).toHaveBeenCalledTimes(3);
});
