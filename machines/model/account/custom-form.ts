import * as v from 'valibot';
import { customProblem, customValue, type CustomField } from './custom-field.ts';

/** What an input of a store's own field is called in a form. */
export const customInput = ({ id }: Pick<CustomField, 'id'>): string => `field-${id}`;

const typedInto = (field: CustomField) =>
  v.pipe(
    field.kind === 'checkbox' ? v.boolean() : v.string(),
    v.transform((typed) => customValue(field, typed)),
    v.check(
      (value) => customProblem(field, value) === null,
      ({ input }) => customProblem(field, input) ?? '',
    ),
  );

/** A form with the store's own fields in it; what was typed into these is gathered under `custom`. */
export const withCustomFields = (form: { entries: v.ObjectEntries }, fields: readonly CustomField[]) => {
  const own = Object.fromEntries(fields.map((field) => [customInput(field), typedInto(field)]));
  const whole: v.GenericSchema<unknown, Record<string, unknown>> = v.object({ ...form.entries, ...own });
  return v.pipe(
    whole,
    v.transform((values) => {
      const typed: Record<string, unknown> = Object.fromEntries(Object.keys(form.entries).map((name) => [name, values[name]]));
      const custom: Record<string, unknown> = Object.fromEntries(fields.map((field) => [field.id, values[customInput(field)]]));
      return { ...typed, custom };
    }),
  );
};
