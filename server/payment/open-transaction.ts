import { randomUUID } from 'node:crypto';
import { DomainError } from '../kernel/errors.ts';
import type { Database } from '../database/open.ts';
import { keepLines, type Order, taxOf, titleOf, totalOf } from './order.ts';
import type { PaymentServices } from './payment-services.ts';
import { releaseAtGateway } from './reconcile.ts';
import { move, type Transaction } from './transactions.ts';

export const alreadyOwned = () =>
  new DomainError('conflict', 'This title is already in your library.', { code: 'already_owned' });

export const boughtElsewhere = () =>
  new DomainError('conflict', 'This title is being bought in another window.', { code: 'conflict' });

/** Gives up an open transaction, unless its customer has confirmed it; when the gateway has charged it after all, it is booked. */
export async function release(services: PaymentServices, transaction: Transaction, reason: string): Promise<Transaction> {
  // Written down first: whatever happens now, the sweep releases what is reserved for it.
  const given = await move(services.db, transaction, ['pending', 'authorized'], 'cancelled', reason);
  return given.status === 'cancelled' ? releaseAtGateway(services, given) : given;
}

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
