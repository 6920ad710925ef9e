import { toShortListPath } from '../paths.ts';

/**
 * The form that sorts and filters a list before the scripts have loaded, or without them. It
 * submits all of its controls; the server converts them into the list's own address.
 *
 * A checkbox submits its value under the name of its parameter, or a change such as `-a,b`, in
 * which `b` replaces `a`. A radio button submits the query that it sets. The button beside the
 * price inputs submits a marker that the typed prices apply.
 */
export const listFields = {
  /** Marks an address that this form submitted. */
  form: { name: 'form', value: 'list' },
  /** The name of the radio buttons, whose values are queries. */
  set: 'set',
  /** The name of the field with the list's default sort order. */
  usualSort: 'usualsort',
  typedPrices: { name: 'prices', value: 'typed' },
} as const;

/** Parameters with several values, each of which has a checkbox. */
export const checkboxParameters = ['kind', 'category', 'language'] as const;

const fieldNames: ReadonlySet<string> = new Set([
  listFields.form.name,
  listFields.set,
  listFields.usualSort,
  listFields.typedPrices.name,
  ...checkboxParameters,
]);

const priceNames: ReadonlySet<string> = new Set(['free', 'pricefrom', 'priceto']);

/** The value that a checkbox submits to replace other selected values. */
export const toReplacingValue = (value: string, replacedValues: readonly string[]): string =>
  [...replacedValues.map((replaced) => `-${replaced}`), value].join(',');

const isChange = (value: string): boolean => value.startsWith('-');

const readChoices = (submittedValues: readonly string[]): string => {
  const selectedValues = new Set(submittedValues.filter((value) => !isChange(value)));
  for (const choice of submittedValues.filter(isChange).flatMap((change) => change.split(','))) {
    if (isChange(choice)) selectedValues.delete(choice.slice(1));
    else selectedValues.add(choice);
  }
  return [...selectedValues].toSorted().join(',');
};

/** Splits a query that a radio button submits into names and values, none of which is encoded. */
const parsePairs = (query: string): string[][] => query.split('&').map((pair) => pair.split('='));

/** The list's own URL for the submitted fields of its form; null if another form was submitted. */
export const toListAddress = (path: string, fields: readonly (readonly [name: string, value: string])[]): string | null => {
  const { form, set, usualSort, typedPrices } = listFields;
  const getValues = (fieldName: string): string[] => fields.filter(([name]) => name === fieldName).map(([, value]) => value);
  // Two slashes at the start, which may be backslashes for browsers, would lead to another host.
  if (!getValues(form.name).includes(form.value) || /^[/\\]{2}/.test(path)) return null;
  const query = new Map(fields.filter(([name]) => !fieldNames.has(name)));
  for (const name of checkboxParameters) query.set(name, readChoices(getValues(name)));
  if (!getValues(typedPrices.name).includes(typedPrices.value))
    for (const [name = '', value = ''] of getValues(set).flatMap(parsePairs)) if (priceNames.has(name)) query.set(name, value);
  if (getValues(usualSort).includes(query.get('sort') ?? '')) query.delete('sort');
  return toShortListPath(path, query);
};
