import { type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../database/open.ts';
import type { Tables } from '../database/schema/tables.ts';
import { readCursor } from './cursor.ts';
import { prefixQuery } from './folding.ts';
import { toIsbn13 } from './isbn.ts';
import { after, cursorValue, cutPage, inOrder } from './keyset.ts';
import { titleOrder } from './orders.ts';
import { matching, summaryColumns, type TitleRow } from './title-rows.ts';

export type TitleFilter = {
  storeId: string;
  /** 0 is every type */
  type: number;
  /** titles in any of these */
  categoryIds: string[] | undefined;
  search: string | undefined;
};

export type TitlePage = { rows: TitleRow[]; total: number; next: string | undefined };

/**
 * A page of listed titles, from the cursor on. The count of all is taken once, on the first page, and travels in the
 * cursor.
 */
export async function listTitles(
  db: Database,
  filter: TitleFilter,
  page: { sort: string | undefined; cursor: string | undefined; limit: number },
): Promise<TitlePage> {
  const { name: sort, order } = titleOrder(page.sort);
  const cursor = readCursor(page.cursor, sort);
  const base = filtered(db, filter);
  if (!base) return { rows: [], total: 0, next: undefined };
  const total = cursor?.total ?? (await countOf(base));
  const column = { ...order, column: `titles.${order.column}` };
  const rows = await base
    .select(summaryColumns)
    .select(cursorValue(column).as('cursor_value'))
    .$if(cursor !== undefined, (builder) => (cursor ? builder.where(after(column, 'titles.id', cursor)) : builder))
    .orderBy(inOrder(column, 'titles.id'))
    .limit(page.limit + 1)
    .execute();
  const cut = cutPage(
    rows.map((row) => ({ ...row, prices: row.prices ?? [] })),
    page.limit,
    sort,
    total,
  );
  return { rows: cut.rows, total, next: cut.next };
}

type TitleQuery = SelectQueryBuilder<Tables, 'titles', object>;

async function countOf(base: TitleQuery): Promise<number> {
  const row = await base.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return Number(row.count);
}

/** undefined when nothing can match: a search without any word. */
function filtered(db: Database, filter: TitleFilter): TitleQuery | undefined {
  let query = db.selectFrom('titles').where('titles.store_id', '=', filter.storeId).where('titles.listed', '=', true);
  if (filter.type !== 0) query = query.where('titles.type', '=', filter.type);
  const { categoryIds } = filter;
  if (categoryIds)
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('title_categories')
          .select(sql`1`.as('one'))
          .whereRef('title_categories.store_id', '=', 'titles.store_id')
          .whereRef('title_categories.title_id', '=', 'titles.id')
          .where('title_categories.category_id', 'in', categoryIds),
      ),
    );
  const search = filter.search?.trim();
  if (!search) return query;
  const isbn = toIsbn13(search);
  if (isbn) return query.where('titles.isbn', '=', isbn);
  const words = prefixQuery(search);
  return words === undefined ? undefined : query.$call(matching(words));
}
