import { DomainError } from '../kernel/errors.ts';
import type { SortOrder } from '../stores/sort-orders.ts';

/**
 * The end of a page: sort value and id of its last row, the sort order, and the total number of
 * rows, null when they were not counted.
 */
export type Cursor = { sort: string; value: string | number; id: string; total: number | null };

export const encodeCursor = (cursor: Cursor): string =>
  Buffer.from(JSON.stringify([cursor.sort, cursor.value, cursor.id, cursor.total])).toString('base64url');

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed() && !value.includes('\u0000');

/** Cursors are client input: only values that the column could hold reach the database. */
const fitsKind = (value: unknown, kind: SortOrder<string>['kind']): value is string | number =>
  kind === 'text' ? isText(value) : Number.isSafeInteger(value);

const isCount = (value: unknown): value is number | null => value === null || (Number.isSafeInteger(value) && Number(value) >= 0);

/**
 * Decodes the cursor of a page.
 * @returns undefined for the first page
 * @param sorts the names of the sort orders that the cursor may belong to
 * @throws DomainError bad_request when it is not a cursor of this order
 */
export function decodeCursor(text: string | undefined, sorts: string[], { kind }: SortOrder<string>): Cursor | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (Array.isArray(parts)) {
      const [name, value, id, total] = parts as unknown[];
      const sort = sorts.find((each) => each === name);
      if (sort !== undefined && fitsKind(value, kind) && isText(id) && isCount(total)) return { sort, value, id, total };
    }
  } catch {
    // The cursor is refused below, like one of another list.
  }
  throw new DomainError(
    'bad_request',
    `The cursor ${text} is invalid: expected the \`next\` of this list in the same sort order.`,
  );
}
