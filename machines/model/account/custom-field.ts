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

/** What may be wrong with an answer. */
export type CustomProblem = 'required' | 'agree' | 'tooLong' | 'number' | 'date' | 'choice';

const longest = 2000;

const isDate = (text: string): boolean => {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return date !== null && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
};

const kindProblem: Record<CustomField['kind'], (value: string, field: CustomField) => CustomProblem | null> = {
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

/** Whether something has no answer that is asked of everybody. */
export const hasOpenField = (fields: readonly CustomField[], values: CustomValues): boolean =>
  fields.some(({ id, isRequired }) => isRequired && (values[id] ?? '') === '');

/** What is wrong with a value as it is kept; null when nothing is. Server and pages judge alike. */
export const customProblem = (field: CustomField, value: string): CustomProblem | null => {
  if (value === '') return field.isRequired ? (field.kind === 'checkbox' ? 'agree' : 'required') : null;
  if (value.length > longest) return 'tooLong';
  return kindProblem[field.kind](value, field);
};
