import { countriesIn, isHtml, storeProperties as known, valueOf } from '../../stores/store-properties.ts';
import type { Database } from '../../database/open.ts';
import { htmlIn, textIn, type Spoken } from '../../base/language.ts';
import { element, fields, Markup, type Value } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import type { Store } from '../../stores/stores.ts';

const APP_STORES = new Set(['GooglePlay', 'Apple']);

function link(item: unknown): Markup | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const [type, url] = [Reflect.get(item, 'Type'), Reflect.get(item, 'Url')] as unknown[];
  if (typeof type !== 'string' || typeof url !== 'string' || !APP_STORES.has(type)) return undefined;
  return element('AppStoreUrl', [fields({ Type: type, Url: url })]);
}

const countries = (value: string): Markup =>
  new Markup(
    countriesIn(value)
      .map((code) => element('Country', code).text)
      .join(''),
  );

/** Items of a list that is kept as JSON text; what is no item is left out, and so is what is no list. */
function list(json: string, write: (item: unknown) => Markup | undefined): Markup | undefined {
  try {
    const items: unknown = JSON.parse(json);
    if (Array.isArray(items)) return new Markup(items.map((item) => write(item)?.text ?? '').join(''));
  } catch {
    // Left out below, as every text that is no list.
  }
  return undefined;
}

function written(name: string, value: string | undefined): Value {
  const kind = known[name]?.kind;
  if (value === undefined) return undefined;
  if (kind === 'apps') return list(value, link);
  return kind === 'countries' ? countries(value) : value;
}

/** A store's configuration: as the wire writes it, and by the properties' names. */
export type Configuration = {
  document: Markup;
  record: Record<string, string>;
  /** it reads otherwise in another language */
  isTranslated: boolean;
};

/** The store's configuration, each property as it was set; what was never set, or is not of its kind, has its default. */
export async function propertiesOf(db: Database, store: Store, spoken: Spoken): Promise<Configuration> {
  const rows = await db
    .selectFrom('properties')
    .select(['name', 'value', 'translations'])
    .where('store_id', '=', store.id)
    .execute();
  const set = new Map(
    rows.map((row) => [row.name, isHtml(row.name) ? htmlIn(row, 'value', spoken) : textIn(row, 'value', spoken)]),
  );
  const answered: Record<string, Value> = { ShelfId: store.id };
  const record: Record<string, string> = {};
  for (const [name, { isServers }] of Object.entries(known)) {
    if (isServers) continue;
    const value = valueOf(name, set.get(name));
    answered[name] = written(name, value);
    if (value !== undefined) record[name] = value;
  }
  const isTranslated = rows.some(({ translations }) => Object.keys(translations).length > 0);
  return { document: element('StoreProperties', [fields(answered)]), record, isTranslated };
}

export async function storeProperties({ services, store, spoken }: Call<'storeProperties'>): Answer<'storeProperties'> {
  return (await propertiesOf(services.db, store, spoken)).document;
}
