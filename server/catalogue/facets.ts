import { sql } from 'kysely';
import type { Database } from '../database/open.ts';
import type { CatalogueServices } from './services.ts';
import type { Store } from '../stores/stores.ts';
import { type CategoryRow, listCategories, listDescendants } from './category-tree.ts';
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
/** Lower ends of price ranges, for currencies whose main unit is worth little. */
const SMALL_UNIT_PRICE_STEPS = [500, 1000, 2000];

/**
 * Whether prices in a currency are usually written without decimals, as in yen, or in forints,
 * though these have two.
 */
const hasSmallUnit = (currency: string): boolean =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits === 0;

/** A range in the smallest unit: `from` inclusive, `to` exclusive. */
type PriceRangeMinor = { from: number; to: number };

/** The price ranges of a currency. */
function toPriceRanges(currency: string): PriceRangeMinor[] {
  const steps = (hasSmallUnit(currency) ? SMALL_UNIT_PRICE_STEPS : PRICE_STEPS).map((step) => toNearestMinor(step, currency));
  return [1, ...steps].map((from, index) => ({ from, to: steps[index] ?? Number.POSITIVE_INFINITY }));
}

const toMainUnit = ({ from, to }: PriceRangeMinor, currency: string): PriceRange => ({
  from: from === 1 ? null : toMajor(from, currency),
  to: Number.isFinite(to) ? toMajor(to - 1, currency) : null,
});

/** Titles that share all filterable properties; `band` 0 is free, null is not for sale. */
type Group = { type: number; language: string | null; band: number | null; priced: boolean; filed: boolean; count: number };

