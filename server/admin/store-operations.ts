import { isCurrency } from '../importing/amounts.ts';
import { languages } from '../../machines/model/store/language-names.ts';
import { parseHost, saveStore } from '../setup/save-store.ts';
import { BadOperation } from '../kernel/bad-operation.ts';
import { type OperationInput, hasInput, readId, type AdminOperation, readText } from './operation-input.ts';
import { describeOutcome, runOrDryRun } from './dry-run.ts';

function readLanguage(given: OperationInput) {
  const named = hasInput(given, 'language') ? readText(given, 'language') : 'en';
  const language = languages.find((each) => each === named);
  if (language === undefined) throw new BadOperation(`language must be one of ${languages.join(', ')}, not "${named}".`);
  return language;
}

function readHost(given: OperationInput): string | null {
  if (!hasInput(given, 'host')) return null;
  const text = readText(given, 'host');
  try {
    return parseHost(text);
  } catch (error) {
    throw error instanceof Error ? new BadOperation(error.message) : error;
  }
}

/**
 * Creates an empty store. The first one becomes the default, which serves hosts that no other store
 * has.
 */
const create: AdminOperation = async ({ db }, _, given) => {
  const [id, name, currency] = [readId(given), readText(given, 'name'), readText(given, 'currency')];
  if (!isCurrency(currency)) throw new BadOperation(`currency must be an ISO 4217 code like EUR, not "${currency}".`);
  const [language, host] = [readLanguage(given), readHost(given)];
  return runOrDryRun(db, given, async (trx) => {
    const stores = await trx.selectFrom('stores').select(['id', 'host', 'is_default']).orderBy('id').execute();
    if (stores.some((store) => store.id === id)) throw new BadOperation(`There is already a store ${id}.`);
    const neighbour = host === null ? undefined : stores.find((store) => store.host === host);
    if (neighbour) throw new BadOperation(`The store ${neighbour.id} already has the host ${host}.`);
    const isDefault = given['default'] === true || stores.length === 0;
    if (isDefault) await trx.updateTable('stores').set({ is_default: false }).where('is_default', '=', true).execute();
    await saveStore(trx, { id, host, isDefault, currency, language, properties: { ShelfName: name } });
    return { rows: [{ store: id, name, host: host ?? '' }], says: describeOutcome(given, `The store ${id}`, 'made') };
  });
};

const list: AdminOperation = async ({ db }) => {
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

/** Operations that are not about one store. */
export const storeOperations: Readonly<Record<string, AdminOperation>> = { 'stores create': create, 'stores list': list };
