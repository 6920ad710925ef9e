import { addressOfList } from '../paths.ts';
import { hidden } from '../account/after-sign-in.ts';
import { TitleType, type ListType } from './title.ts';
import type { listParameters } from './list-parameters.ts';

/**
 * What a list's address names. A category's `reference` is its Id, its TagId or its path name; when it is none of a
 * category's, it may be a title's, `titleBy` its name or its id.
 */
export type ListSource =
  | { kind: 'all' }
  | { kind: 'catalog' | 'titleset'; id: string }
  | { kind: 'category'; reference: string; titleBy: 'name' | 'id' | null };

/** What a list asks for; every part lives in the address. Prices in the main unit of the store's currency. */
export type ListQuery = {
  type: ListType;
  of: ListSource;
  search: string;
  sort: string;
  priceFrom: number | null;
  priceTo: number | null;
  free: boolean;
  /** Any of these, in lists of all kinds; any where there are none. */
  kinds: TitleType[];
  /** Any of these by their Ids, and what lies below them. */
  categories: string[];
  /** Any of these, as BCP 47 begins. */
  languages: string[];
  author: string;
  series: string;
  /** The plan whose subscribers read them. */
  plan: string;
  /** The cursor that the list begins behind, where that is not its start; as long as the contract takes. */
  after?: string;
};

/** How many titles each choice would leave of a list, all other kinds of choices as they are. Prices as those of a `ListQuery`. */
export type Facets = {
  total: number;
  currency: string;
  kinds: { kind: TitleType; count: number }[];
  categories: { id: string; count: number }[];
  languages: { language: string; count: number }[];
  free: number;
  prices: { from: number | null; to: number | null; count: number }[];
};

const dearest = 1_000_000;

type Prices = Pick<ListQuery, 'priceFrom' | 'priceTo'>;

/** Addresses are typed and shared: anything that is not a price is ignored. `1e1`, `.5` and a decimal comma are valid. */
const priceIn = (text = ''): number | null => {
  const plain = text.trim().replace(',', '.');
  if (plain.length > 32 || !/^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(plain)) return null;
  const price = Number(plain);
  return price > dearest ? null : Number(price.toFixed(4));
};

/** The prices that two texts say, the lower one first. */
export const pricesIn = (from: string | undefined, to: string | undefined): Prices => {
  const [priceFrom, priceTo] = [priceIn(from), priceIn(to)];
  const isTurned = priceFrom !== null && priceTo !== null && priceFrom > priceTo;
  return isTurned ? { priceFrom: priceTo, priceTo: priceFrom } : { priceFrom, priceTo };
};

/** Prices as an address holds them; empty where there is none. */
export const priceParameters = ({ priceFrom, priceTo }: Prices): { pricefrom: string; priceto: string } => ({
  pricefrom: priceFrom === null ? '' : String(priceFrom),
  priceto: priceTo === null ? '' : String(priceTo),
});

/** The values of a list such as `en,fr` that may be some, each once; at most as many as the contract takes. */
const valuesIn = (text = '', allowed: RegExp): string[] =>
  [...new Set(text.split(',').filter((value) => allowed.test(value)))].slice(0, 20);

/** A list of values with one more, or one less if it was among them; the same whatever came first. */
export const toggled = (values: readonly string[], value: string): string[] =>
  values.includes(value) ? values.filter((each) => each !== value) : [...values, value].toSorted();

const isKind = (value: string): value is TitleType => (TitleType.options as readonly string[]).includes(value);

/** At most 200 signs, and none that cannot be sent: no control character, no half of a pair. */
const searchIn = (text = ''): string =>
  text
    .trim()
    .slice(0, 200)
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ')
    .trim();

const sortIn = (text = ''): string => (/^[\w.:-]{1,64}$/.test(text) ? text : '');

/** The address of a list: its path with the query, and the parts of both by name. */
type ListAddress = { path: string; params: Record<string, string>; query: Record<string, string> };

const sourceIn = ({ params }: ListAddress): ListSource => {
  for (const kind of ['catalog', 'titleset'] as const) {
    const id = params[kind];
    if (id !== undefined) return { kind, id };
  }
  const reference = params['category'];
  if (reference === undefined) return { kind: 'all' };
  // Four segments and more are always a category's; lists of all kinds have no titles of their own.
  const isCategory = params['root'] !== undefined || params['type'] === 'all';
  return { kind: 'category', reference, titleBy: isCategory ? null : params['parent'] === undefined ? 'name' : 'id' };
};

/** The query of a list's route. Impossible values are left out, and so are prices if only free titles are asked for. */
export const listQuery = (route: ListAddress): ListQuery => {
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
    of: sourceIn(route),
    search: searchIn(search),
    sort: sortIn(sort),
    ...(isFree ? pricesIn(undefined, undefined) : pricesIn(pricefrom, priceto)),
    free: isFree,
    kinds: type === 'all' ? valuesIn(kind, /^[a-z]+$/).filter(isKind) : [],
    categories: valuesIn(category, /^[a-z0-9][a-z0-9._-]{0,63}$/i),
    languages: valuesIn(language?.toLowerCase(), /^[a-z]{2,8}$/),
    author: searchIn(author),
    series: searchIn(series),
    plan: valuesIn(plan, /^[a-z0-9][a-z0-9._-]{0,63}$/i)[0] ?? '',
    ...(/^[\w-]{1,400}$/.test(after) && { after }),
  };
};

/**
 * The address of the same list with other values in its query; an empty one takes its key away, a hidden one is left out. A
 * list with an address of its own has that as long as it is what the address stands for. Another list begins at its start.
 */
export const pathWith = (route: ListAddress, changes: Readonly<Record<string, string>>): string => {
  const kept = Object.entries(route.query).filter(([, value]) => value !== hidden);
  const query = new Map([...kept, ...Object.entries(changes)].filter(([, value]) => value !== ''));
  for (const [key, value] of Object.entries(changes)) if (value === '') query.delete(key);
  query.delete('after');
  const path = (route.path.split('?')[0] ?? '').replace(/(?<!\/)\/+$/, '') || '/';
  return addressOfList(path, query);
};

/** The address of the same list that begins behind a cursor. */
export const pathBehind = (route: ListAddress, cursor: string): string => {
  const path = pathWith(route, {});
  return `${path}${path.includes('?') ? '&' : '?'}after=${cursor}`;
};

/** What takes every filter of a list away; what it is sorted by, and what its address says it is of, stays. */
export const withoutFilters = {
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
