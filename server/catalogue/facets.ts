import { sql } from 'kysely';
import type { Database } from '../database/open.ts';
import type { CatalogueServices } from './services.ts';
import type { Store } from '../stores/stores.ts';
import { type CategoryRow, listCategories, partBelow } from './category-tree.ts';
import { understoodSearch } from './list-titles.ts';
import { nearestMinor, toMajor } from '../base/money.ts';
import type { Search } from './search.ts';
import { filtered, isPlain, languageOf, type TitleFilter } from './title-filter.ts';

/** What a list is narrowed by, beside what it is a list of. */
export type Chosen = Pick<TitleFilter, 'kinds' | 'languages' | 'priceFrom' | 'priceTo' | 'free'> & {
  /** ids of categories, without those below them */
  categories: string[];
};

/** A range of prices, in the main unit of the currency: from, up to and including; null where it is open. */
type Band = { from: number | null; to: number | null };

/** How many titles each choice of a list would leave, with what is chosen of the other kinds of choices. */
export type Facets = {
  total: number;
  kinds: { type: number; count: number }[];
  categories: { id: string; count: number }[];
  languages: { language: string; count: number }[];
  free: number;
  prices: (Band & { count: number })[];
};

/** Where ranges of prices begin, in the main unit of most currencies. */
const STEPS = [5, 10, 20];
/** The same for currencies whose main unit is worth little. */
const STEPS_OF_SMALL_UNITS = [500, 1000, 2000];

/**
 * Such prices are customarily written without decimals, as in yen, or in forints, which have two.
 */
const hasSmallUnit = (currency: string): boolean =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits === 0;

/** A range in the smallest unit: from, and to, which is not in it any more. */
type BandMinor = { from: number; to: number };

/** The ranges that prices of a currency fall into. */
function bandsOf(currency: string): BandMinor[] {
  const steps = (hasSmallUnit(currency) ? STEPS_OF_SMALL_UNITS : STEPS).map((step) => nearestMinor(step, currency));
  return [1, ...steps].map((from, at) => ({ from, to: steps[at] ?? Number.POSITIVE_INFINITY }));
}

const inMainUnit = ({ from, to }: BandMinor, currency: string): Band => ({
  from: from === 1 ? null : toMajor(from, currency),
  to: Number.isFinite(to) ? toMajor(to - 1, currency) : null,
});

/** Titles that are alike in all that may be chosen; `band` 0 is for nothing, null not for sale. */
type Group = { type: number; language: string | null; band: number | null; priced: boolean; filed: boolean; count: number };

function isPriced({ currency }: Store, { priceFrom, priceTo, free }: Chosen) {
  const limits = [
    ...(free === true ? [sql`titles.sort_price = 0`] : []),
    ...(priceFrom === undefined ? [] : [sql`titles.sort_price >= ${nearestMinor(priceFrom, currency)}::bigint`]),
    ...(priceTo === undefined ? [] : [sql`titles.sort_price <= ${nearestMinor(priceTo, currency)}::bigint`]),
  ];
  return limits.length === 0 ? sql<boolean>`true` : sql<boolean>`(titles.for_sale and ${sql.join(limits, sql` and `)})`;
}

/** The number of a price's range, from 1; 0 for a free title, null for one that is not for sale. */
function bandIn(bands: readonly BandMinor[]) {
  const cases = bands.slice(0, -1).map(({ to }, at) => sql`when titles.sort_price < ${sql.lit(to)} then ${sql.lit(at + 1)}`);
  return sql<number | null>`case when not titles.for_sale then null when titles.sort_price = 0 then 0
    ${sql.join(cases, sql` `)} else ${sql.lit(bands.length)} end`;
}

/** Unlike a condition, it is worked out for every title: by one look at the categories, not one for each title. */
const filedIn = (store: Store, ids: string[]) =>
  ids.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`titles.id in (select title_id from title_categories
        where store_id = ${store.id} and category_id in (${sql.join(ids)}))`;

/** One reading of the list that nothing is chosen of. */
async function groupsOf(
  db: Database,
  store: Store,
  base: TitleFilter,
  search: Search | undefined,
  chosen: Chosen,
  below: string[],
) {
  const rows = await filtered(db, store, base, search)
    .select([
      'titles.type',
      languageOf.as('language'),
      bandIn(bandsOf(store.currency)).as('band'),
      isPriced(store, chosen).as('priced'),
      filedIn(store, below).as('filed'),
      sql<number>`count(*)::int`.as('count'),
    ])
    .groupBy(sql`1, 2, 3, 4, 5`)
    .execute();
  return rows satisfies Group[];
}

