import type { Database } from '../database/open.ts';
import { textIn, type Spoken } from '../base/language.ts';

const named = (db: Database, storeId: string) =>
  db
    .selectFrom('properties')
    .select(['value', 'translations'])
    .where('store_id', '=', storeId)
    .where('name', '=', 'ShelfName')
    .executeTakeFirst();

/** A store's name in the language that is spoken; its id where it has no name. */
export async function shopName(db: Database, storeId: string, spoken: Pick<Spoken, 'language'>): Promise<string> {
  const name = await named(db, storeId);
  return name ? textIn(name, 'value', spoken) : storeId;
}

/** A store's names in all languages; its id where it has no name. */
export async function shopNames(db: Database, storeId: string): Promise<string[]> {
  const name = await named(db, storeId);
  return name ? [name.value, ...Object.values(name.translations).flatMap(({ value }) => value ?? [])] : [storeId];
}
