import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { newCode } from '../base/code-text.ts';
import type { Database } from '../database/open.ts';
import type { GiftsTable } from '../database/schema/offers.ts';
import { linesOf, type OrderLine } from '../payment/order.ts';
import { realNow, shopNow } from '../base/clock/time.ts';

export type Gift = Selectable<GiftsTable>;

/** Puts a gift's letter into the queue, inside the caller's transaction; it says what the gift says when it is sent. */
export async function queueGift(trx: Database, { store_id, id, language, origin }: Gift, dueAt: Date): Promise<void> {
  const letter = { id: randomUUID(), store_id, kind: 'gift', email: '', language, origin, due_at: dueAt, gift_id: id } as const;
  await trx.insertInto('letters').values(letter).execute();
  await trx
    .updateTable('gifts')
    .set((eb) => ({ letters: eb('letters', '+', 1), written_at: new Date(realNow()), failed_at: null }))
    .where('store_id', '=', store_id)
    .where('id', '=', id)
    .execute();
}

/** What a gift is of: the titles that were paid for with it, and what each has cost, and the tax on that. */
export const linesOfGift = async (db: Database, { store_id, title_id, transaction_id }: Gift): Promise<OrderLine[]> =>
  title_id === null
    ? linesOf(db, { store_id, id: transaction_id ?? '', title_id: null, amount_minor: 0, tax_minor: 0 })
    : [{ titleId: title_id, amountMinor: 0 }];

/** Makes the one code that opens a gift, all of it. @returns the code */
export async function makeGiftCode(trx: Database, gift: Gift): Promise<string> {
  const { store_id, id, title_id } = gift;
  const code = newCode();
  const kind = title_id === null ? 'bundle' : 'title';
  const row = { store_id, code, kind, title_id, plan_id: null, campaign_id: null, percent_off: null } as const;
  const uses = { credits: null, trial_days: null, uses: 1, uses_left: 1, expires_at: null };
  await trx
    .insertInto('codes')
    .values({ ...row, ...uses })
    .execute();
  if (title_id === null) {
    const lines = await linesOfGift(trx, gift);
    await trx
      .insertInto('code_titles')
      .values(lines.map(({ titleId }, position) => ({ store_id, code, title_id: titleId, position })))
      .execute();
  }
  await trx.updateTable('gifts').set({ code }).where('store_id', '=', store_id).where('id', '=', id).execute();
  return code;
}

/** What was paid for a gift; `taxMinor` is what of `amountMinor` is tax. */
type Paid = { transactionId: string | null; amountMinor: number; taxMinor: number; currency: string | null; credits?: number };

/** What is given out of the cart is in it no more. */
async function takeOutOfCart(trx: Database, { store_id, giver_id }: Gift, titleIds: string[]): Promise<void> {
  await trx
    .deleteFrom('cart_lines')
    .where('store_id', '=', store_id)
    .where('user_id', '=', giver_id)
    .where('title_id', 'in', titleIds)
    .execute();
}

/**
 * Gives a gift that is paid for, or free, inside the caller's transaction: books the giver's purchases, makes the code, and queues
 * the letter for its day. The giver gets no copy.
 */
export async function giveGift(trx: Database, gift: Gift, paid: Paid): Promise<void> {
  const isCart = gift.title_id === null;
  const lines = isCart
    ? await linesOfGift(trx, gift)
    : [{ titleId: gift.title_id, amountMinor: paid.amountMinor - paid.taxMinor, taxMinor: paid.taxMinor }];
  const rows = lines.map(({ titleId, amountMinor, taxMinor = 0 }) => ({
    store_id: gift.store_id,
    id: isCart ? randomUUID() : gift.id,
    user_id: gift.giver_id,
    title_id: titleId,
    kind: 'gift' as const,
    transaction_id: paid.transactionId,
    amount_minor: amountMinor + taxMinor,
    tax_minor: taxMinor,
    currency: paid.currency,
    credits: paid.credits ?? null,
  }));
  await trx.insertInto('purchases').values(rows).execute();
  if (isCart)
    await takeOutOfCart(
      trx,
      gift,
      rows.map((row) => row.title_id ?? ''),
    );
  await makeGiftCode(trx, gift);
  await queueGift(trx, gift, gift.due_at ?? shopNow());
}

/** The gift that a transaction pays for. */
export const giftOf = (db: Database, transaction: { store_id: string; id: string }): Promise<Gift | undefined> =>
  db
    .selectFrom('gifts')
    .selectAll()
    .where('store_id', '=', transaction.store_id)
    .where('transaction_id', '=', transaction.id)
    .executeTakeFirst();

/** The gift that a purchase without a payment has given, for credits or for nothing: both have one id. */
export const giftBought = (db: Database, storeId: string, purchaseId: string): Promise<Gift | undefined> =>
  db
    .selectFrom('gifts')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('id', '=', purchaseId)
    .where('transaction_id', 'is', null)
    .executeTakeFirst();

/** When the code of a withdrawn gift has expired: before anybody can use it, whenever they began to. */
const WITHDRAWN = new Date(0);

/** Takes a gift back that nobody has opened, inside the caller's transaction. @returns false where somebody has */
export async function withdrawGift(trx: Database, { store_id, code }: Gift): Promise<boolean> {
  const withdrawn = await trx
    .updateTable('codes')
    .set({ expires_at: WITHDRAWN })
    .where('store_id', '=', store_id)
    .where('code', '=', code ?? '')
    .where('uses_left', '>', 0)
    .returning('code')
    .executeTakeFirst();
  return withdrawn !== undefined;
}

/** Whether somebody has opened it. */
export async function isGiftOpened(db: Database, { store_id, code }: Gift): Promise<boolean> {
  const row = await db
    .selectFrom('codes')
    .select('uses_left')
    .where('store_id', '=', store_id)
    .where('code', '=', code ?? '')
    .executeTakeFirst();
  return row?.uses_left === 0;
}

/** Lets a gift that was withdrawn be opened again. */
export async function restoreGift(trx: Database, { store_id, code }: Gift): Promise<void> {
  await trx
    .updateTable('codes')
    .set({ expires_at: null })
    .where('store_id', '=', store_id)
    .where('code', '=', code ?? '')
    .where('expires_at', '=', WITHDRAWN)
    .execute();
}

/** Whether it was withdrawn, by the moment at which its code expires. */
export const isWithdrawn = (expiresAt: Date | null): boolean => expiresAt?.getTime() === WITHDRAWN.getTime();
