import { parseCountries, isHtml, propertyDefinitions as known, toWireValue } from '../../stores/store-properties.ts';
import type { Database } from '../../database/open.ts';
import { localizeHtml, localizeText, type StoreLanguage } from '../../base/language.ts';
import { element, fields, Markup, type Value } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import type { Store } from '../../stores/stores.ts';

const APP_STORES = new Set(['GooglePlay', 'Apple']);

function renderLink(item: unknown): Markup | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const [type, url] = [Reflect.get(item, 'Type'), Reflect.get(item, 'Url')] as unknown[];
  if (typeof type !== 'string' || typeof url !== 'string' || !APP_STORES.has(type)) return undefined;
  return element('AppStoreUrl', [fields({ Type: type, Url: url })]);
}

const renderCountries = (value: string): Markup =>
  new Markup(
    parseCountries(value)
      .map((code) => element('Country', code).text)
      .join(''),
  );

/** Items of a list stored as JSON text; invalid items are left out, and so are invalid lists. */
function renderList(json: string, write: (item: unknown) => Markup | undefined): Markup | undefined {
  try {
    const items: unknown = JSON.parse(json);
    if (Array.isArray(items)) return new Markup(items.map((item) => write(item)?.text ?? '').join(''));
  } catch {
    // Left out below, like every text that is not a list.
  }
  return undefined;
}

function renderProperty(name: string, value: string | undefined): Value {
  const kind = known[name]?.kind;
  if (value === undefined) return undefined;
  if (kind === 'apps') return renderList(value, renderLink);
  return kind === 'countries' ? renderCountries(value) : value;
}

/** A store's configuration: in its wire format, and by property name. */
export type Configuration = {
  document: Markup;
  record: Record<string, string>;
  /** the answer depends on the language */
  isTranslated: boolean;
};

/**
 * The store's configuration with the property values that were set; missing or invalid ones have
 * their defaults.
 */
export async function readConfiguration(db: Database, store: Store, spoken: StoreLanguage): Promise<Configuration> {
  const rows = await db
    .selectFrom('properties')
    .select(['name', 'value', 'translations'])
    .where('store_id', '=', store.id)
    .execute();
  const set = new Map(
    rows.map((row) => [row.name, isHtml(row.name) ? localizeHtml(row, 'value', spoken) : localizeText(row, 'value', spoken)]),
  );
  const answered: Record<string, Value> = { ShelfId: store.id };
  const record: Record<string, string> = {};
  for (const [name, { isServers }] of Object.entries(known)) {
    if (isServers) continue;
    const value = toWireValue(name, set.get(name));
    answered[name] = renderProperty(name, value);
    if (value !== undefined) record[name] = value;
  }
  const isTranslated = rows.some(({ translations }) => Object.keys(translations).length > 0);
  return { document: element('StoreProperties', [fields(answered)]), record, isTranslated };
}

export async function storeProperties({ services, store, spoken }: Call<'storeProperties'>): Answer<'storeProperties'> {
  return (await readConfiguration(services.db, store, spoken)).document;
}
