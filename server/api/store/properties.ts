import { parseCountries, isHtml, propertyDefinitions, toWireValue } from '../../stores/store-properties.ts';
import type { Database } from '../../database/open.ts';
import { localizeHtml, localizeText, type StoreLanguage } from '../../base/language.ts';
import { renderElement, renderFields, Markup, type Value } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import type { Store } from '../../stores/stores.ts';

const APP_STORES = new Set(['GooglePlay', 'Apple']);

function renderLink(item: unknown): Markup | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const [type, url] = [Reflect.get(item, 'Type'), Reflect.get(item, 'Url')] as unknown[];
  if (typeof type !== 'string' || typeof url !== 'string' || !APP_STORES.has(type)) return undefined;
  return renderElement('AppStoreUrl', [renderFields({ Type: type, Url: url })]);
}

const renderCountries = (value: string): Markup =>
  new Markup(
    parseCountries(value)
      .map((code) => renderElement('Country', code).text)
      .join(''),
  );

/** Renders a list stored as JSON text without invalid items; undefined for an invalid list. */
function renderList(json: string, render: (item: unknown) => Markup | undefined): Markup | undefined {
  try {
    const items: unknown = JSON.parse(json);
    if (Array.isArray(items)) return new Markup(items.map((item) => render(item)?.text ?? '').join(''));
  } catch {
    // Treated below like any other text that is not a list.
  }
  return undefined;
}

function renderProperty(name: string, value: string | undefined): Value {
  const kind = propertyDefinitions[name]?.kind;
  if (value === undefined) return undefined;
  if (kind === 'apps') return renderList(value, renderLink);
  return kind === 'countries' ? renderCountries(value) : value;
}

/** A store's configuration: in its wire format (`document`), and by property name (`record`). */
export type Configuration = {
  document: Markup;
  record: Record<string, string>;
  /** the configuration depends on the language */
  isTranslated: boolean;
};

/**
 * Reads the store's configuration; properties with missing or invalid values have their defaults.
 */
export async function readConfiguration(db: Database, store: Store, spoken: StoreLanguage): Promise<Configuration> {
  const rows = await db
    .selectFrom('properties')
    .select(['name', 'value', 'translations'])
    .where('store_id', '=', store.id)
    .execute();
  const values = new Map(
    rows.map((row) => [row.name, isHtml(row.name) ? localizeHtml(row, 'value', spoken) : localizeText(row, 'value', spoken)]),
  );
  const wireValues: Record<string, Value> = { ShelfId: store.id };
  const record: Record<string, string> = {};
  for (const [name, { isServerOnly }] of Object.entries(propertyDefinitions)) {
    if (isServerOnly) continue;
    const value = toWireValue(name, values.get(name));
    wireValues[name] = renderProperty(name, value);
    if (value !== undefined) record[name] = value;
  }
  const isTranslated = rows.some(({ translations }) => Object.keys(translations).length > 0);
  return { document: renderElement('StoreProperties', [renderFields(wireValues)]), record, isTranslated };
}

export async function storeProperties({ services, store, spoken }: Call<'storeProperties'>): Answer<'storeProperties'> {
  return (await readConfiguration(services.db, store, spoken)).document;
}
