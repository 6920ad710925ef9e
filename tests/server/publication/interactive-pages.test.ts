import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InteractivePages, MAX_INTERACTIVE_PAGE_BYTES } from '../../../server/publication/interactive-pages.ts';
import { createFolder } from './support/books.ts';

const readPageText = async (page: ReturnType<InteractivePages['get']>): Promise<string> => {
  const preparedPage = await page;
  return typeof preparedPage === 'object' && preparedPage !== null ? preparedPage.body.toString() : String(preparedPage);
};

test('a page is prepared once for each version of its file, also for concurrent requests', async () => {
  const path = join(await createFolder({ 'index.html': '<p>one' }), 'index.html');
  const pages = new InteractivePages();
  const [first, second] = await Promise.all([pages.get(path), pages.get(path)]);
  expect(second).toBe(first);
  expect(await pages.get(path)).toBe(first);
  await writeFile(path, '<p>two');
  expect(await readPageText(pages.get(path))).toMatch(/<p>two$/);
});

test('a page that is too large, and a folder, are not prepared', async () => {
  const folder = await createFolder({ 'index.html': '' });
  const pages = new InteractivePages();
  await truncate(join(folder, 'index.html'), MAX_INTERACTIVE_PAGE_BYTES + 1);
  expect([await pages.get(join(folder, 'index.html')), await pages.get(folder)]).toEqual(['too large', null]);
});
