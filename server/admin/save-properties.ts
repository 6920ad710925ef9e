import { storeProperties } from '../catalogue/store-properties.ts';
import type { Database } from '../database/open.ts';
import { BadText, isByLanguage } from '../language.ts';
import { propertyRow } from '../setup/save-store.ts';
import { isStorableText } from '../storable-text.ts';

const isText = (value: unknown): boolean => typeof value === 'string' && isStorableText(value);

/** Any value that a property could be given, bad ones too: what is not of its kind is as good as not set; texts by language are looked at. */
const isValue = (value: unknown): boolean =>
  value === null || Array.isArray(value) || isByLanguage(value) || ['boolean', 'number'].includes(typeof value) || isText(value);

/** The first name among what is given that is no property, or has a value that none could have. */
export const strangeProperty = (given: Readonly<Record<string, unknown>>): string | undefined =>
  Object.keys(given).find((name) => !Object.hasOwn(storeProperties, name) || !isValue(given[name]));

/**
 * Sets properties of a store, and takes back those that are null; inside the caller's transaction.
 * @returns whether there is such a store
 * @throws BadText for words that are not given as they have to be
 */
export async function saveProperties(trx: Database, storeId: string, given: Readonly<Record<string, unknown>>): Promise<boolean> {
  const strange = strangeProperty(given);
  if (strange !== undefined) throw new BadText(`${strange} is no property of a store, or no value for one.`);
  // Two changes at once take their turns, whatever they change.
  const store = await trx.selectFrom('stores').select('language').where('id', '=', storeId).forUpdate().executeTakeFirst();
  if (!store) return false;
  const rows = Object.entries(given)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => propertyRow(storeId, name, value, store.language));
  for (const name of Object.keys(given))
    await trx.deleteFrom('properties').where('store_id', '=', storeId).where('name', '=', name).execute();
  if (rows.length > 0) await trx.insertInto('properties').values(rows).execute();
  return true;
}
