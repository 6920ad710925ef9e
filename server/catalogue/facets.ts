import { sql } from 'kysely';
import type { Database } from '../database/open.ts';
import type { CatalogueServices } from './services.ts';
import type { Store } from '../stores/stores.ts';
import { type CategoryRow, listCategories, listBelow } from './category-tree.ts';
import { resolveSearch } from './list-titles.ts';
import { toNearestMinor, toMajor } from '../base/money.ts';
import type { Search } from './search.ts';
import { filterTitles, isByTypeAndCategory, titleLanguage, type TitleFilter } from './title-filter.ts';

/** The filters that a visitor has chosen for a list, beside the scope of the list. */
export type FacetChoice = Pick<TitleFilter, 'kinds' | 'languages' | 'priceFrom' | 'priceTo' | 'free'> & {
  /** ids of categories, without their descendants */
  categories: string[];
};

/** A price range in the main unit of the currency, both ends inclusive; null where it is open. */
type PriceRange = { from: number | null; to: number | null };

/**
 * Counts for each choice of a list: the titles that it would leave, given the choices of the other
 * kinds.
 */
export type Facets = {
  total: number;
  kinds: { type: number; count: number }[];
  categories: { id: string; count: number }[];
  languages: { language: string; count: number }[];
  free: number;
  prices: (PriceRange & { count: number })[];
};

/** Lower ends of price ranges, in the main unit of most currencies. */
const PRICE_STEPS = [5, 10, 20];
/** The same for currencies whose main unit is worth little. */
const SMALL_UNIT_PRICE_STEPS = [500, 1000, 2000];

/**
 * Such prices are usually written without decimals, as in yen, or in forints, though these have
 * two.
 */
const hasSmallUnit = (currency: string): boolean =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits === 0;

/** A range in the smallest unit: `from` inclusive, `to` exclusive. */
type PriceRangeMinor = { from: number; to: number };

/** The price ranges of a currency. */
function toPriceRanges(currency: string): PriceRangeMinor[] {
  const steps = (hasSmallUnit(currency) ? SMALL_UNIT_PRICE_STEPS : PRICE_STEPS).map((step) => toNearestMinor(step, currency));
  return [1, ...steps].map((from, at) => ({ from, to: steps[at] ?? Number.POSITIVE_INFINITY }));
}

const toMainUnit = ({ from, to }: PriceRangeMinor, currency: string): PriceRange => ({
  from: from === 1 ? null : toMajor(from, currency),
  to: Number.isFinite(to) ? toMajor(to - 1, currency) : null,
});

/** Titles that share all filterable properties; `band` 0 is free, null is not for sale. */
type Group = { type: number; language: string | null; band: number | null; priced: boolean; filed: boolean; count: number };

function isPriced({ currency }: Store, { priceFrom, priceTo, free }: FacetChoice) {
  const limits = [
    ...(free === true ? [sql`titles.sort_price = 0`] : []),
    ...(priceFrom === undefined ? [] : [sql`titles.sort_price >= ${toNearestMinor(priceFrom, currency)}::bigint`]),
    ...(priceTo === undefined ? [] : [sql`titles.sort_price <= ${toNearestMinor(priceTo, currency)}::bigint`]),
  ];
  return limits.length === 0 ? sql<boolean>`true` : sql<boolean>`(titles.for_sale and ${sql.join(limits, sql` and `)})`;
}

/**
 * The number of a title's price range, from 1; 0 for a free title, null for one that is not for
 * sale.
 */
function selectPriceRange(bands: readonly PriceRangeMinor[]) {
  const cases = bands.slice(0, -1).map(({ to }, at) => sql`when titles.sort_price < ${sql.lit(to)} then ${sql.lit(at + 1)}`);
  return sql<number | null>`case when not titles.for_sale then null when titles.sort_price = 0 then 0
    ${sql.join(cases, sql` `)} else ${sql.lit(bands.length)} end`;
}

/**
 * Selected as a column and evaluated for every title, so one scan of the categories is cheaper than
 * one lookup per title.
 */
const isInCategories = (store: Store, ids: string[]) =>
  ids.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`titles.id in (select title_id from title_categories
        where store_id = ${store.id} and category_id in (${sql.join(ids)}))`;

/** One pass over the list without any filter. */
async function readGroups(
  db: Database,
  store: Store,
  base: TitleFilter,
  search: Search | undefined,
  chosen: FacetChoice,
  below: string[],
) {
  const rows = await filterTitles(db, store, base, search)
    .select([
      'titles.type',
      titleLanguage.as('language'),
      selectPriceRange(toPriceRanges(store.currency)).as('band'),
      isPriced(store, chosen).as('priced'),
      isInCategories(store, below).as('filed'),
      sql<number>`count(*)::int`.as('count'),
    ])
    .groupBy(sql`1, 2, 3, 4, 5`)
    .execute();
  return rows satisfies Group[];
}

/**
 * The categories on offer: children of the list's own category, of the chosen ones and of their
 * ancestors.
 */
