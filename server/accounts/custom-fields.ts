import {
  findCustomProblem,
  toCustomValue,
  type CustomField,
  type CustomValues,
} from '../../machines/model/account/custom-field.ts';
import type { Database } from '../database/open.ts';
import { localizeText, type StoreLanguage } from '../base/language.ts';

/**
 * The custom fields that the store asks its customers to fill in, in display order, in the given
 * language.
 */
export async function readCustomFields(
  db: Database,
  storeId: string,
  storeLanguage: Pick<StoreLanguage, 'language'>,
): Promise<CustomField[]> {
  const rows = await db
    .selectFrom('custom_fields')
    .selectAll()
    .where('store_id', '=', storeId)
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    label: localizeText(row, 'label', storeLanguage),
    isRequired: row.is_required,
    choices: row.choices.map((choice) => ({ value: choice.value, text: localizeText(choice, 'text', storeLanguage) })),
  }));
}

/**
 * The newsletter checkbox of stores that set `ShowNewsletterControls` without a custom field for
 * it.
 */
const newsletterField: CustomField = { id: 'newsletter', kind: 'checkbox', label: 'Newsletter', isRequired: false, choices: [] };

export type FieldInput = { Id: string; Value: string };
export type CustomFieldCheck = { values: CustomValues } | { wrong: string };

/**
 * Merges a customer's new answers into `knownValues` and validates them.
 * @returns the values to store, or the label of the field that is wrong or missing, or the id of a
 * field that is unknown to the store
 */
export function validateCustomFields(
  fields: readonly CustomField[],
  knownValues: CustomValues,
  inputs: readonly FieldInput[],
): CustomFieldCheck {
  const allFields = [...fields, newsletterField];
  const values = { ...knownValues };
  for (const { Id, Value } of inputs) {
    const field = allFields.find(({ id }) => id === Id);
    if (!field) return { wrong: Id };
    const value = toCustomValue(field, Value);
    if (findCustomProblem(field, value) !== null) return { wrong: field.label };
    if (value === '') delete values[Id];
    else values[Id] = value;
  }
  const missingField = fields.find(({ id, isRequired }) => isRequired && values[id] === undefined);
  return missingField ? { wrong: missingField.label } : { values };
}

/** Whether the store requires a field that the customer has not filled in. */
export async function hasOpenQuestions(db: Database, storeId: string, userId: string): Promise<boolean> {
  const required = await db
    .selectFrom('custom_fields')
    .select('id')
    .where('store_id', '=', storeId)
    .where('is_required', '=', true)
    .execute();
  if (required.length === 0) return false;
  const user = await db
    .selectFrom('users')
    .select('fields')
    .where('store_id', '=', storeId)
    .where('id', '=', userId)
    .executeTakeFirst();
  return required.some(({ id }) => (user?.fields[id] ?? '') === '');
}
