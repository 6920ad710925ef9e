import { BadOperation } from '../kernel/bad-operation.ts';
import type { Given, Operation } from './given.ts';
import { saveProperties } from './save-properties.ts';
import { saysDone, tryOut } from './try-out.ts';

function propertiesOf({ properties }: Given): Record<string, unknown> {
  if (typeof properties === 'object' && properties !== null && !Array.isArray(properties))
    return properties as Record<string, unknown>;
  throw new BadOperation('properties must be an object of properties by their names.');
}

const set: Operation = async ({ db }, store, given) => {
  const properties = propertiesOf(given);
  await tryOut(db, given, (trx) => saveProperties(trx, store, properties));
  return { rows: [], says: saysDone(given, `What the store ${store} is like (${Object.keys(properties).join(', ')})`, 'set') };
};

const list: Operation = async ({ db }, store) => {
  const { language } = await db.selectFrom('stores').select('language').where('id', '=', store).executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('properties')
    .select(['name', 'value', 'translations'])
    .where('store_id', '=', store)
    .orderBy('name')
    .execute();
  return {
    rows: rows.map(({ name, value, translations }) => {
      const others = Object.entries(translations).map(([code, texts]) => [code, texts?.value ?? '']);
      return { name, value: others.length === 0 ? value : JSON.stringify({ [language]: value, ...Object.fromEntries(others) }) };
    }),
  };
};

export const propertyOperations: Readonly<Record<string, Operation>> = { 'properties set': set, 'properties list': list };
