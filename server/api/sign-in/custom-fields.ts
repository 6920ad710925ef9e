import type { CustomField, CustomValues } from '../../../machines/model/account/custom-field.ts';
import { readCustomFields, validateCustomFields, type FieldInput } from '../../accounts/custom-fields.ts';
import { renderElement, renderFields } from '../../base/xml/write.ts';
import type { Answer, Call, CustomerCall } from '../calls/call.ts';
import { DomainError, unauthorized } from '../../kernel/errors.ts';

/** Returns the store's custom fields, in display order. */
export async function signUpFields({ services, store, spoken }: Call<'signUpFields'>): Answer<'signUpFields'> {
  const customFields = await readCustomFields(services.db, store.id, spoken);
  return renderElement(
    'CustomFields',
    customFields.map(({ id, label, kind, isRequired, choices }) =>
      renderElement('CustomField', [
        renderFields({ Id: id, Label: label, Type: kind, Required: isRequired }),
        renderElement(
          'Choices',
          choices.map(({ value, text }) => renderElement('Choice', [renderFields({ Value: value, Text: text })])),
        ),
      ]),
    ),
  );
}

/** Returns the customer's name, and their values of custom fields. */
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
  return renderElement('CustomFields', [
    renderFields({ Name: user.name }),
    ...Object.entries(user.fields).map(([id, value]) => renderElement('CustomField', [renderFields({ Id: id, Value: value })])),
  ]);
}

/**
 * Returns a customer's stored values of custom fields, updated with the input.
 * @throws DomainError bad_request `bad_field` naming the field that is wrong, missing or unknown
 */
export function mergeFieldValues(
  customFields: readonly CustomField[],
  storedValues: CustomValues,
  input: readonly FieldInput[],
): CustomValues {
  const result = validateCustomFields(customFields, storedValues, input);
  if ('wrong' in result) throw new DomainError('bad_request', `Please check this field: ${result.wrong}`, { code: 'bad_field' });
  return result.values;
}
