import { element, fields, Markup, type Value, escapeXml } from '../xml/write.ts';
import type { Database } from '../database/open.ts';
import type { Answer, Call, Store } from './call.ts';

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
export async function propertiesOf(db: Database, store: Store): Promise<{ document: Markup; record: Record<string, string> }> {
  const rows = await db
    .selectFrom('properties')
    .select(['name', 'value'])
    .where('store_id', '=', store.id)
    .orderBy('name')
    .execute();
  const answered: Record<string, Value> = { ShelfId: store.id };
  for (const row of rows) answered[row.name] = written(row.name, row.value);
  const record = Object.fromEntries(rows.map((row) => [row.name, row.value]));
  return { document: element('StoreProperties', [fields(answered)]), record };
}

export async function storeProperties({ services, store }: Call<'storeProperties'>): Answer<'storeProperties'> {
  return (await propertiesOf(services.db, store)).document;
}
