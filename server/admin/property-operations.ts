import { BadOperation } from '../kernel/bad-operation.ts';
import type { OperationInput, AdminOperation } from './operation-input.ts';
import { saveProperties } from './save-properties.ts';
import { describeOutcome, runOrDryRun } from './dry-run.ts';

function readProperties({ properties }: OperationInput): Record<string, unknown> {
  if (typeof properties === 'object' && properties !== null && !Array.isArray(properties))
    return properties as Record<string, unknown>;
  throw new BadOperation('properties must be an object with properties by name.');
}

const set: AdminOperation = async ({ db }, store, input) => {
  const properties = readProperties(input);
  await runOrDryRun(db, input, (trx) => saveProperties(trx, store, properties));
  return {
    rows: [],
    message: describeOutcome(input, `The configuration of ${store} (${Object.keys(properties).join(', ')})`, 'set'),
  };
};

const list: AdminOperation = async ({ db }, store) => {
  const { language } = await db.selectFrom('stores').select('language').where('id', '=', store).executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('properties')
    .select(['name', 'value', 'translations'])
    .where('store_id', '=', store)
    .orderBy('name')
    .execute();
  return {
    rows: rows.map(({ name, value, translations }) => {
      const translatedTexts = Object.entries(translations).map(([code, texts]) => [code, texts?.value ?? '']);
      return {
        name,
        value:
          translatedTexts.length === 0 ? value : JSON.stringify({ [language]: value, ...Object.fromEntries(translatedTexts) }),
      };
    }),
  };
};

export const propertyOperations: Readonly<Record<string, AdminOperation>> = { 'properties set': set, 'properties list': list };
