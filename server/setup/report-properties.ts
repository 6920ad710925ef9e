import { expectedInstead } from '../catalogue/store-properties.ts';
import type { Services } from '../services.ts';

const MAX_SHOWN_CHARS = 100;

/** Logs every kept value of another type than its property's: older versions took any value. */
export async function reportProperties({ db, log }: Pick<Services, 'db' | 'log'>): Promise<void> {
  const rows = await db
    .selectFrom('properties')
    .select(['store_id', 'name', 'value', 'translations'])
    .orderBy('store_id')
    .orderBy('name')
    .execute();
  for (const { store_id: store, name, value, translations } of rows)
    for (const text of [value, ...Object.values(translations).map((texts) => texts.value ?? '')]) {
      const expected = expectedInstead(name, text);
      if (expected !== undefined)
        log.error({ store, property: name, value: text.slice(0, MAX_SHOWN_CHARS), expected }, 'invalid store property');
    }
}
