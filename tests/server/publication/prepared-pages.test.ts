import { expect, onTestFinished, test, vi } from 'vitest';
import { Overload, TaskTimeout } from '../../../server/base/limited-threads.ts';
import { PreparedPages } from '../../../server/publication/prepared-pages.ts';
import type { PageSource, PreparedPage } from '../../../server/publication/prepare-page.ts';

const type = 'text/html';
const createPageSource = (name: string, size = 4): PageSource => ({
  file: 'book.epub',
  entry: { name, size, packed: size, stored: true, crc: 0, offset: 0 },
  type,
});
const createPreparedPage = (body: Buffer | null = null): PreparedPage => ({ type, etag: '"tag"', body });

test('a page is prepared once, also for concurrent requests; a large page is not cached', async () => {
  const prepare = vi.fn(async ({ entry }: PageSource) => Promise.resolve(createPreparedPage(Buffer.alloc(entry.size))));
  const pages = new PreparedPages(prepare);
  await Promise.all([pages.get(createPageSource('one')), pages.get(createPageSource('one'))]);
  await pages.get(createPageSource('one'));
  expect(prepare).toHaveBeenCalledTimes(1);
  await pages.get(createPageSource('big', 5 * 2 ** 20));
  await pages.get(createPageSource('big', 5 * 2 ** 20));
  await pages.get(createPageSource('one'));
  expect(prepare).toHaveBeenCalledTimes(3);
});

test('an overload is not cached for a page, and a timeout is cached for a minute', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const prepare = vi.fn(async () => Promise.resolve(createPreparedPage()));
  const pages = new PreparedPages(prepare);
  const get = async () => pages.get(createPageSource('one')).catch((error: unknown) => error);
  prepare.mockRejectedValueOnce(new Overload());
  expect(await get()).toBeInstanceOf(Overload);
  prepare.mockRejectedValueOnce(new TaskTimeout());
  expect(await get()).toBeInstanceOf(TaskTimeout);
  vi.setSystemTime(Date.now() + 59_000);
  expect(await get()).toBeInstanceOf(TaskTimeout);
  vi.setSystemTime(Date.now() + 2_000);
  expect(await get()).toEqual(createPreparedPage());
  expect(prepare).toHaveBeenCalledTimes(3);
});
