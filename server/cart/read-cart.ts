import type { TitleRow } from '../catalogue/title-rows.ts';
import { summaryColumns } from '../catalogue/title-rows.ts';
import type { Database } from '../database/open.ts';
import { ownedCopies } from '../payment/ownership.ts';
import type { OrderLine } from '../payment/order.ts';
import type { Owner } from './lines.ts';

/** A title in the cart; `title` is null where the shop does not have it any more. */
type CartLine = { titleId: string; name: string; addedAt: Date; isOwned: boolean; title: TitleRow | null };

/** What is in a cart, the latest first, and which of it can be paid for together in one currency, at today's prices. */
export type Cart = { lines: CartLine[]; payable: OrderLine[]; currency: string | null };

type Price = TitleRow['prices'][number];

/** A title that is sold here for money, and is not the customer's yet. */
const isPayable = ({ isOwned, title }: CartLine): boolean =>
  !isOwned && title !== null && title.for_sale && (title.prices[0]?.amount ?? 0) > 0;

const priceIn = ({ title }: CartLine, currency: string | null): Price | undefined =>
  title?.prices.find((price) => price.currency === currency && price.amount > 0);

/**
 * Reads a customer's cart and computes what it costs. What is owned, free, not for sale or gone is not paid for, nor is what has
 * no price in the currency of the rest.
 * @param wanted the currency; without one it is the one in which the latest title is sold
 */
export async function readCart(db: Database, owner: Owner, wanted?: string): Promise<Cart> {
  const rows = await db
    .selectFrom('cart_lines')
    .innerJoin('titles', (join) =>
      join.onRef('titles.store_id', '=', 'cart_lines.store_id').onRef('titles.id', '=', 'cart_lines.title_id'),
    )
    .select((eb) => summaryColumns(eb as never))
    .select(['titles.listed', 'cart_lines.added_at'])
    .where('cart_lines.store_id', '=', owner.store_id)
    .where('cart_lines.user_id', '=', owner.user_id)
    .orderBy('cart_lines.added_at', 'desc')
    .orderBy('titles.id')
    .execute();
  const owned = new Set((await ownedCopies(db, { storeId: owner.store_id, userId: owner.user_id })).map((row) => row.title_id));
  const lines = rows.map(({ listed, added_at: addedAt, ...row }) => ({
    titleId: row.id,
    name: row.name,
    addedAt,
    isOwned: owned.has(row.id),
    title: listed ? { ...row, prices: row.prices ?? [] } : null,
  }));
  const sold = lines.filter(isPayable);
  const currency = wanted ?? sold[0]?.title?.prices[0]?.currency ?? null;
  const payable = sold.flatMap((line) => {
    const price = priceIn(line, currency);
    return price === undefined ? [] : [{ titleId: line.titleId, amountMinor: price.amount }];
  });
  return { lines, payable, currency };
}
