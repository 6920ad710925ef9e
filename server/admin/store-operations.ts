import { isCurrency } from '../importing/amounts.ts';
import { languages } from '../../machines/model/store/language-names.ts';
import { hostOf, saveStore } from '../setup/save-store.ts';
import { BadOperation } from '../kernel/bad-operation.ts';
import { type Given, has, idOf, type Operation, textOf } from './given.ts';
import { saysDone, tryOut } from './try-out.ts';

function languageOf(given: Given) {
  const named = has(given, 'language') ? textOf(given, 'language') : 'en';
  const language = languages.find((each) => each === named);
  if (language === undefined) throw new BadOperation(`language must be one of ${languages.join(', ')}, not "${named}".`);
  return language;
}

function namedHost(given: Given): string | null {
  if (!has(given, 'host')) return null;
  const text = textOf(given, 'host');
  try {
    return hostOf(text);
  } catch (error) {
    throw error instanceof Error ? new BadOperation(error.message) : error;
  }
}

/** A new store, with nothing in it yet. The first one is the default, which is shown where no other store has the host. */
const create: Operation = async ({ db }, _, given) => {
  const [id, name, currency] = [idOf(given), textOf(given, 'name'), textOf(given, 'currency')];
  if (!isCurrency(currency)) throw new BadOperation(`currency must be one like EUR, by ISO 4217, not "${currency}".`);
  const [language, host] = [languageOf(given), namedHost(given)];
  return tryOut(db, given, async (trx) => {
    const stores = await trx.selectFrom('stores').select(['id', 'host', 'is_default']).orderBy('id').execute();
    if (stores.some((store) => store.id === id)) throw new BadOperation(`There is a store ${id} already.`);
    const neighbour = host === null ? undefined : stores.find((store) => store.host === host);
    if (neighbour) throw new BadOperation(`The store ${neighbour.id} has the host ${host} already.`);
    const isDefault = given['default'] === true || stores.length === 0;
    if (isDefault) await trx.updateTable('stores').set({ is_default: false }).where('is_default', '=', true).execute();
    await saveStore(trx, { id, host, isDefault, currency, language, properties: { ShelfName: name } });
    return { rows: [{ store: id, name, host: host ?? '' }], says: saysDone(given, `The store ${id}`, 'made') };
  });
};

const list: Operation = async ({ db }) => {
  const rows = await db
    .selectFrom('stores')
    .leftJoin('properties', (join) => join.onRef('properties.store_id', '=', 'stores.id').on('properties.name', '=', 'ShelfName'))
    .select([
      'stores.id',
      'stores.host',
      'stores.is_default',
      'stores.currency',
      'stores.currencies',
      'stores.language',
      'properties.value',
    ])
    .orderBy('stores.id')
    .execute();
  return {
    rows: rows.map(({ id, value, host, is_default: isDefault, currency, currencies, language }) => ({
      store: id,
      name: value ?? '',
      host: host ?? '',
      default: isDefault ? 'yes' : 'no',
      currency,
      currencies: [...new Set([currency, ...currencies])].join(','),
      language,
    })),
  };
};

/** What is not done in one store. */
export const storeOperations: Readonly<Record<string, Operation>> = { 'stores create': create, 'stores list': list };
