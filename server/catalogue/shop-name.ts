import type { Database } from '../database/open.ts';
import { textIn, type Spoken } from '../language.ts';

/** What a store calls itself, in the language that is to be spoken; its id where it has no name. */
export async function shopName(db: Database, storeId: string, spoken: Pick<Spoken, 'language'>): Promise<string> {
  const name = await db
    .selectFrom('properties')
    .select(['value', 'translations'])
    .where('store_id', '=', storeId)
    .where('name', '=', 'ShelfName')
    .executeTakeFirst();
  return name ? textIn(name, 'value', spoken) : storeId;
}
