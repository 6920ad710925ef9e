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
      const of = (names: readonly string[], inputs = names): Record<string, unknown> =>
        Object.fromEntries(names.map((name, at) => [name, values[inputs[at] ?? name]]));
      const custom = of(
        fields.map(({ id }) => id),
        fields.map(customInput),
      );
      return { ...of(Object.keys(form.entries)), custom };
    }),
  );
};
