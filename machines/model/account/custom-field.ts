/** A store's own field, which it asks for in addition to name, e-mail address and password. */
export type CustomField = {
  id: string;
  label: string;
  kind: 'text' | 'number' | 'date' | 'choice' | 'checkbox';
  isRequired: boolean;
  /** For a choice: the stored values and their labels. */
  choices: { value: string; text: string }[];
};

/** The customer's answers by field id; an unanswered field is empty or missing. */
export type CustomValues = Record<string, string>;

/** A validation error of an answer. */
export type CustomProblem = 'required' | 'agree' | 'tooLong' | 'number' | 'date' | 'choice';

const MAX_VALUE_CHARS = 2000;

const isDate = (text: string): boolean => {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return date !== null && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
};

const kindChecks: Record<CustomField['kind'], (value: string, field: CustomField) => CustomProblem | null> = {
  text: () => null,
  number: (value) => (/^-?\d+(?:\.\d+)?$/.test(value) ? null : 'number'),
  date: (value) => (isDate(value) ? null : 'date'),
  choice: (value, { choices }) => (choices.some((choice) => choice.value === value) ? null : 'choice'),
  checkbox: (value) => (value === 'true' ? null : 'choice'),
};

/**
 * Normalises a typed value for storage: texts are trimmed, numbers get a decimal point, and a
 * ticked checkbox becomes `true`. Empty without an answer.
 */
export const toCustomValue = ({ kind }: Pick<CustomField, 'kind'>, input: string | boolean): string => {
  if (typeof input === 'boolean') return input ? 'true' : '';
  const value = input.trim();
  if (kind === 'checkbox') return value === 'false' ? '' : value;
  return kind === 'number' ? value.replace(',', '.') : value;
};

/** Whether a required field has no answer. */
export const hasMissingField = (fields: readonly CustomField[], values: CustomValues): boolean =>
  fields.some(({ id, isRequired }) => isRequired && (values[id] ?? '') === '');

/** Validates a stored value; null if it is valid. Server and pages share this rule. */
export const findCustomProblem = (field: CustomField, value: string): CustomProblem | null => {
  if (value === '') return field.isRequired ? (field.kind === 'checkbox' ? 'agree' : 'required') : null;
  if (value.length > MAX_VALUE_CHARS) return 'tooLong';
  return kindChecks[field.kind](value, field);
};
