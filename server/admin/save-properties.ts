import { receiptLinkProperties } from '../stores/store-properties.ts';
import type { Database } from '../database/open.ts';
import { applyKinds, kindFlags } from '../setup/offered-kinds.ts';
import { propertyRow, refuseForeignReceiptLink } from '../setup/save-store.ts';

/**
 * Sets properties of a store, and takes back those that are null; inside the caller's transaction.
 * @returns whether there is such a store
 * @throws BadText for an unknown name, for a value of another type than the property's, and where
 * receipts would lead to another host than the store's own
 */
export async function saveProperties(trx: Database, storeId: string, given: Readonly<Record<string, unknown>>): Promise<boolean> {
  // Two changes at once take their turns, whatever they change.
  const store = await trx.selectFrom('stores').select('language').where('id', '=', storeId).forUpdate().executeTakeFirst();
  if (!store) return false;
  const rows = Object.entries(given).flatMap(([name, value]) => propertyRow(storeId, name, value, store.language) ?? []);
  for (const name of Object.keys(given))
    await trx.deleteFrom('properties').where('store_id', '=', storeId).where('name', '=', name).execute();
  if (rows.length > 0) await trx.insertInto('properties').values(rows).execute();
  if (kindFlags.some((name) => Object.hasOwn(given, name))) await applyKinds(trx, storeId);
  if (receiptLinkProperties.some((name) => Object.hasOwn(given, name))) await refuseForeignReceiptLink(trx, storeId);
  return true;
}
