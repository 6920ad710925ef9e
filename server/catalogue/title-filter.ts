import { sql } from 'kysely';
import type { Store } from '../stores/stores.ts';
import type { Database } from '../database/open.ts';
import { isOpenedBy } from '../entitlements/opened-titles.ts';
import { toNearestMinor } from '../base/money.ts';
import { matchesSearch, type Search } from './search.ts';
import type { TitleQuery } from './sorted-titles.ts';

export type TitleFilter = {
  /** 0 means every type */
  type: number;
  /** any of these types; empty means every type */
  kinds?: number[];
  /** titles that are in some category of each of these groups */
  categories?: string[][];
  /** any of these languages, as primary subtags of BCP 47: en, zh */
  languages?: string[];
  /** one of the title's authors, in its own spelling */
  author?: string | undefined;
  series?: string | undefined;
  /** titles that subscribers of this plan may read */
  plan?: string | undefined;
  search?: string | undefined;
  /** the last segment of the path of the title's page, in upper or lower case */
  slug?: string | undefined;
  /** range of the title's first price, in the main unit of the store's currency */
  priceFrom?: number | undefined;
  priceTo?: number | undefined;
  /** free titles only */
  free?: boolean | undefined;
};

/** Whether the filter is by type and category alone. */
export const isByTypeAndCategory = ({ type: _type, categories: _categories, ...otherFilters }: TitleFilter): boolean =>
  Object.values({ ...otherFilters, search: otherFilters.search?.trim() }).every(
    (value) => value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0),
  );

/** A title's language without region or script. */
export const titleLanguage = sql<string | null>`lower(split_part(titles.language, '-', 1))`;

/** The listed titles that pass a filter; `search` is its parsed search. */
export function filterTitles(db: Database, store: Store, filter: TitleFilter, search: Search | undefined): TitleQuery {
  const listedTitles = db.selectFrom('titles').where('titles.store_id', '=', store.id).where('titles.offered', '=', true);
  return filterByPrice(filterByProperties(listedTitles, filter), store, filter).$if(search !== undefined, (each) =>
    search ? each.where(matchesSearch(search)) : each,
  );
}

/** Whether a title is in one of the categories. */
const isInCategory = (ids: string[]) =>
  sql<boolean>`exists (select 1 from title_categories where title_categories.store_id = titles.store_id
    and title_categories.title_id = titles.id and title_categories.category_id in (${sql.join(ids)}))`;

function filterByProperties(
  query: TitleQuery,
  { type, kinds = [], categories, languages = [], author, series, plan, slug }: TitleFilter,
): TitleQuery {
  const filteredQuery = query
    .$if(type !== 0, (each) => each.where('titles.type', '=', type))
    .$if(kinds.length > 0, (each) => each.where('titles.type', 'in', kinds))
    .$if(languages.length > 0, (each) => each.where(titleLanguage, 'in', languages))
    .$if(author !== undefined, (each) => each.where(sql<boolean>`titles.authors @> ${JSON.stringify([author])}::jsonb`))
    .$if(series !== undefined, (each) => each.where('titles.series', '=', series ?? ''))
    .$if(plan !== undefined, (each) => each.where(isOpenedBy(plan ?? '')))
    .$if(slug !== undefined, (each) => each.where('titles.slug', '=', (slug ?? '').toLowerCase()));
  return (categories ?? []).reduce((narrowed, ids) => narrowed.where(isInCategory(ids)), filteredQuery);
}

/** A title that is not for sale has no comparable price, although `sort_price` has a value. */
function filterByPrice(query: TitleQuery, { currency }: Store, { priceFrom, priceTo, free }: TitleFilter): TitleQuery {
  const filtersByPrice = free === true || priceFrom !== undefined || priceTo !== undefined;
  return query
    .$if(filtersByPrice, (each) => each.where('titles.for_sale', '=', true))
    .$if(free === true, (each) => each.where(sql<boolean>`titles.sort_price = 0`))
    .$if(priceFrom !== undefined, (each) => each.where('titles.sort_price', '>=', toNearestMinor(priceFrom ?? 0, currency)))
    .$if(priceTo !== undefined, (each) => each.where('titles.sort_price', '<=', toNearestMinor(priceTo ?? 0, currency)));
}
