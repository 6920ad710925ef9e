import type { Database } from '../database/open.ts';
import { toWireValue } from './store-properties.ts';

/** A property of a store that does not depend on the language, or its default. */
export async function readProperty(db: Database, storeId: string, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('properties')
    .select('value')
    .where('store_id', '=', storeId)
    .where('name', '=', name)
    .executeTakeFirst();
  return toWireValue(name, row?.value);
}

/** Whether a flag of a store is on. */
export const isPropertyOn = async (db: Database, storeId: string, name: string): Promise<boolean> =>
  (await readProperty(db, storeId, name)) === 'true';