/** The categories that stand for choice: those next below the list's own, and those next below what is chosen and what leads to it. */
function offered(all: CategoryRow[], root: string | null, chosen: string[]): CategoryRow[] {
  const open = new Set<string | null>([root]);
  const parents = new Map(all.map((row) => [row.id, row.parent_id]));
  for (const id of chosen)
    for (let up: string | null = id; up !== null && !open.has(up); up = parents.get(up) ?? null) open.add(up);
  const isWithin = new Set(root === null ? all.map(({ id }) => id) : partBelow(all, root).map(({ id }) => id));
  return all.filter(({ id, parent_id }) => isWithin.has(id) && open.has(parent_id));
}

/** Titles in each category and below, each once. */
async function countsIn(
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
    join (${filtered(db, store, filter, search).select('titles.id')}) found on found.id = title_categories.title_id
    ) each group by id`.execute(db);
  return new Map(counts.map(({ id, count }) => [id, count]));
}

const sum = (groups: Group[], fits: (group: Group) => boolean): number =>
  groups.reduce((total, group) => (fits(group) ? total + group.count : total), 0);

const valuesOf = <V>(groups: Group[], value: (group: Group) => V): V[] => [...new Set(groups.map(value))];

const treeOf = ({ db, cache }: Pick<CatalogueServices, 'db' | 'cache'>, store: Store): Promise<CategoryRow[]> =>
  cache.of(store, 'categories', () => listCategories(db, store.id));

const withBelow = (all: CategoryRow[], ids: string[]): string[] => [
  ...new Set(ids.flatMap((id) => [id, ...partBelow(all, id).map((row) => row.id)])),
];

/** Categories with all that lies below them; one that the store does not have stands for itself, and no title is in it. */
export const categoriesAndBelow = async (
  services: Pick<CatalogueServices, 'db' | 'cache'>,
  store: Store,
  ids: string[],
): Promise<string[]> => (ids.length === 0 ? [] : withBelow(await treeOf(services, store), ids));

/**
 * Counts what each choice would leave of a list.
 * @param base what the list is of: its type, category, search, author and series
 * @param root the category that it is of
 */
export async function facetsOf(
  services: CatalogueServices,
  store: Store,
  { base, root, chosen, sort }: { base: TitleFilter; root: string | null; chosen: Chosen; sort: string | undefined },
): Promise<Facets> {
  const { db } = services;
  const all = await treeOf(services, store);
  const below = withBelow(all, chosen.categories);
  const { categories: _ids, ...others } = chosen;
  const narrowed: TitleFilter = { ...base, ...others };
  const whole = below.length === 0 ? narrowed : { ...narrowed, categories: [...(base.categories ?? []), below] };
  const search = await understoodSearch(services, store, whole, sort);
  if (search === null) return { total: 0, kinds: [], categories: [], languages: [], free: 0, prices: [] };
  const choices = offered(all, root, chosen.categories);
  const groups = await groupsOf(db, store, base, search, chosen, below);
  const counts =
    isPlain({ ...narrowed, type: 0 }) && base.type === 0 && base.categories === undefined
      ? new Map(choices.map(({ id, count }) => [id, count]))
      : await countsIn(db, store, narrowed, search, new Map(choices.map(({ id }) => [id, withBelow(all, [id])])));

  const { kinds = [], languages = [] } = chosen;
  const isKind = ({ type }: Group) => kinds.length === 0 || kinds.includes(type);
  const isSpoken = ({ language }: Group) => languages.length === 0 || (language !== null && languages.includes(language));
  const besideKind = (group: Group) => group.priced && group.filed && isSpoken(group);
  const besideLanguage = (group: Group) => group.priced && group.filed && isKind(group);
  const besidePrice = (group: Group) => group.filed && isKind(group) && isSpoken(group);
  return {
    total: sum(groups, (group) => group.priced && besidePrice(group)),
    kinds: valuesOf(groups, ({ type }) => type)
      .toSorted((a, b) => a - b)
      .map((type) => ({ type, count: sum(groups, (group) => group.type === type && besideKind(group)) })),
    categories: choices.filter(({ count }) => count > 0).map(({ id }) => ({ id, count: counts.get(id) ?? 0 })),
    languages: valuesOf(groups, ({ language }) => language)
      .flatMap((language) =>
        language ? [{ language, count: sum(groups, (group) => group.language === language && besideLanguage(group)) }] : [],
      )
      .toSorted((a, b) => b.count - a.count || (a.language < b.language ? -1 : 1)),
    free: sum(groups, (group) => group.band === 0 && besidePrice(group)),
    prices: bandsOf(store.currency).flatMap((each, at) =>
      groups.some((group) => group.band === at + 1)
        ? [{ ...inMainUnit(each, store.currency), count: sum(groups, (group) => group.band === at + 1 && besidePrice(group)) }]
        : [],
    ),
  };
}
