import { element, fields, Markup, type Value, escapeXml } from '../xml/write.ts';
import type { Answer, Call } from './call.ts';

/** Properties that are lists: kept as JSON text, written as wrapped children. */
const LISTS: Record<string, (value: unknown) => Markup> = {
  AppStoreUrls: (item) => element('AppStoreUrl', [fields({ Type: textOf(item, 'Type'), Url: textOf(item, 'Url') })]),
  PurchaseCountries: (item) => element('Country', typeof item === 'string' ? item : undefined),
};

function textOf(item: unknown, key: string): string | undefined {
  const value: unknown = typeof item === 'object' && item !== null ? Reflect.get(item, key) : undefined;
  return typeof value === 'string' ? value : undefined;
}

function written(name: string, value: string): Markup {
  const write = LISTS[name];
  if (!write) return new Markup(escapeXml(value));
  const items: unknown = JSON.parse(value);
  return new Markup(Array.isArray(items) ? items.map((item) => write(item).text).join('') : '');
}

/** The store's configuration, each property as it was set; what was never set is left out and takes its default. */
export async function storeProperties({ services, store }: Call<'storeProperties'>): Answer<'storeProperties'> {
  const rows = await services.db
    .selectFrom('properties')
    .select(['name', 'value'])
    .where('store_id', '=', store.id)
    .orderBy('name')
    .execute();
  const record: Record<string, Value> = { ShelfId: store.id };
  for (const row of rows) record[row.name] = written(row.name, row.value);
  return element('StoreProperties', [fields(record)]);
}
