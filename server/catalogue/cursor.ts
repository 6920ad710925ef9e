import { DomainError } from '../kernel/errors.ts';
import type { SortOrder } from '../stores/sort-orders.ts';

/**
 * Where a page ended: the sort value and the id of its last row, in which order, and how many rows there are in all, null
 * when they were not counted.
 */
export type Cursor = { sort: string; value: string | number; id: string; total: number | null };

export const writeCursor = (cursor: Cursor): string =>
  Buffer.from(JSON.stringify([cursor.sort, cursor.value, cursor.id, cursor.total])).toString('base64url');

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\u0000');

/** Cursors come back from outside: only values that the column could have held reach the database. */
const fits = (value: unknown, kind: SortOrder<string>['kind']): value is string | number =>
  kind === 'text' ? isText(value) : Number.isSafeInteger(value);

const isCount = (value: unknown): value is number | null => value === null || (Number.isSafeInteger(value) && Number(value) >= 0);

/**
 * @returns undefined for the first page
 * @param sorts the names of the order that the cursor may be of
 * @throws DomainError bad_request when it is not a cursor of this order
 */
export function readCursor(text: string | undefined, sorts: string[], { kind }: SortOrder<string>): Cursor | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (Array.isArray(parts)) {
      const [name, value, id, total] = parts as unknown[];
      const sort = sorts.find((each) => each === name);
      if (sort !== undefined && fits(value, kind) && isText(id) && isCount(total)) return { sort, value, id, total };
    }
  } catch {
    // Refused below, as every cursor that is not ours.
  }
  throw new DomainError('bad_request', 'The cursor is not one of this list.');
}
