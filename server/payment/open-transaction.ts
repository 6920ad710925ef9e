import { randomUUID } from 'node:crypto';
import { Refusal } from '../api/refusal.ts';
import { type Database, isUniqueViolation } from '../database/open.ts';
import { ownedCopy } from './ownership.ts';
import { type PaymentServices, reconcile, releaseAtGateway } from './reconcile.ts';
import { isOpen, move, OPEN, type Transaction } from './transactions.ts';

export type Quote = {
  storeId: string;
  userId: string;
  titleId: string;
  amountMinor: number;
  currency: string;
  /** That makes it cheaper, as it is kept. */
  code: string | null;
};

export const alreadyOwned = () => new Refusal(409, 'This title is already in your library.', { code: 'already_owned' });

export const boughtElsewhere = () => new Refusal(409, 'This title is being bought in another window.', { code: 'conflict' });

/**
 * The customer's one open transaction for a title: the one that is there already, or a new one. Two windows that buy
 * the same title share it, so that it cannot be paid twice.
 * @throws Refusal 409 already_owned
 */
export async function openTransaction(services: PaymentServices, quote: Quote): Promise<Transaction> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (await ownedCopy(services.db, quote)) throw alreadyOwned();
    const found = await findOpen(services.db, quote);
    if (!found) {
      const made = await begin(services.db, services.payment.provider, quote);
      if (made) return made;
      continue;
    }
    const { transaction } = await reconcile(services, found);
    if (transaction.status === 'paid') throw alreadyOwned();
    const isPrice = transaction.amount_minor === quote.amountMinor && transaction.currency === quote.currency;
    const same = isPrice && transaction.code === quote.code;
    if (isOpen(transaction) && (same || transaction.status === 'capturing')) return transaction;
    // The price has changed since: what was quoted then is released.
    if (isOpen(transaction)) await release(services, transaction, 'price_changed');
  }
  throw boughtElsewhere();
}

/** Gives up an open transaction, unless its customer has confirmed it; when the gateway has charged it after all, it is booked. */
export async function release(services: PaymentServices, transaction: Transaction, reason: string): Promise<Transaction> {
  // Written down first: whatever happens now, the sweep releases what is reserved for it.
  const given = await move(services.db, transaction, ['pending', 'authorized'], 'cancelled', reason);
  return given.status === 'cancelled' ? releaseAtGateway(services, given) : given;
}

const findOpen = (db: Database, quote: Quote): Promise<Transaction | undefined> =>
  db
    .selectFrom('transactions')
    .selectAll()
    .where('store_id', '=', quote.storeId)
    .where('user_id', '=', quote.userId)
    .where('title_id', '=', quote.titleId)
    .where('kind', '=', 'title')
    .where('status', 'in', OPEN)
    .executeTakeFirst();

/** undefined when another call began one in the same moment. */
async function begin(db: Database, provider: string, quote: Quote): Promise<Transaction | undefined> {
  try {
    return await db.transaction().execute(async (trx) => {
      const made = await trx
        .insertInto('transactions')
        .values({
          store_id: quote.storeId,
          id: randomUUID(),
          user_id: quote.userId,
          kind: 'title',
          title_id: quote.titleId,
          plan_id: null,
          amount_minor: quote.amountMinor,
          currency: quote.currency,
          code: quote.code,
          status: 'pending',
          provider,
          intent_id: null,
          reason: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      // Asked again now that no other transaction can be open: one that was paid in between shows here.
      if (await ownedCopy(trx, quote)) throw alreadyOwned();
      return made;
    });
  } catch (error) {
    if (isUniqueViolation(error, 'transactions_one_open')) return undefined;
    throw error;
  }
}
