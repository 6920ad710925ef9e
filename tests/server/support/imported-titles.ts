import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { toTitleFolder } from '../../../server/media/folders.ts';
import type { Shop } from './shop.ts';

/**
 * Makes the title `book` refer to a file, as imports do. The file itself is not written.
 * @param hashPrefix first characters of the hash in the file's name
 * @returns the file's path, and `write`, which writes the file
 */
export async function importTitle(
  shop: Shop,
  storeId: string,
  hashPrefix: string,
): Promise<{ path: string; write: () => Promise<void> }> {
  const titleId = 'book';
  const file = `book-${hashPrefix.padEnd(32, '0')}.epub`;
  const items = JSON.stringify([{ id: '1', name: 'Whole', file, mimeType: 'application/epub+zip' }]);
  await shop.db
    .updateTable('titles')
    .set({ content: sql`jsonb_set(content, '{items}', ${items}::jsonb)` })
    .where('store_id', '=', storeId)
    .where('id', '=', titleId)
    .execute();
  const path = join(shop.folder, 'titles', toTitleFolder({ storeId, titleId }), file);
  const write = async (): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'a book');
  };
  return { path, write };
}
