import { receiptLinkProperties } from '../stores/store-properties.ts';
import type { Database } from '../database/open.ts';
import { updateKindFlags, kindFlags } from '../setup/offered-kinds.ts';
import { toPropertyRow, assertReceiptLinkIsOwn } from '../setup/save-store.ts';

/**
 * Sets properties of a store, and resets those that are null; runs inside the caller's transaction.
 * @returns whether the store exists
 * @throws BadText for an unknown name, for a value of the wrong type, and where receipts would link
 * to another host than the store's own
 */
export async function saveProperties(
  trx: Database,
  storeId: string,
  properties: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  // Row lock: concurrent changes of a store's properties run one after the other.
  const store = await trx.selectFrom('stores').select('language').where('id', '=', storeId).forUpdate().executeTakeFirst();
  if (!store) return false;
  const rows = Object.entries(properties).flatMap(([name, value]) => toPropertyRow(storeId, name, value, store.language) ?? []);
  for (const name of Object.keys(properties))
    await trx.deleteFrom('properties').where('store_id', '=', storeId).where('name', '=', name).execute();
  if (rows.length > 0) await trx.insertInto('properties').values(rows).execute();
  if (kindFlags.some((name) => Object.hasOwn(properties, name))) await updateKindFlags(trx, storeId);
  if (receiptLinkProperties.some((name) => Object.hasOwn(properties, name))) await assertReceiptLinkIsOwn(trx, storeId);
  return true;
}
