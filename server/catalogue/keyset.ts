import { type RawBuilder, sql } from 'kysely';
import { FIRST_WINDOW_TITLES } from '../../machines/model/store/server-rendering.ts';
import { type Cursor, encodeCursor } from './cursor.ts';
import type { SortOrder } from '../stores/sort-orders.ts';

/**
 * A cursor's value in SQL. Times in cursors are microseconds since 1970: with JavaScript's
 * milliseconds, rows would be skipped.
 */
const toSqlValue = (order: SortOrder<string>, value: string | number): RawBuilder<unknown> => {
  if (order.kind === 'text') return sql`${String(value)} collate "C"`;
  if (order.kind === 'number') return sql`${Number(value)}::bigint`;
  return sql`(timestamptz 'epoch' + ${Number(value)}::bigint * interval '1 microsecond')`;
};

/** The sort value of a row as stored in its cursor; selected as `cursor_value`. */
export const selectCursorValue = (order: SortOrder<string>): RawBuilder<string | number> =>
  order.kind === 'time' ? sql`(extract(epoch from ${sql.ref(order.column)}) * 1000000)::bigint` : sql`${sql.ref(order.column)}`;

/** Rows that come after the cursor in the order; ids break ties, compared bytewise. */
export const isAfterCursor = (order: SortOrder<string>, idColumn: string, cursor: Cursor): RawBuilder<boolean> =>
  sql`(${sql.ref(order.column)}, ${sql.ref(idColumn)} collate "C")
    ${sql.raw(order.direction === 'asc' ? '>' : '<')} (${toSqlValue(order, cursor.value)}, ${cursor.id})`;

export const toOrderBy = (order: SortOrder<string>, idColumn: string): RawBuilder<unknown> =>
  sql`${sql.ref(order.column)} ${sql.raw(order.direction)}, ${sql.ref(idColumn)} collate "C" ${sql.raw(order.direction)}`;

export type CutPage<R> = { rows: R[]; next: string | undefined; behindFirst: string | undefined };

/**
 * Cuts a page out of rows that were queried with one more than the limit.
 * @returns the page's rows, the cursor of the next page if there is one, and the cursor after the
 * rows that a first screen shows, if there are more
 */
export function cutPage<R extends { cursor_value: string | number; id: string }>(
  rows: R[],
  limit: number,
  sort: string,
  total: number | null,
): CutPage<R> {
  const toCursorAfter = (count: number): string | undefined => {
    const lastRow = rows.length > count ? rows[count - 1] : undefined;
    return lastRow && encodeCursor({ sort, value: lastRow.cursor_value, id: lastRow.id, total });
  };
  return { rows: rows.slice(0, limit), next: toCursorAfter(limit), behindFirst: toCursorAfter(FIRST_WINDOW_TITLES) };
}
