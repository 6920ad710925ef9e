import type { Database } from '../database/open.ts';

type GiftReference = { title_id: string | null; transaction_id: string | null };
type GiftTitle = { titleId: string; name: string };

/**
 * Reads the titles of gifts: one title, or those of a cart in their order in the transaction.
 * @returns a function from a gift to its titles
 */
export async function readGiftTitles(
  db: Database,
  storeId: string,
  gifts: readonly GiftReference[],
): Promise<(gift: GiftReference) => GiftTitle[]> {
  const single = gifts.flatMap(({ title_id }) => title_id ?? []);
  const carts = gifts.flatMap(({ title_id, transaction_id }) => (title_id === null ? (transaction_id ?? []) : []));
  const titles =
    single.length === 0
      ? []
      : await db.selectFrom('titles').select(['id', 'name']).where('store_id', '=', storeId).where('id', 'in', single).execute();
  const lines =
    carts.length === 0
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
          .where('transaction_lines.transaction_id', 'in', carts)
          .orderBy('transaction_lines.position')
          .execute();
  const names = new Map(titles.map(({ id, name }) => [id, name]));
  const ofCart = Map.groupBy(lines, (line) => line.transaction_id);
  return ({ title_id, transaction_id }) =>
    title_id === null
      ? (ofCart.get(transaction_id ?? '') ?? []).map(({ id, name }) => ({ titleId: id, name }))
      : [{ titleId: title_id, name: names.get(title_id) ?? '' }];
}
