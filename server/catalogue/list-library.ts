import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { isReadable } from '../entitlements/ownership.ts';
import type { EntitlementsTable, PurchasesTable } from '../database/schema/payments.ts';
import type { Tables } from '../database/schema/tables.ts';
import { decodeCursor } from './cursor.ts';
import { toPrefixQuery } from '../base/folding.ts';
import { isAfterCursor, selectCursorValue, cutPage, toOrderBy } from './keyset.ts';
import { type LibraryColumn, getLibrarySortOrder, type SortOrder } from '../stores/sort-orders.ts';
import { summaryColumns, type TitleRow } from './title-rows.ts';

/** A title of a customer's library. */
export type LibraryRow = TitleRow & {
  instance_id: string;
  granted_at: Date;
  source: EntitlementsTable['source'];
  progress: number;
  last_opened_at: Date | null;
  /** null for a copy that was neither bought for money or credits nor acquired for free */
  purchase: Purchase | null;
};

/** A purchase as JSON represents it, with times as text. */
type Purchase = {
  [Column in keyof Selectable<PurchasesTable>]: Selectable<PurchasesTable>[Column] extends Date | null
    ? string | null
    : Selectable<PurchasesTable>[Column];
};

type Filter = { storeId: string; userId: string; type: number; search: string | undefined };

/**
 * A title is listed once, however many entitlements there are to it: by its oldest copy, or by one
 * of a subscription if there are no others.
 */
function selectCopies(db: Kysely<Tables>, { storeId, userId }: Filter) {
  return db
    .selectFrom('entitlements')
    .distinctOn('title_id')
    .select(['title_id', 'instance_id', 'granted_at', 'purchase_id', 'source'])
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where(isReadable)
    .orderBy('title_id')
    .orderBy((eb) => eb.case().when('source', '=', 'subscription').then(1).else(0).end())
    .orderBy('granted_at')
    .orderBy('instance_id');
}

/** Purchases for money, for credits or for free, not by code. */
function selectPayments(db: Kysely<Tables>, { storeId, userId }: Filter) {
  return db
    .selectFrom('purchases')
    .select(['id', sql<Purchase>`to_jsonb(purchases)`.as('purchase')])
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('kind', 'in', ['payment', 'free', 'credits']);
}

/** The latest reading position in each title, without samples. */
function selectPositions(db: Kysely<Tables>, { storeId, userId }: Filter) {
  return db
    .selectFrom('progress')
    .distinctOn('title_id')
    .select(['title_id', 'saved_at', sql<number>`(position ->> 'totalProgression')::float8`.as('progress')])
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('context_key', 'not like', 'sample%')
    .orderBy('title_id')
    .orderBy('saved_at', 'desc');
}

function selectLibrary(db: Kysely<Tables>, filter: Filter) {
  const words = filter.search?.trim() ? (toPrefixQuery(filter.search) ?? '') : undefined;
  return db
    .selectFrom('titles')
    .innerJoin(selectCopies(db, filter).as('copies'), 'copies.title_id', 'titles.id')
    .leftJoin(selectPositions(db, filter).as('positions'), 'positions.title_id', 'titles.id')
    .leftJoin(selectPayments(db, filter).as('payments'), 'payments.id', 'copies.purchase_id')
    .where('titles.store_id', '=', filter.storeId)
    .$if(filter.type !== 0, (query) => query.where('titles.type', '=', filter.type))
    .$if(words !== undefined, (query) => query.where(sql<boolean>`titles.search_names @@ ${words}::tsquery`));
}

/** Titles that were never opened sort last under "latest opened first". */
const EXPRESSIONS: Record<LibraryColumn, RawBuilder<unknown>> = {
  granted_at: sql`copies.granted_at`,
  opened_at: sql`coalesce(positions.saved_at, timestamptz 'epoch')`,
  sort_name: sql`titles.sort_name`,
  sort_author: sql`titles.sort_author`,
};

/** A page of the customer's library. */
export async function listLibrary(
  db: Kysely<Tables>,
  filter: Filter,
  page: { sort: string | undefined; cursor: string | undefined; limit: number },
): Promise<{ rows: LibraryRow[]; total: number; next: string | undefined }> {
  const { name: sort, order } = getLibrarySortOrder(page.sort);
  const cursor = decodeCursor(page.cursor, [sort], order);
  const base = selectLibrary(db, filter);
  const total = cursor?.total ?? Number((await base.select((eb) => eb.fn.countAll().as('n')).executeTakeFirstOrThrow()).n);
  const sortValueOrder: SortOrder<string> = { ...order, column: 'sort_value' };
  const rows = await db
    .selectFrom(
      base
        .select((eb) => summaryColumns(eb as never))
        .select([
          'copies.instance_id',
          'copies.granted_at',
          'copies.source',
          'positions.saved_at as last_opened_at',
          'positions.progress',
          'payments.purchase',
        ])
        .select(EXPRESSIONS[order.column].as('sort_value'))
        .as('owned_titles'),
    )
    .selectAll()
    .select(selectCursorValue(sortValueOrder).as('cursor_value'))
    .$if(cursor !== undefined, (query) => (cursor ? query.where(isAfterCursor(sortValueOrder, 'id', cursor)) : query))
    .orderBy(toOrderBy(sortValueOrder, 'id'))
    .limit(page.limit + 1)
    .execute();
  const fullRows = rows.map((row) => ({ ...row, prices: row.prices ?? [], progress: row.progress ?? 0 }));
  const libraryPage = cutPage(fullRows, page.limit, sort, total);
  return { rows: libraryPage.rows, total, next: libraryPage.next };
}
