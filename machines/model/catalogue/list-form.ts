import { toShortListPath } from '../paths.ts';

/**
 * The form that sorts and filters a list before the scripts have loaded, or without them. It
 * submits all of its controls; the server converts them into the list's own address.
 *
 * A checkbox submits its value under the name of its parameter, or a change `-a,b`: the value
 * replaces those that start with a dash. A radio button submits the query that it sets. The button
 * beside the price inputs marks the typed prices as valid.
 */
export const listFields = {
  /** Marks an address that this form submitted. */
  form: { name: 'form', value: 'list' },
  /** The field of radio buttons; its value is a query. */
  set: 'set',
  /** The list's default sort order. */
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

/** The value of a checkbox that replaces other selected values. */
export const toReplacingValue = (value: string, others: readonly string[]): string =>
  [...others.map((other) => `-${other}`), value].join(',');

const isChange = (value: string): boolean => value.startsWith('-');

const readChoices = (sent: readonly string[]): string => {
  const chosen = new Set(sent.filter((value) => !isChange(value)));
  for (const part of sent.filter(isChange).flatMap((change) => change.split(','))) {
    if (isChange(part)) chosen.delete(part.slice(1));
    else chosen.add(part);
  }
  return [...chosen].toSorted().join(',');
};

/** The parameters of a query that a radio button submits; none of their values are encoded. */
const parsePairs = (query: string): string[][] => query.split('&').map((pair) => pair.split('='));

/** The list's own address for the submitted fields of its form; null for other fields. */
export const toListAddress = (path: string, sent: readonly (readonly [name: string, value: string])[]): string | null => {
  const { form, set, usualSort, typedPrices } = listFields;
  const valuesOf = (wanted: string): string[] => sent.filter(([name]) => name === wanted).map(([, value]) => value);
  // Browsers treat both slashes alike: two at the start would lead to another host.
  if (!valuesOf(form.name).includes(form.value) || /^[/\\]{2}/.test(path)) return null;
  const query = new Map(sent.filter(([name]) => !fieldNames.has(name)));
  for (const name of checkboxParameters) query.set(name, readChoices(valuesOf(name)));
  if (!valuesOf(typedPrices.name).includes(typedPrices.value))
    for (const [name = '', value = ''] of valuesOf(set).flatMap(parsePairs)) if (priceNames.has(name)) query.set(name, value);
  if (valuesOf(usualSort).includes(query.get('sort') ?? '')) query.delete('sort');
  return toShortListPath(path, query);
};
