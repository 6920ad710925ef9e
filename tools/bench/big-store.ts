import { openDatabase } from '../../server/database/open.ts';
import { saveStore } from '../../server/setup/save-store.ts';
import { categories, createTitles } from './catalogue-titles.ts';
import type { RunningShop } from '../shop/running-shop.ts';

/** A second host name of this computer, at which the shop serves the big store. */
const host = '127.0.0.1';

const sortOptions = ['newest', 'title', 'author', 'price'];

/**
 * Adds a second store with `count` titles to a running shop, which is restarted for it.
 * @returns the URL of the store
 */
export async function addBigStore(shop: RunningShop, count: number): Promise<string> {
  await shop.stop();
  const { data: folder, databaseUrl } = shop;
  const database = await openDatabase(databaseUrl === '' ? { kind: 'folder', folder } : { kind: 'server', url: databaseUrl });
  await saveStore(database.db, {
    id: 'big',
    host,
    properties: { ShelfName: 'The Big Store', EnableAudioTitle: true, EnableVideoTitle: true, AllTitlesSortOptions: sortOptions },
    categories,
    titles: createTitles(count),
  });
  await database.close();
  await shop.start();
  const url = new URL(shop.url);
  url.hostname = host;
  return url.origin;
}
