import type { Database } from '../database/open.ts';

type GiftReference = { title_id: string | null; transaction_id: string | null };
type GiftTitle = { titleId: string; name: string };

/**
 * Reads the titles of gifts: one title, or a cart's titles in the sequence of the transaction's
 * lines.
 * @returns a function that returns the titles of one of these gifts
 */
export async function readGiftTitles(
  db: Database,
  storeId: string,
  gifts: readonly GiftReference[],
): Promise<(gift: GiftReference) => GiftTitle[]> {
  const titleIds = gifts.flatMap(({ title_id }) => title_id ?? []);
  const cartTransactionIds = gifts.flatMap(({ title_id, transaction_id }) => (title_id === null ? (transaction_id ?? []) : []));
  const titles =
    titleIds.length === 0
      ? []
      : await db
          .selectFrom('titles')
          .select(['id', 'name'])
          .where('store_id', '=', storeId)
          .where('id', 'in', titleIds)
          .execute();
  const lines =
    cartTransactionIds.length === 0
      ? []
      : await db
          .selectFrom('transaction_lines')
          .innerJoin('titles', (join) =>
            join
              .onRef('titles.store_id', '=', 'transaction_lines.store_id')
              .onRef('titles.id', '=', 'transaction_lines.title_id'),
          )
          .select(['transaction_lines.transaction_id', 'titles.id', 'titles.name'])
          .where('transaction_lines.store_id', '=', storeId)
          .where('transaction_lines.transaction_id', 'in', cartTransactionIds)
          .orderBy('transaction_lines.position')
          .execute();
  const names = new Map(titles.map(({ id, name }) => [id, name]));
  const linesByTransaction = Map.groupBy(lines, (line) => line.transaction_id);
  return ({ title_id, transaction_id }) =>
    title_id === null
      ? (linesByTransaction.get(transaction_id ?? '') ?? []).map(({ id, name }) => ({ titleId: id, name }))
      : [{ titleId: title_id, name: names.get(title_id) ?? '' }];
}
