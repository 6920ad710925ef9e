import { findExpectedType, findExpectedReceiptLink, receiptLinkProperties } from '../stores/store-properties.ts';
import type { Database } from '../database/open.ts';
import type { Log } from '../base/log.ts';

const MAX_SHOWN_CHARS = 100;

/**
 * Logs every stored value of the wrong type, and receipts that would link to another host than the
 * store's own: older versions accepted any value.
 */
export async function reportProperties({ db, log }: { db: Database; log: Log }): Promise<void> {
  const rows = await db
    .selectFrom('properties')
    .select(['store_id', 'name', 'value', 'translations'])
    .orderBy('store_id')
    .orderBy('name')
    .execute();
  const report = (store: string, property: string, value: string, expected: string | undefined): void => {
    if (expected !== undefined)
      log.warn({ store, property, value: value.slice(0, MAX_SHOWN_CHARS), expected }, 'store.property.invalid');
  };
  for (const { store_id: store, name, value, translations } of rows)
    for (const text of [value, ...Object.values(translations).map((texts) => texts.value ?? '')])
      report(store, name, text, findExpectedType(name, text));
  for (const [store, storeRows] of Map.groupBy(rows, ({ store_id }) => store_id)) {
    const [link] = receiptLinkProperties;
    const values = new Map(storeRows.map(({ name, value }) => [name, value]));
    report(store, link, values.get(link) ?? '', findExpectedReceiptLink(values));
  }
}
