import type { GenericSchema, InferOutput } from 'valibot';
import { readForm, type FieldProblems } from '../../machines/model/account/session.ts';

/**
 * Reads and validates an uncontrolled form by its schema. The value of a checkbox is a boolean,
 * that of any other field its text. The first invalid field on the page takes the focus.
 * @returns the values, or the problems by field name
 */
export const readFields = <Form extends GenericSchema>(
  element: HTMLFormElement,
  form: Form,
): { values: InferOutput<Form> } | { fields: FieldProblems } => {
  const inputs = [
    ...element.querySelectorAll<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>(
      'input[name], select[name], textarea[name]',
    ),
  ];
  const values = Object.fromEntries(
    inputs.map((input) => [
      input.name,
      input instanceof HTMLInputElement && input.type === 'checkbox' ? input.checked : input.value,
    ]),
  );
  const result = readForm(form, values);
  if ('fields' in result) inputs.find(({ name }) => name in result.fields)?.focus();
  return result;
};
