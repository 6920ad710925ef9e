import { addressOfList } from '../paths.ts';

/**
 * The form by which a list is sorted and narrowed before the program has come, and without it. It
 * sends all of its controls; the server turns what it sends into the list's own address.
 *
 * A checkbox sends its value under the name of its parameter, or the changes `-a,b`: it takes the
 * place of the values that begin with a dash. A radio sends what it sets in the query. The button
 * beside the typed prices says that these count.
 */
export const listFields = {
  /** Marks an address that the form has made. */
  form: { name: 'form', value: 'list' },
  /** Sent by radios: a query. */
  set: 'set',
  /** The order that the list has where its address names none. */
  usualSort: 'usualsort',
  typedPrices: { name: 'prices', value: 'typed' },
} as const;

/** Parameters with several values, each of which has a checkbox. */
export const checkedParameters = ['kind', 'category', 'language'] as const;

const fieldNames: ReadonlySet<string> = new Set([
  listFields.form.name,
  listFields.set,
  listFields.usualSort,
  listFields.typedPrices.name,
  ...checkedParameters,
]);

const priceNames: ReadonlySet<string> = new Set(['free', 'pricefrom', 'priceto']);

/** The value of a checkbox that takes the place of other chosen values. */
export const inPlaceOf = (value: string, others: readonly string[]): string =>
  [...others.map((other) => `-${other}`), value].join(',');

const isChange = (value: string): boolean => value.startsWith('-');

const chosenIn = (sent: readonly string[]): string => {
  const chosen = new Set(sent.filter((value) => !isChange(value)));
  for (const part of sent.filter(isChange).flatMap((change) => change.split(','))) {
    if (isChange(part)) chosen.delete(part.slice(1));
    else chosen.add(part);
  }
  return [...chosen].toSorted().join(',');
};

/** The parameters of a query that a radio sends: all their values are plain. */
const setIn = (query: string): string[][] => query.split('&').map((pair) => pair.split('='));

/** The list's own address for the fields that its form has sent; null for other fields. */
export const addressOfForm = (path: string, sent: readonly (readonly [name: string, value: string])[]): string | null => {
  const { form, set, usualSort, typedPrices } = listFields;
  const valuesOf = (wanted: string): string[] => sent.filter(([name]) => name === wanted).map(([, value]) => value);
  // Browsers read both slashes alike: two at the beginning would lead to another host.
  if (!valuesOf(form.name).includes(form.value) || /^[/\\]{2}/.test(path)) return null;
  const query = new Map(sent.filter(([name]) => !fieldNames.has(name)));
  for (const name of checkedParameters) query.set(name, chosenIn(valuesOf(name)));
  if (!valuesOf(typedPrices.name).includes(typedPrices.value))
    for (const [name = '', value = ''] of valuesOf(set).flatMap(setIn)) if (priceNames.has(name)) query.set(name, value);
  if (valuesOf(usualSort).includes(query.get('sort') ?? '')) query.delete('sort');
  return addressOfList(path, query);
};