function matchesPrice({ currency }: Store, { priceFrom, priceTo, free }: FacetChoice) {
  const conditions = [
    ...(free === true ? [sql`titles.sort_price = 0`] : []),
    ...(priceFrom === undefined ? [] : [sql`titles.sort_price >= ${toNearestMinor(priceFrom, currency)}::bigint`]),
    ...(priceTo === undefined ? [] : [sql`titles.sort_price <= ${toNearestMinor(priceTo, currency)}::bigint`]),
  ];
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(titles.for_sale and ${sql.join(conditions, sql` and `)})`;
}

/**
 * The number of a title's price range, from 1; 0 for a free title, null for one that is not for
 * sale.
 */
function selectPriceRange(bands: readonly PriceRangeMinor[]) {
  const cases = bands
    .slice(0, -1)
    .map(({ to }, index) => sql`when titles.sort_price < ${sql.lit(to)} then ${sql.lit(index + 1)}`);
  return sql<number | null>`case when not titles.for_sale then null when titles.sort_price = 0 then 0
    ${sql.join(cases, sql` `)} else ${sql.lit(bands.length)} end`;
}

/**
 * Whether a title is in one of the categories. It is a column, evaluated for every title, so one
 * scan of the categories is cheaper than one lookup per title.
 */
const isInCategories = (store: Store, ids: string[]) =>
  ids.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`titles.id in (select title_id from title_categories
        where store_id = ${store.id} and category_id in (${sql.join(ids)}))`;

/**
 * Counts the titles of a list by their filterable properties, in one pass, without the visitor's
 * filters.
 */
async function readGroups(
  db: Database,
  store: Store,
  base: TitleFilter,
  search: Search | undefined,
  choice: FacetChoice,
  categoryIds: string[],
) {
  const rows = await filterTitles(db, store, base, search)
    .select([
      'titles.type',
      titleLanguage.as('language'),
      selectPriceRange(toPriceRanges(store.currency)).as('band'),
      matchesPrice(store, choice).as('priced'),
      isInCategories(store, categoryIds).as('filed'),
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
function selectOfferedCategories(allCategories: CategoryRow[], root: string | null, chosenIds: string[]): CategoryRow[] {
  const expandedIds = new Set<string | null>([root]);
  const parents = new Map(allCategories.map((row) => [row.id, row.parent_id]));
  for (const id of chosenIds)
    for (
      let ancestor: string | null = id;
      ancestor !== null && !expandedIds.has(ancestor);
      ancestor = parents.get(ancestor) ?? null
    )
      expandedIds.add(ancestor);
  const idsInScope = new Set(
    root === null ? allCategories.map(({ id }) => id) : listDescendants(allCategories, root).map(({ id }) => id),
  );
  return allCategories.filter(({ id, parent_id }) => idsInScope.has(id) && expandedIds.has(parent_id));
}

/** The number of titles in each category and its descendants, each counted once. */
async function countByCategory(
  db: Database,
  store: Store,
  filter: TitleFilter,
  search: Search | undefined,
  idsByCategory: Map<string, string[]>,
) {
  const pairs = [...idsByCategory].flatMap(([id, below]) => below.map((each) => ({ id, below: each })));
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

const sum = (groups: Group[], isIncluded: (group: Group) => boolean): number =>
  groups.reduce((total, group) => (isIncluded(group) ? total + group.count : total), 0);

const distinctValues = <V>(groups: Group[], getValue: (group: Group) => V): V[] => [...new Set(groups.map(getValue))];

const readTree = ({ db, cache }: Pick<CatalogueServices, 'db' | 'cache'>, store: Store): Promise<CategoryRow[]> =>
  cache.getOrCompute(store, 'categories', () => listCategories(db, store.id));

const addDescendants = (allCategories: CategoryRow[], ids: string[]): string[] => [
  ...new Set(ids.flatMap((id) => [id, ...listDescendants(allCategories, id).map((row) => row.id)])),
];

/**
 * The given categories with their descendants; an unknown id is kept as it is, and matches no
 * title.
 */
export const readCategoriesWithDescendants = async (
  services: Pick<CatalogueServices, 'db' | 'cache'>,
  store: Store,
  ids: string[],
): Promise<string[]> => (ids.length === 0 ? [] : addDescendants(await readTree(services, store), ids));

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
  const allCategories = await readTree(services, store);
  const categoryIds = addDescendants(allCategories, chosen.categories);
  const { categories: _ids, ...otherFilters } = chosen;
  const filterBesideCategories: TitleFilter = { ...base, ...otherFilters };
  const fullFilter =
    categoryIds.length === 0
      ? filterBesideCategories
      : { ...filterBesideCategories, categories: [...(base.categories ?? []), categoryIds] };
  const search = await resolveSearch(services, store, fullFilter, sort);
  if (search === null) return { total: 0, kinds: [], categories: [], languages: [], free: 0, prices: [] };
  const offeredCategories = selectOfferedCategories(allCategories, root, chosen.categories);
  const groups = await readGroups(db, store, base, search, chosen, categoryIds);
  const counts =
    isByTypeAndCategory({ ...filterBesideCategories, type: 0 }) && base.type === 0 && base.categories === undefined
      ? new Map(offeredCategories.map(({ id, count }) => [id, count]))
      : await countByCategory(
          db,
          store,
          filterBesideCategories,
          search,
          new Map(offeredCategories.map(({ id }) => [id, addDescendants(allCategories, [id])])),
        );

  const { kinds = [], languages = [] } = chosen;
  const hasKind = ({ type }: Group) => kinds.length === 0 || kinds.includes(type);
  const hasLanguage = ({ language }: Group) => languages.length === 0 || (language !== null && languages.includes(language));
  const matchesBesideKind = (group: Group) => group.priced && group.filed && hasLanguage(group);
  const matchesBesideLanguage = (group: Group) => group.priced && group.filed && hasKind(group);
  const matchesBesidePrice = (group: Group) => group.filed && hasKind(group) && hasLanguage(group);
  return {
    total: sum(groups, (group) => group.priced && matchesBesidePrice(group)),
    kinds: distinctValues(groups, ({ type }) => type)
      .toSorted((a, b) => a - b)
      .map((type) => ({ type, count: sum(groups, (group) => group.type === type && matchesBesideKind(group)) })),
    categories: offeredCategories.filter(({ count }) => count > 0).map(({ id }) => ({ id, count: counts.get(id) ?? 0 })),
    languages: distinctValues(groups, ({ language }) => language)
      .flatMap((language) =>
        language
          ? [{ language, count: sum(groups, (group) => group.language === language && matchesBesideLanguage(group)) }]
          : [],
      )
      .toSorted((a, b) => b.count - a.count || (a.language < b.language ? -1 : 1)),
    free: sum(groups, (group) => group.band === 0 && matchesBesidePrice(group)),
    prices: toPriceRanges(store.currency).flatMap((range, index) =>
      groups.some((group) => group.band === index + 1)
        ? [
            {
              ...toMainUnit(range, store.currency),
              count: sum(groups, (group) => group.band === index + 1 && matchesBesidePrice(group)),
            },
          ]
        : [],
    ),
  };
}
