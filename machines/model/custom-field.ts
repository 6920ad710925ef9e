import * as v from 'valibot';
import type { FieldProblem } from './session.ts';

/** What a store asks its customers for beside name, address and password. */
export type CustomField = {
  id: string;
  label: string;
  kind: 'text' | 'number' | 'date' | 'choice' | 'checkbox';
  isRequired: boolean;
  /** Of a choice: what is kept, and what it is called. */
  choices: { value: string; text: string }[];
};

/** What a customer has answered, by the fields' ids; a field that was left empty is empty, or missing. */
export type CustomValues = Record<string, string>;

const longest = 2000;

const isDate = (text: string): boolean => {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return date !== null && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
};

const kindProblem: Record<CustomField['kind'], (value: string, field: CustomField) => FieldProblem | null> = {
  text: () => null,
  number: (value) => (/^-?\d+(?:\.\d+)?$/.test(value) ? null : 'number'),
  date: (value) => (isDate(value) ? null : 'date'),
  choice: (value, { choices }) => (choices.some((choice) => choice.value === value) ? null : 'choice'),
  checkbox: (value) => (value === 'true' ? null : 'choice'),
};

/** A typed value as it is kept: without spaces around it; a number with a point, a tick as `true`; empty where there is none. */
export const customValue = ({ kind }: Pick<CustomField, 'kind'>, typed: string | boolean): string => {
  if (typeof typed === 'boolean') return typed ? 'true' : '';
  const value = typed.trim();
  if (kind === 'checkbox') return value === 'false' ? '' : value;
  return kind === 'number' ? value.replace(',', '.') : value;
};

/** What is wrong with a value as it is kept; null when nothing is. Server and pages judge alike. */
export const customProblem = (field: CustomField, value: string): FieldProblem | null => {
  if (value === '') return field.isRequired ? (field.kind === 'checkbox' ? 'agree' : 'required') : null;
  if (value.length > longest) return 'tooLong';
  return kindProblem[field.kind](value, field);
};

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
