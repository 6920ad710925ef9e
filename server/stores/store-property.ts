import type { Database } from '../database/open.ts';
import { valueOf } from './store-properties.ts';

/** A property of a store that is the same in every language, or its default. */
export async function propertyOf(db: Database, storeId: string, name: string): Promise<string | undefined> {
  const set = await db
    .selectFrom('properties')
    .select('value')
    .where('store_id', '=', storeId)
    .where('name', '=', name)
    .executeTakeFirst();
  return valueOf(name, set?.value);
}

/** Whether a flag of a store is on. */
export const isOn = async (db: Database, storeId: string, name: string): Promise<boolean> =>
  (await propertyOf(db, storeId, name)) === 'true';
