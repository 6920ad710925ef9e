import { type ExpressionBuilder, sql } from 'kysely';
import type { Cover, Media } from '../database/schema/catalogue.ts';
import type { Tables } from '../database/schema/tables.ts';

/** The data of a title in a list. */
export type TitleRow = {
  id: string;
  type: number;
  media: Media;
  name: string;
  subtitle: string | null;
  isbn: string | null;
  authors: string[];
  cover: Cover | null;
  has_sample: boolean;
  for_sale: boolean;
  prices: { currency: string; amount: number }[];
};

/**
 * The columns of a summary, for a query on `titles`. Prices are included, so that a list takes one
 * round trip.
 */
export const summaryColumns = (eb: ExpressionBuilder<Tables, 'titles'>) =>
  [
    'titles.id',
    'titles.type',
    'titles.media',
    'titles.name',
    'titles.subtitle',
    'titles.isbn',
    'titles.authors',
    'titles.cover',
    'titles.has_sample',
    'titles.for_sale',
    eb
      .selectFrom('prices')
      .whereRef('prices.store_id', '=', 'titles.store_id')
      .whereRef('prices.title_id', '=', 'titles.id')
      .select(
        sql<{ currency: string; amount: number }[]>`coalesce(jsonb_agg(jsonb_build_object(
          'currency', prices.currency, 'amount', prices.amount_minor)
          order by prices.position, prices.currency), '[]'::jsonb)`.as('all_prices'),
      )
      .as('prices'),
  ] as const;
