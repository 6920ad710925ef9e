import type { Database } from '../database/open.ts';
import { localizeText, type StoreLanguage } from '../base/language.ts';

const readNameProperty = (db: Database, storeId: string) =>
  db
    .selectFrom('properties')
    .select(['value', 'translations'])
    .where('store_id', '=', storeId)
    .where('name', '=', 'ShelfName')
    .executeTakeFirst();

/** A store's name in the given language; its id where it has no name. */
export async function readShopName(
  db: Database,
  storeId: string,
  storeLanguage: Pick<StoreLanguage, 'language'>,
): Promise<string> {
  const name = await readNameProperty(db, storeId);
  return name ? localizeText(name, 'value', storeLanguage) : storeId;
}

/** A store's names in all languages; its id where it has no name. */
export async function readShopNames(db: Database, storeId: string): Promise<string[]> {
  const name = await readNameProperty(db, storeId);
  return name ? [name.value, ...Object.values(name.translations).flatMap(({ value }) => value ?? [])] : [storeId];
}
