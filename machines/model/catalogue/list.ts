import { toShortListPath } from '../paths.ts';
import { HIDDEN_SECRET } from '../account/after-sign-in.ts';
import { TitleType, type ListType } from './title.ts';
import type { listParameters } from './list-parameters.ts';

/**
 * The source of a list, from its path. A category's `reference` is its Id, its TagId or its path
 * name. If no category matches, the reference may be a title's name or id: `titleBy` states which;
 * null if it cannot be a title's.
 */
export type ListSource =
  | { kind: 'all' }
  | { kind: 'catalog' | 'titleset'; id: string }
  | { kind: 'category'; reference: string; titleBy: 'name' | 'id' | null };

/**
 * The query of a list; every part is in the URL. Prices are in the main unit of the store's
 * currency.
 */
export type ListQuery = {
  type: ListType;
  of: ListSource;
  search: string;
  sort: string;
  priceFrom: number | null;
  priceTo: number | null;
  free: boolean;
  /** Matches any of these kinds, in lists of all kinds; empty for all. */
  kinds: TitleType[];
  /** Matches any of these categories by their Ids, including sub-categories. */
  categories: string[];
  /** Matches any of these languages, by BCP 47 prefix. */
  languages: string[];
  author: string;
  series: string;
  /** The plan whose subscribers can read the titles. */
  plan: string;
  /**
   * The cursor at which the list starts; missing for the beginning of the list. At most as long as
   * the API contract allows.
   */
  after?: string;
};

/**
 * The number of titles that each filter choice would leave, with the filters of all other kinds
 * applied. Prices are as in `ListQuery`.
 */
export type Facets = {
  total: number;
  currency: string;
  kinds: { kind: TitleType; count: number }[];
  categories: { id: string; count: number }[];
  languages: { language: string; count: number }[];
  free: number;
  prices: { from: number | null; to: number | null; count: number }[];
};

const MAX_PRICE = 1_000_000;

type Prices = Pick<ListQuery, 'priceFrom' | 'priceTo'>;

/**
 * Parses a price from a URL, which may be typed by hand; null if it is not a price, or too high.
 * `1e1`, `.5` and a decimal comma are valid.
 */
const parsePrice = (text = ''): number | null => {
  const normalizedText = text.trim().replace(',', '.');
  if (normalizedText.length > 32 || !/^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(normalizedText)) return null;
  const price = Number(normalizedText);
  return price > MAX_PRICE ? null : Number(price.toFixed(4));
};

/** Parses two prices, and swaps them if the first is higher; null for an invalid one. */
export const parsePriceRange = (from: string | undefined, to: string | undefined): Prices => {
  const [priceFrom, priceTo] = [parsePrice(from), parsePrice(to)];
  const isReversed = priceFrom !== null && priceTo !== null && priceFrom > priceTo;
  return isReversed ? { priceFrom: priceTo, priceTo: priceFrom } : { priceFrom, priceTo };
};

/** The query parameters of a price range; empty for a price that is not set. */
export const toPriceParameters = ({ priceFrom, priceTo }: Prices): { pricefrom: string; priceto: string } => ({
  pricefrom: priceFrom === null ? '' : String(priceFrom),
  priceto: priceTo === null ? '' : String(priceTo),
});

/**
 * The distinct values of a comma-separated parameter such as `en,fr` that match `validPattern`; at
 * most 20, the maximum of the API contract.
 */
const parseValues = (text = '', validPattern: RegExp): string[] =>
  [...new Set(text.split(',').filter((value) => validPattern.test(value)))].slice(0, 20);

/**
 * Adds a value to a list of values, or removes it; sorted, so that the order of choices does not
 * matter.
 */
export const toggleValue = (values: readonly string[], value: string): string[] =>
  values.includes(value) ? values.filter((each) => each !== value) : [...values, value].toSorted();

const isTitleType = (value: string): value is TitleType => (TitleType.options as readonly string[]).includes(value);

/**
 * A search text that can be sent: at most 200 characters, with spaces in place of control
 * characters and lone surrogates.
 */
const cleanSearch = (text = ''): string =>
  text
    .trim()
    .slice(0, 200)
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ')
    .trim();

const parseSort = (text = ''): string => (/^[\w.:-]{1,64}$/.test(text) ? text : '');

/** The URL of a list: `path` includes the query; `params` and `query` are their values by name. */
type ListAddress = { path: string; params: Record<string, string>; query: Record<string, string> };

const getSource = ({ params }: ListAddress): ListSource => {
  for (const kind of ['catalog', 'titleset'] as const) {
    const id = params[kind];
    if (id !== undefined) return { kind, id };
  }
  const reference = params['category'];
  if (reference === undefined) return { kind: 'all' };
  // Four or more segments always name a category, and so does every path below `/all`.
  const isCategory = params['root'] !== undefined || params['type'] === 'all';
  return { kind: 'category', reference, titleBy: isCategory ? null : params['parent'] === undefined ? 'name' : 'id' };
};

/**
 * Parses the query of a list from its route. Invalid values are dropped, as are prices if only free
 * titles are requested.
 */
export const parseListQuery = (route: ListAddress): ListQuery => {
  const {
    search,
    sort,
    pricefrom,
    priceto,
    free,
    kind,
    category,
    language,
    author,
    series,
    plan,
    after = '',
  }: Partial<Record<(typeof listParameters)[number], string>> = route.query;
  const isFree = free === 'true';
  const type = (route.params['type'] ?? 'all') as ListType;
  return {
    type,
    of: getSource(route),
    search: cleanSearch(search),
    sort: parseSort(sort),
    ...(isFree ? parsePriceRange(undefined, undefined) : parsePriceRange(pricefrom, priceto)),
    free: isFree,
    kinds: type === 'all' ? parseValues(kind, /^[a-z]+$/).filter(isTitleType) : [],
    categories: parseValues(category, /^[a-z0-9][a-z0-9._-]{0,63}$/i),
    languages: parseValues(language?.toLowerCase(), /^[a-z]{2,8}$/),
    author: cleanSearch(author),
    series: cleanSearch(series),
    plan: parseValues(plan, /^[a-z0-9][a-z0-9._-]{0,63}$/i)[0] ?? '',
    ...(/^[\w-]{1,400}$/.test(after) && { after }),
  };
};

/**
 * The path and query of the list with changed query values; an empty value removes its parameter,
 * and hidden secrets are dropped. A list with its own path keeps that path while the query still
 * has the implied values. The changed list starts at its beginning.
 */
export const changeListPath = (route: ListAddress, changes: Readonly<Record<string, string>>): string => {
  const routeParameters = Object.entries(route.query).filter(([, value]) => value !== HIDDEN_SECRET);
  const query = new Map([...routeParameters, ...Object.entries(changes)].filter(([, value]) => value !== ''));
  for (const [key, value] of Object.entries(changes)) if (value === '') query.delete(key);
  query.delete('after');
  const path = (route.path.split('?')[0] ?? '').replace(/(?<!\/)\/+$/, '') || '/';
  return toShortListPath(path, query);
};

/** The path and query of the same list, starting at a cursor. */
export const nextPagePath = (route: ListAddress, cursor: string): string => {
  const path = changeListPath(route, {});
  return `${path}${path.includes('?') ? '&' : '?'}after=${cursor}`;
};

/** The changes that clear every filter of a list; its sort order and its source stay. */
export const clearedFilters = {
  search: '',
  pricefrom: '',
  priceto: '',
  free: '',
  kind: '',
  category: '',
  language: '',
  author: '',
  series: '',
  plan: '',
} as const;
