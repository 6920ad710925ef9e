import { sql } from 'kysely';
import type { Database } from '../database/open.ts';
import type { Translations } from '../base/language.ts';
import type { TitleContent } from '../database/schema/catalogue.ts';
import { isInPlan } from '../entitlements/opened-titles.ts';
import { summaryColumns, type TitleRow } from './title-rows.ts';

/** The data of a title's own page. */
export type FullTitle = TitleRow & {
  narrators: string[];
  publisher: string | null;
  published_on: string | null;
  language: string | null;
  series: string | null;
  series_number: number | null;
  description: string;
  translations: Translations<'description'>;
  page_count: number | null;
  word_count: number | null;
  duration_seconds: number | null;
  content: TitleContent;
  credits: number | null;
  listed: boolean;
  /** a plan on offer includes it */
  in_plan: boolean;
};

/** The fields of a title whose kind is disabled in the store: only its owners still see it. */
const DISABLED_KIND_FIELDS = { for_sale: false, prices: [], in_plan: false, credits: null };

/**
 * Finds a title by its id or ISBN-13, unlisted ones too: a customer who bought one can still open
 * it.
 */
export async function findTitle(
  db: Database,
  storeId: string,
  key: { id: string } | { isbn: string },
): Promise<FullTitle | undefined> {
  const row = await db
    .selectFrom('titles')
    .select(summaryColumns)
    .select([
      'titles.narrators',
      'titles.publisher',
      'titles.published_on',
      'titles.language',
      'titles.series',
      'titles.series_number',
      'titles.description',
      'titles.translations',
      'titles.page_count',
      'titles.word_count',
      'titles.duration_seconds',
      'titles.content',
      'titles.credits',
      'titles.offered',
      'titles.kind_on',
    ])
    .select((eb) => isInPlan(eb).as('in_plan'))
    .where('titles.store_id', '=', storeId)
    .where('id' in key ? 'titles.id' : 'titles.isbn', '=', 'id' in key ? key.id : key.isbn)
    .executeTakeFirst();
  if (!row) return undefined;
  const { offered, kind_on: isKindOn, ...title } = row;
  const fullTitle = { ...title, listed: offered, prices: row.prices ?? [], in_plan: row.in_plan === true };
  return isKindOn ? fullTitle : { ...fullTitle, ...DISABLED_KIND_FIELDS };
}

/**
 * The number of other listed titles in a title's series, and of further ones by its first author.
 */
export async function countOtherTitles(
  db: Database,
  storeId: string,
  { id, series, authors: [author] }: FullTitle,
): Promise<{ ofSeries: number; ofAuthor: number }> {
  const otherTitles = db
    .selectFrom('titles')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('store_id', '=', storeId)
    .where('offered', '=', true)
    .where('id', '<>', id);
  const count = async (query: typeof otherTitles) => (await query.executeTakeFirstOrThrow()).count;
  return {
    ofSeries: series === null ? 0 : await count(otherTitles.where('series', '=', series)),
    ofAuthor:
      author === undefined
        ? 0
        : await count(
            otherTitles
              .where(sql<boolean>`authors @> ${JSON.stringify([author])}::jsonb`)
              .where(sql<boolean>`(${series}::text is null or series is distinct from ${series})`),
          ),
  };
}

/** The categories that a title is filed in. */
export const listTitleCategories = (
  db: Database,
  storeId: string,
  titleId: string,
): Promise<{ id: string; name: string; translations: Translations<'name'> }[]> =>
  db
    .selectFrom('title_categories')
    .innerJoin('categories', (join) =>
      join
        .onRef('categories.store_id', '=', 'title_categories.store_id')
        .onRef('categories.id', '=', 'title_categories.category_id'),
    )
    .select(['categories.id', 'categories.name', 'categories.translations'])
    .where('title_categories.store_id', '=', storeId)
    .where('title_categories.title_id', '=', titleId)
    .where('categories.kind', '=', 'category')
    .orderBy('categories.position')
    .orderBy('categories.id')
    .execute();
