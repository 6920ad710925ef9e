import { inTransaction, type Database } from '../database/open.ts';
import { sql } from 'kysely';
import type { Cover, Media, TitleContent } from '../database/schema/catalogue.ts';
import { type TextByLanguage, type LanguageCode, readTexts } from '../base/language.ts';
import { toSlug } from '../../machines/model/paths.ts';
import { toSortAuthor, toSortName } from '../base/folding.ts';
import { toTitleWords } from '../base/title-words.ts';
import { toMinor } from '../base/money.ts';
import { updateKindFlags } from './offered-kinds.ts';
import { requireCurrencies } from './store-currencies.ts';

/** The number of a title's kind on the wire: ebook 1, audio 2, interactive 3, video 4. */
export const TITLE_TYPES: Record<Media, number> = { epub: 1, pdf: 1, audio: 2, interactive: 3, video: 4 };

/** A title as given by a publisher. */
export type NewTitle = {
  id: string;
  medium: Media;
  name: string;
  subtitle?: string | null;
  isbn13?: string | null;
  authors?: string[];
  narrators?: string[];
  publisher?: string | null;
  language?: string | null;
  series?: { name: string; number?: number | null } | null;
  publishedOn?: string | null;
  description?: TextByLanguage;
  pages?: number;
  wordCount?: number;
  durationSeconds?: number;
  forSale?: boolean;
  listed?: boolean;
  popularity?: number;
  /** price in credits, where it is sold for credits */
  credits?: number;
  addedAt?: Date;
  /** in the main unit of the currency */
  prices?: { amount: number; currency: string }[];
  categories?: string[];
  cover?: Cover | null;
  content?: TitleContent;
};

/** A title as its row stores it. @throws BadText, BadAmount */
export const toTitleRow = (storeId: string, title: NewTitle, main: LanguageCode) => {
  const texts = readTexts(`The description of title ${title.id}`, { description: title.description ?? '' }, main);
  const authors = title.authors ?? [];
  const narrators = title.narrators ?? [];
  const firstPrice = title.prices?.[0];
  return {
    store_id: storeId,
    id: title.id,
    type: TITLE_TYPES[title.medium],
    media: title.medium,
    name: title.name,
    subtitle: title.subtitle ?? null,
    sort_name: toSortName(title.name),
    sort_author: toSortAuthor(authors),
    isbn: title.isbn13 ?? null,
    authors: JSON.stringify(authors),
    narrators: JSON.stringify(narrators),
    publisher: title.publisher ?? null,
    language: title.language ?? null,
    series: title.series?.name ?? null,
    series_number: title.series?.number ?? null,
    published_on: title.publishedOn ?? null,
    description: texts.description,
    translations: JSON.stringify(texts.translations),
    duration_seconds: title.durationSeconds === undefined ? null : Math.round(title.durationSeconds),
    page_count: title.pages ?? null,
    word_count: title.wordCount ?? null,
    cover: title.cover ? JSON.stringify(title.cover) : null,
    has_sample: (title.content?.sample?.items.length ?? 0) > 0,
    for_sale: (title.forSale ?? true) && firstPrice !== undefined,
    listed: title.listed ?? true,
    sort_price: firstPrice ? toMinor(firstPrice.amount, firstPrice.currency) : 0,
    popularity: title.popularity ?? 0,
    credits: title.credits ?? null,
    content: JSON.stringify(title.content ?? {}),
    slug: toSlug(title.name).toLowerCase(),
    ...toTitleWords({
      name: title.name,
      subtitle: title.subtitle ?? null,
      authors,
      narrators,
      isbn: title.isbn13 ?? null,
      descriptions: [texts.description, ...Object.values(texts.translations).map((texts) => texts.description ?? '')],
    }),
    ...(title.addedAt ? { added_at: title.addedAt } : {}),
  };
};

/** The prices of a title as rows, in the same order. @throws BadAmount */
export const toPriceRows = (storeId: string, titleId: string, prices: NonNullable<NewTitle['prices']>) =>
  prices.map(({ amount, currency }, position) => ({
    store_id: storeId,
    title_id: titleId,
    currency,
    amount_minor: toMinor(amount, currency),
    position,
  }));

/**
 * Adds titles with their prices and categories to a store; all of them or none. Batches stay below
 * the limit of parameters per statement.
 * @throws BadText for an invalid description; BadAmount
 */
export async function saveTitles(db: Database, storeId: string, titles: NewTitle[]): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { language } = await trx.selectFrom('stores').select('language').where('id', '=', storeId).executeTakeFirstOrThrow();
    for (let start = 0; start < titles.length; start += 500) {
      const batch = titles.slice(start, start + 500);
      await trx
        .insertInto('titles')
        .values(batch.map((title) => toTitleRow(storeId, title, language)))
        .execute();
      await requireCurrencies(
        trx,
        storeId,
        batch.flatMap(({ prices: titlePrices = [] }) => titlePrices),
      );
      const prices = batch.flatMap((title) => toPriceRows(storeId, title.id, title.prices ?? []));
      if (prices.length > 0) await trx.insertInto('prices').values(prices).execute();
      const categoryRows = batch.flatMap((title) =>
        (title.categories ?? []).map((id) => ({ store_id: storeId, category_id: id, title_id: title.id })),
      );
      await updateKindFlags(
        trx,
        storeId,
        batch.map(({ id }) => id),
      );
      if (categoryRows.length > 0) await trx.insertInto('title_categories').values(categoryRows).execute();
      // The embedded database has no autovacuum to update its statistics, and would check each
      // reference by scanning whole tables.
      if (start === 0 || start + 500 >= titles.length) await sql`analyze titles, prices, title_categories`.execute(trx);
    }
  });
}
