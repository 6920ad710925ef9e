import type { Route } from './route.ts';
import type { ListType } from './title.ts';

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
};

const dearest = 1_000_000;

/** Addresses are typed and shared: what is no price is none. */
const priceIn = (text: string | undefined): number | null => {
  if (text === undefined || !/^\d{1,7}(?:\.\d{1,4})?$/.test(text)) return null;
  return Math.min(Number(text), dearest);
};

const sortIn = (text = ''): string => (/^[\w.:-]{1,64}$/.test(text) ? text : '');

const sourceIn = ({ params }: Route): ListSource => {
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

/** The query of a list's route; a value that nothing can be is left out. */
export const listQuery = (route: Route): ListQuery => ({
  type: (route.params['type'] ?? 'all') as ListType,
  of: sourceIn(route),
  search: (route.query['search'] ?? '').trim().slice(0, 200),
  sort: sortIn(route.query['sort']),
  priceFrom: priceIn(route.query['pricefrom']),
  priceTo: priceIn(route.query['priceto']),
  free: route.query['free'] === 'true',
});

/** The address of the same list with other values in its query; an empty one takes its key away. */
export const pathWith = (route: Route, changes: Readonly<Record<string, string>>): string => {
  const query = new Map([...Object.entries(route.query), ...Object.entries(changes)].filter(([, value]) => value !== ''));
  for (const [key, value] of Object.entries(changes)) if (value === '') query.delete(key);
  const text = [...query].map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&');
  const path = route.path.split('?')[0] ?? '/';
  return text === '' ? path : `${path}?${text}`;
};
