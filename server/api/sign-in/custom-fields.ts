import type { CustomField, CustomValues } from '../../../machines/model/account/custom-field.ts';
import { readCustomFields, validateCustomFields, type FieldInput } from '../../accounts/custom-fields.ts';
import { element, fields } from '../../base/xml/write.ts';
import type { Answer, Call, CustomerCall } from '../calls/call.ts';
import { DomainError, unauthorized } from '../../kernel/errors.ts';

/** The store's custom fields, in display order. */
export async function signUpFields({ services, store, spoken }: Call<'signUpFields'>): Answer<'signUpFields'> {
  const asked = await readCustomFields(services.db, store.id, spoken);
  return element(
    'CustomFields',
    asked.map(({ id, label, kind, isRequired, choices }) =>
      element('CustomField', [
        fields({ Id: id, Label: label, Type: kind, Required: isRequired }),
        element(
          'Choices',
          choices.map(({ value, text }) => element('Choice', [fields({ Value: value, Text: text })])),
        ),
      ]),
    ),
  );
}

/** The customer's name, and their answers to custom fields. */
export async function customFieldValues({
  services,
  store,
  customer,
}: CustomerCall<'customFieldValues'>): Answer<'customFieldValues'> {
  const user = await services.db
    .selectFrom('users')
    .select(['name', 'fields'])
    .where('store_id', '=', store.id)
    .where('id', '=', customer.id)
    .executeTakeFirst();
  if (!user) throw unauthorized();
  return element('CustomFields', [
    fields({ Name: user.name }),
    ...Object.entries(user.fields).map(([id, value]) => element('CustomField', [fields({ Id: id, Value: value })])),
  ]);
}

/**
 * Merges a customer's new answers into the `known` ones.
 * @throws DomainError bad_request `bad_field` naming the field that is wrong, missing or unknown
 */
export function mergeFieldValues(asked: readonly CustomField[], known: CustomValues, given: readonly FieldInput[]): CustomValues {
  const judged = validateCustomFields(asked, known, given);
  if ('wrong' in judged) throw new DomainError('bad_request', `Please check this field: ${judged.wrong}`, { code: 'bad_field' });
  return judged.values;
}
