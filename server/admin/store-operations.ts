import { isCurrency } from '../importing/amounts.ts';
import { languages } from '../../machines/model/store/language-names.ts';
import { parseHost, saveStore } from '../setup/save-store.ts';
import { BadOperation } from '../kernel/bad-operation.ts';
import { type OperationInput, hasInput, readId, type AdminOperation, readText } from './operation-input.ts';
import { describeOutcome, runOrDryRun } from './dry-run.ts';

function readLanguage(input: OperationInput) {
  const languageName = hasInput(input, 'language') ? readText(input, 'language') : 'en';
  const language = languages.find((each) => each === languageName);
  if (language === undefined) throw new BadOperation(`language must be one of ${languages.join(', ')}, not "${languageName}".`);
  return language;
}

function readHost(input: OperationInput): string | null {
  if (!hasInput(input, 'host')) return null;
  const text = readText(input, 'host');
  try {
    return parseHost(text);
  } catch (error) {
    throw error instanceof Error ? new BadOperation(error.message) : error;
  }
}

/**
 * Creates an empty store. The first one becomes the default, which is served at the server's own
 * hosts.
 */
const create: AdminOperation = async ({ db }, _, input) => {
  const [id, name, currency] = [readId(input), readText(input, 'name'), readText(input, 'currency')];
  if (!isCurrency(currency)) throw new BadOperation(`currency must be an ISO 4217 code like EUR, not "${currency}".`);
  const [language, host] = [readLanguage(input), readHost(input)];
  return runOrDryRun(db, input, async (trx) => {
    const stores = await trx.selectFrom('stores').select(['id', 'host', 'is_default']).orderBy('id').execute();
    if (stores.some((store) => store.id === id)) throw new BadOperation(`There is already a store ${id}.`);
    const storeOfHost = host === null ? undefined : stores.find((store) => store.host === host);
    if (storeOfHost) throw new BadOperation(`The store ${storeOfHost.id} already has the host ${host}.`);
    const isDefault = input['default'] === true || stores.length === 0;
    if (isDefault) await trx.updateTable('stores').set({ is_default: false }).where('is_default', '=', true).execute();
    await saveStore(trx, { id, host, isDefault, currency, language, properties: { ShelfName: name } });
    return { rows: [{ store: id, name, host: host ?? '' }], message: describeOutcome(input, `The store ${id}`, 'made') };
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
