import { sql } from 'kysely';
import type { Store } from '../stores/stores.ts';
import type { Database } from '../database/open.ts';
import { isOpenedBy } from '../entitlements/opened-titles.ts';
import { nearestMinor } from '../base/money.ts';
import { matches, type Search } from './search.ts';
import type { TitleQuery } from './sorted-titles.ts';

export type TitleFilter = {
  /** 0 is every type */
  type: number;
  /** any of these types; of every type where there are none */
  kinds?: number[];
  /** titles in any category of each of these */
  categories?: string[][];
  /** any of these, as BCP 47 begins: en, zh */
  languages?: string[];
  /** somebody who wrote the title, as they are spelt there */
  author?: string | undefined;
  series?: string | undefined;
  /** that the subscribers of this plan read */
  plan?: string | undefined;
  search?: string | undefined;
  /** the end of the title's address, in any case */
  slug?: string | undefined;
  /** of the title's first price, in the main unit of the store's currency */
  priceFrom?: number | undefined;
  priceTo?: number | undefined;
  /** titles that cost nothing */
  free?: boolean | undefined;
};

/** Whether the filter is by type and category alone. */
export const isPlain = ({ type: _type, categories: _categories, ...others }: TitleFilter): boolean =>
  Object.values({ ...others, search: others.search?.trim() }).every(
    (value) => value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0),
  );

/** The language of a title without its region or script. */
export const languageOf = sql<string | null>`lower(split_part(titles.language, '-', 1))`;

/** The listed titles that pass a filter; `search` is how its search is understood. */
export function filtered(db: Database, store: Store, filter: TitleFilter, search: Search | undefined): TitleQuery {
  const listed = db.selectFrom('titles').where('titles.store_id', '=', store.id).where('titles.offered', '=', true);
  return priced(placed(listed, filter), store, filter).$if(search !== undefined, (each) =>
    search ? each.where(matches(search)) : each,
  );
}

/** Whether a title stands in one of the categories. */
const filedIn = (ids: string[]) =>
  sql<boolean>`exists (select 1 from title_categories where title_categories.store_id = titles.store_id
    and title_categories.title_id = titles.id and title_categories.category_id in (${sql.join(ids)}))`;

function placed(
  query: TitleQuery,
  { type, kinds = [], categories, languages = [], author, series, plan, slug }: TitleFilter,
): TitleQuery {
  const named = query
    .$if(type !== 0, (each) => each.where('titles.type', '=', type))
    .$if(kinds.length > 0, (each) => each.where('titles.type', 'in', kinds))
    .$if(languages.length > 0, (each) => each.where(languageOf, 'in', languages))
    .$if(author !== undefined, (each) => each.where(sql<boolean>`titles.authors @> ${JSON.stringify([author])}::jsonb`))
    .$if(series !== undefined, (each) => each.where('titles.series', '=', series ?? ''))
    .$if(plan !== undefined, (each) => each.where(isOpenedBy(plan ?? '')))
    .$if(slug !== undefined, (each) => each.where('titles.slug', '=', (slug ?? '').toLowerCase()));
  return (categories ?? []).reduce((filed, ids) => filed.where(filedIn(ids)), named);
}

/** What is not for sale has no price to compare, whatever its place in the order of prices. */
function priced(query: TitleQuery, { currency }: Store, { priceFrom, priceTo, free }: TitleFilter): TitleQuery {
  const wanted = free === true || priceFrom !== undefined || priceTo !== undefined;
  return query
    .$if(wanted, (each) => each.where('titles.for_sale', '=', true))
    .$if(free === true, (each) => each.where(sql<boolean>`titles.sort_price = 0`))
    .$if(priceFrom !== undefined, (each) => each.where('titles.sort_price', '>=', nearestMinor(priceFrom ?? 0, currency)))
    .$if(priceTo !== undefined, (each) => each.where('titles.sort_price', '<=', nearestMinor(priceTo ?? 0, currency)));
}
