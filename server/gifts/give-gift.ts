import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { generateCode } from '../base/code-text.ts';
import type { Database } from '../database/open.ts';
import type { GiftsTable } from '../database/schema/offers.ts';
import { readLines, type OrderLine } from '../payment/order.ts';
import { realNow, shopNow } from '../base/clock/time.ts';
import { DomainError } from '../kernel/errors.ts';

export const giftOpenedError = (): DomainError =>
  new DomainError('conflict', 'This gift has been opened already.', { code: 'gift_redeemed' });

export type Gift = Selectable<GiftsTable>;

/**
 * Queues a gift's e-mail, in the caller's database transaction. Its text is composed when it is
 * sent.
 */
export async function queueGift(trx: Database, { store_id, id, language, origin }: Gift, dueAt: Date): Promise<void> {
  const queuedEmail = {
    id: randomUUID(),
    store_id,
    kind: 'gift',
    email: '',
    language,
    origin,
    due_at: dueAt,
    gift_id: id,
  } as const;
  await trx.insertInto('letters').values(queuedEmail).execute();
  await trx
    .updateTable('gifts')
    .set((eb) => ({ letters: eb('letters', '+', 1), written_at: new Date(realNow()), failed_at: null }))
    .where('store_id', '=', store_id)
    .where('id', '=', id)
    .execute();
}

/**
 * Reads the order lines of a gift. The lines of a cart have prices and taxes; the line of a single
 * title has the amount 0.
 */
export const readGiftLines = async (db: Database, { store_id, title_id, transaction_id }: Gift): Promise<OrderLine[]> =>
  title_id === null
    ? readLines(db, { store_id, id: transaction_id ?? '', title_id: null, amount_minor: 0, tax_minor: 0 })
    : [{ titleId: title_id, amountMinor: 0 }];

/** Creates the code that opens the gift with all of its titles. @returns the code */
export async function makeGiftCode(trx: Database, gift: Gift): Promise<string> {
  const { store_id, id, title_id } = gift;
  const code = generateCode();
  const kind = title_id === null ? 'bundle' : 'title';
  const row = { store_id, code, kind, title_id, plan_id: null, campaign_id: null, percent_off: null } as const;
  const uses = { credits: null, trial_days: null, uses: 1, uses_left: 1, expires_at: null };
  await trx
    .insertInto('codes')
    .values({ ...row, ...uses })
    .execute();
  if (title_id === null) {
    const lines = await readGiftLines(trx, gift);
    await trx
      .insertInto('code_titles')
      .values(lines.map(({ titleId }, position) => ({ store_id, code, title_id: titleId, position })))
      .execute();
  }
  await trx.updateTable('gifts').set({ code }).where('store_id', '=', store_id).where('id', '=', id).execute();
  return code;
}

/** The payment of a gift; `amountMinor` includes `taxMinor`. */
type GiftPayment = {
  transactionId: string | null;
  amountMinor: number;
  taxMinor: number;
  currency: string | null;
  credits?: number;
};

/** Removes the titles of a gift from the giver's cart. */
async function removeGiftFromCart(trx: Database, { store_id, giver_id }: Gift, titleIds: string[]): Promise<void> {
  await trx
    .deleteFrom('cart_lines')
    .where('store_id', '=', store_id)
    .where('user_id', '=', giver_id)
    .where('title_id', 'in', titleIds)
    .execute();
}

/**
 * Completes a gift, paid with money or credits or free, in the caller's database transaction: books
 * the giver's purchases, creates the code, and queues the e-mail for its day. The giver gets no
 * copy.
 */
export async function giveGift(trx: Database, gift: Gift, payment: GiftPayment): Promise<void> {
  const isCart = gift.title_id === null;
  const lines = isCart
    ? await readGiftLines(trx, gift)
    : [{ titleId: gift.title_id, amountMinor: payment.amountMinor - payment.taxMinor, taxMinor: payment.taxMinor }];
  const rows = lines.map(({ titleId, amountMinor, taxMinor = 0 }) => ({
    store_id: gift.store_id,
    id: isCart ? randomUUID() : gift.id,
    user_id: gift.giver_id,
    title_id: titleId,
    kind: 'gift' as const,
    transaction_id: payment.transactionId,
    amount_minor: amountMinor + taxMinor,
    tax_minor: taxMinor,
    currency: payment.currency,
    credits: payment.credits ?? null,
  }));
  await trx.insertInto('purchases').values(rows).execute();
  if (isCart)
    await removeGiftFromCart(
      trx,
      gift,
      rows.map((row) => row.title_id ?? ''),
    );
  await makeGiftCode(trx, gift);
  await queueGift(trx, gift, gift.due_at ?? shopNow());
}

/** Finds the gift of a transaction. */
export const findGiftOfTransaction = (db: Database, transaction: { store_id: string; id: string }): Promise<Gift | undefined> =>
  db
    .selectFrom('gifts')
    .selectAll()
    .where('store_id', '=', transaction.store_id)
    .where('transaction_id', '=', transaction.id)
    .executeTakeFirst();

/** Finds the gift of a purchase without payment (credits or free), which has the purchase's id. */
export const findGiftOfPurchase = (db: Database, storeId: string, purchaseId: string): Promise<Gift | undefined> =>
  db
    .selectFrom('gifts')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('id', '=', purchaseId)
    .where('transaction_id', 'is', null)
    .executeTakeFirst();

/** The expiry of a withdrawn gift's code, which is always in the past. */
const WITHDRAWN_AT = new Date(0);

/**
 * Withdraws an unopened gift, in the caller's database transaction.
 * @returns false if the gift was opened
 */
export async function withdrawGift(trx: Database, { store_id, code }: Gift): Promise<boolean> {
  const withdrawnCode = await trx
    .updateTable('codes')
    .set({ expires_at: WITHDRAWN_AT })
    .where('store_id', '=', store_id)
    .where('code', '=', code ?? '')
    .where('uses_left', '>', 0)
    .returning('code')
    .executeTakeFirst();
  return withdrawnCode !== undefined;
}

/** Whether the recipient has opened the gift. */
export async function isGiftOpened(db: Database, { store_id, code }: Gift): Promise<boolean> {
  const row = await db
    .selectFrom('codes')
    .select('uses_left')
    .where('store_id', '=', store_id)
    .where('code', '=', code ?? '')
    .executeTakeFirst();
  return row?.uses_left === 0;
}

/** Makes a withdrawn gift valid again. */
export async function restoreGift(trx: Database, { store_id, code }: Gift): Promise<void> {
  await trx
    .updateTable('codes')
    .set({ expires_at: null })
    .where('store_id', '=', store_id)
    .where('code', '=', code ?? '')
    .where('expires_at', '=', WITHDRAWN_AT)
    .execute();
}

/** Whether a gift is withdrawn, by its code's expiry. */
export const isWithdrawn = (expiresAt: Date | null): boolean => expiresAt?.getTime() === WITHDRAWN_AT.getTime();
