import * as v from 'valibot';
import { findCustomProblem, toCustomValue, type CustomField } from './custom-field.ts';

/** The input name of a store's own field in a form. */
export const customInputName = ({ id }: Pick<CustomField, 'id'>): string => `field-${id}`;

const createFieldSchema = (field: CustomField) =>
  v.pipe(
    field.kind === 'checkbox' ? v.boolean() : v.string(),
    v.transform((rawValue) => toCustomValue(field, rawValue)),
    v.check(
      (value) => findCustomProblem(field, value) === null,
      ({ input }) => findCustomProblem(field, input) ?? '',
    ),
  );

/** Adds the store's own fields to a form; their values are collected under `custom`. */
export const withCustomFields = (form: { entries: v.ObjectEntries }, fields: readonly CustomField[]) => {
  const customSchemas = Object.fromEntries(fields.map((field) => [customInputName(field), createFieldSchema(field)]));
  const schema: v.GenericSchema<unknown, Record<string, unknown>> = v.object({ ...form.entries, ...customSchemas });
  return v.pipe(
    schema,
    v.transform((values) => {
      const formValues: Record<string, unknown> = Object.fromEntries(
        Object.keys(form.entries).map((name) => [name, values[name]]),
      );
      const custom: Record<string, unknown> = Object.fromEntries(
        fields.map((field) => [field.id, values[customInputName(field)]]),
      );
      return { ...formValues, custom };
    }),
  );
};
