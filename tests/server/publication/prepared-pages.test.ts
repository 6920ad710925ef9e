import { expect, onTestFinished, test, vi } from 'vitest';
import { QueueFull, TaskTimeout } from '../../../server/publication/limited-threads.ts';
import { PreparedPages } from '../../../server/publication/prepared-pages.ts';
import type { PreparedPage } from '../../../server/publication/prepare-page.ts';

const type = 'text/html';
const source = Buffer.from('page');
const page = (body: Buffer | null = null): PreparedPage => ({ type, etag: '"tag"', body });

test('a page is prepared once, for those too who ask meanwhile; one that is big is not kept', async () => {
  const prepare = vi.fn(async (bytes: Buffer) => Promise.resolve(page(bytes)));
  const pages = new PreparedPages(prepare);
  await Promise.all([pages.get('one', source, type), pages.get('one', source, type)]);
  await pages.get('one', source, type);
  expect(prepare).toHaveBeenCalledTimes(1);
  const big = Buffer.alloc(5 * 2 ** 20);
  expect((await pages.get('big', big, type)).body).toBe(big);
  await pages.get('big', big, type);
  await pages.get('one', source, type);
  expect(prepare).toHaveBeenCalledTimes(3);
});

test('what kept a page from being prepared is not taken for what the page is', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const prepare = vi.fn(async () => Promise.resolve(page()));
  const pages = new PreparedPages(prepare);
  const get = async () => pages.get('one', source, type).catch((error: unknown) => error);
  prepare.mockRejectedValueOnce(new QueueFull());
  expect(await get()).toBeInstanceOf(QueueFull);
  prepare.mockRejectedValueOnce(new TaskTimeout());
  expect(await get()).toBeInstanceOf(TaskTimeout);
  vi.setSystemTime(Date.now() + 59_000);
  expect(await get()).toBeInstanceOf(TaskTimeout);
  vi.setSystemTime(Date.now() + 2_000);
  expect(await get()).toEqual(page());
  expect(prepare).toHaveBeenCalledTimes(3);
});
