import { customProblem, customValue, type CustomField, type CustomValues } from '../../machines/model/account/custom-field.ts';
import type { Database } from '../database/open.ts';
import { textIn, type Spoken } from '../base/language.ts';

/** What the store asks its customers for, in the order shown, in the language that is to be spoken. */
export async function customFieldsOf(db: Database, storeId: string, spoken: Pick<Spoken, 'language'>): Promise<CustomField[]> {
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
    label: textIn(row, 'label', spoken),
    isRequired: row.is_required,
    choices: row.choices.map((choice) => ({ value: choice.value, text: textIn(choice, 'text', spoken) })),
  }));
}

/** A tick that a store has by `ShowNewsletterControls`, without naming it among its own fields. */
const newsletter: CustomField = { id: 'newsletter', kind: 'checkbox', label: 'Newsletter', isRequired: false, choices: [] };

export type GivenValue = { Id: string; Value: string };
export type Judged = { values: CustomValues } | { wrong: string };

/**
 * What a customer has answered, as it is kept: what is `known` already, with what is given now.
 * @returns the name of the field that is wrong, missing, or none of the store's
 */
export function judgeValues(fields: readonly CustomField[], known: CustomValues, given: readonly GivenValue[]): Judged {
  const asked = [...fields, newsletter];
  const values = { ...known };
  for (const { Id, Value } of given) {
    const field = asked.find(({ id }) => id === Id);
    if (!field) return { wrong: Id };
    const value = customValue(field, Value);
    if (customProblem(field, value) !== null) return { wrong: field.label };
    if (value === '') delete values[Id];
    else values[Id] = value;
  }
  const missing = fields.find(({ id, isRequired }) => isRequired && values[id] === undefined);
  return missing ? { wrong: missing.label } : { values };
}

/** Whether the store asks for something that the customer has not answered. */
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