function selectOfferedCategories(all: CategoryRow[], root: string | null, chosen: string[]): CategoryRow[] {
  const open = new Set<string | null>([root]);
  const parents = new Map(all.map((row) => [row.id, row.parent_id]));
  for (const id of chosen)
    for (let up: string | null = id; up !== null && !open.has(up); up = parents.get(up) ?? null) open.add(up);
  const isWithin = new Set(root === null ? all.map(({ id }) => id) : listBelow(all, root).map(({ id }) => id));
  return all.filter(({ id, parent_id }) => isWithin.has(id) && open.has(parent_id));
}

/** The number of titles in each category and its descendants, each counted once. */
async function countByCategory(
  db: Database,
  store: Store,
  filter: TitleFilter,
  search: Search | undefined,
  rows: Map<string, string[]>,
) {
  const pairs = [...rows].flatMap(([id, below]) => below.map((each) => ({ id, below: each })));
  if (pairs.length === 0) return new Map<string, number>();
  const { rows: counts } = await sql<{ id: string; count: number }>`
    select id, count(*)::int as count from (
    select distinct shown.id, found.id as title_id
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as shown(id text, below text)
    join title_categories on title_categories.store_id = ${store.id} and title_categories.category_id = shown.below
    join (${filterTitles(db, store, filter, search).select('titles.id')}) found on found.id = title_categories.title_id
    ) each group by id`.execute(db);
  return new Map(counts.map(({ id, count }) => [id, count]));
}

const sum = (groups: Group[], fits: (group: Group) => boolean): number =>
  groups.reduce((total, group) => (fits(group) ? total + group.count : total), 0);

const distinctValues = <V>(groups: Group[], value: (group: Group) => V): V[] => [...new Set(groups.map(value))];

const readTree = ({ db, cache }: Pick<CatalogueServices, 'db' | 'cache'>, store: Store): Promise<CategoryRow[]> =>
  cache.getOrCompute(store, 'categories', () => listCategories(db, store.id));

const addBelow = (all: CategoryRow[], ids: string[]): string[] => [
  ...new Set(ids.flatMap((id) => [id, ...listBelow(all, id).map((row) => row.id)])),
];

/**
 * The given categories with their descendants; an unknown id is kept as it is, and matches no
 * title.
 */
export const readCategoriesAndBelow = async (
  services: Pick<CatalogueServices, 'db' | 'cache'>,
  store: Store,
  ids: string[],
): Promise<string[]> => (ids.length === 0 ? [] : addBelow(await readTree(services, store), ids));

/**
 * Counts the titles that each choice would leave in a list.
 * @param base the scope of the list: its type, category, search, author and series
 * @param root the category of the list
 */
export async function readFacets(
  services: CatalogueServices,
  store: Store,
  { base, root, chosen, sort }: { base: TitleFilter; root: string | null; chosen: FacetChoice; sort: string | undefined },
): Promise<Facets> {
  const { db } = services;
  const all = await readTree(services, store);
  const below = addBelow(all, chosen.categories);
  const { categories: _ids, ...others } = chosen;
  const narrowed: TitleFilter = { ...base, ...others };
  const whole = below.length === 0 ? narrowed : { ...narrowed, categories: [...(base.categories ?? []), below] };
  const search = await resolveSearch(services, store, whole, sort);
  if (search === null) return { total: 0, kinds: [], categories: [], languages: [], free: 0, prices: [] };
  const choices = selectOfferedCategories(all, root, chosen.categories);
  const groups = await readGroups(db, store, base, search, chosen, below);
  const counts =
    isByTypeAndCategory({ ...narrowed, type: 0 }) && base.type === 0 && base.categories === undefined
      ? new Map(choices.map(({ id, count }) => [id, count]))
      : await countByCategory(db, store, narrowed, search, new Map(choices.map(({ id }) => [id, addBelow(all, [id])])));

  const { kinds = [], languages = [] } = chosen;
  const isKind = ({ type }: Group) => kinds.length === 0 || kinds.includes(type);
  const isSpoken = ({ language }: Group) => languages.length === 0 || (language !== null && languages.includes(language));
  const besideKind = (group: Group) => group.priced && group.filed && isSpoken(group);
  const besideLanguage = (group: Group) => group.priced && group.filed && isKind(group);
  const besidePrice = (group: Group) => group.filed && isKind(group) && isSpoken(group);
  return {
    total: sum(groups, (group) => group.priced && besidePrice(group)),
    kinds: distinctValues(groups, ({ type }) => type)
      .toSorted((a, b) => a - b)
      .map((type) => ({ type, count: sum(groups, (group) => group.type === type && besideKind(group)) })),
    categories: choices.filter(({ count }) => count > 0).map(({ id }) => ({ id, count: counts.get(id) ?? 0 })),
    languages: distinctValues(groups, ({ language }) => language)
      .flatMap((language) =>
        language ? [{ language, count: sum(groups, (group) => group.language === language && besideLanguage(group)) }] : [],
      )
      .toSorted((a, b) => b.count - a.count || (a.language < b.language ? -1 : 1)),
    free: sum(groups, (group) => group.band === 0 && besidePrice(group)),
    prices: toPriceRanges(store.currency).flatMap((each, at) =>
      groups.some((group) => group.band === at + 1)
        ? [{ ...toMainUnit(each, store.currency), count: sum(groups, (group) => group.band === at + 1 && besidePrice(group)) }]
        : [],
    ),
  };
}
