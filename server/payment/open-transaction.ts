import { randomUUID } from 'node:crypto';
import { DomainError } from '../kernel/errors.ts';
import { type Database, isUniqueViolation } from '../database/open.ts';
import { isForOrder, keepLines, type Order, taxOf, titleOf, totalOf } from './order.ts';
import { ownedCopy } from '../entitlements/ownership.ts';
import type { PaymentServices } from './payment-services.ts';
import { reconcile, releaseAtGateway } from './reconcile.ts';
import { isOpen, move, OPEN, type Transaction } from './transactions.ts';

export const alreadyOwned = () =>
  new DomainError('conflict', 'This title is already in your library.', { code: 'already_owned' });

export const boughtElsewhere = () =>
  new DomainError('conflict', 'This title is being bought in another window.', { code: 'conflict' });

/**
 * The customer's one open transaction for a title, or for their cart: the one that is there already, or a new one. Two windows
 * that buy the same share it, so that it cannot be paid twice.
 * @throws DomainError conflict already_owned
 */
export async function openTransaction(services: PaymentServices, order: Order): Promise<Transaction> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await refuseOwned(services.db, order);
    const found = await findOpen(services.db, order);
    if (!found) {
      const made = await begin(services.db, services.payment.provider, order);
      if (made) return made;
      continue;
    }
    const { transaction } = await reconcile(services, found);
    // What was paid for may be less than a cart of several holds now.
    if (transaction.status === 'paid' && order.kind === 'title') throw alreadyOwned();
    if (isOpen(transaction) && (await isForOrder(services.db, transaction, order))) return transaction;
    if (transaction.status === 'capturing') {
      if (order.kind === 'title') return transaction;
      throw boughtElsewhere();
    }
    // The price has changed since, or what is in the cart: what was quoted then is released.
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

async function refuseOwned(db: Database, { storeId, userId, lines }: Order): Promise<void> {
  for (const { titleId } of lines) if (await ownedCopy(db, { storeId, userId, titleId })) throw alreadyOwned();
}

const findOpen = (db: Database, order: Order): Promise<Transaction | undefined> =>
  db
    .selectFrom('transactions')
    .selectAll()
    .where('store_id', '=', order.storeId)
    .where('user_id', '=', order.userId)
    .where('title_id', 'is not distinct from', titleOf(order))
    .where('kind', '=', order.kind)
    .where('status', 'in', OPEN)
    .executeTakeFirst();

/** Writes down what is to be paid for, inside the caller's transaction. */
export async function insertTransaction(trx: Database, provider: string, order: Order): Promise<Transaction> {
  const made = await trx
    .insertInto('transactions')
    .values({
      store_id: order.storeId,
      id: randomUUID(),
      user_id: order.userId,
      kind: order.kind,
      title_id: titleOf(order),
      plan_id: null,
      amount_minor: totalOf(order) + taxOf(order),
      tax_minor: taxOf(order),
      tax: order.tax && JSON.stringify(order.tax),
      currency: order.currency,
      code: order.code,
      method: order.method,
      status: 'pending',
      provider,
      intent_id: null,
      reason: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (made.title_id === null) await keepLines(trx, made, order.lines);
  return made;
}

/** undefined when another call began one in the same moment. */
async function begin(db: Database, provider: string, order: Order): Promise<Transaction | undefined> {
  try {
    return await db.transaction().execute(async (trx) => {
      const made = await insertTransaction(trx, provider, order);
      // Asked again now that no other transaction can be open: one that was paid in between shows here.
      await refuseOwned(trx, order);
      return made;
    });
  } catch (error) {
    if (isUniqueViolation(error, 'transactions_one_open') || isUniqueViolation(error, 'transactions_one_cart')) return undefined;
    throw error;
  }
}
