import { randomUUID } from 'node:crypto';
import { DomainError } from '../kernel/errors.ts';
import type { Database } from '../database/open.ts';
import { insertLines, type Order, sumTaxes, getSingleTitleId, sumAmounts } from './order.ts';
import type { PaymentServices } from './payment-services.ts';
import { releaseAtGateway } from './reconcile.ts';
import { changeStatus, type Transaction } from './transactions.ts';

export const alreadyOwnedError = () =>
  new DomainError('conflict', 'This title is already in your library.', { code: 'already_owned' });

export const boughtElsewhereError = () =>
  new DomainError('conflict', 'This title is being bought in another window.', { code: 'conflict' });

/**
 * Cancels an open transaction, unless its customer has confirmed it. If the gateway has charged it,
 * the payment is booked instead.
 * @throws PaymentUnknown
 */
export async function releaseTransaction(
  services: PaymentServices,
  transaction: Transaction,
  reason: string,
): Promise<Transaction> {
  // Stored before the gateway is called: after a failure the sweep releases the reserved money.
  const updatedTransaction = await changeStatus(services.db, transaction, ['pending', 'authorized'], 'cancelled', reason);
  return updatedTransaction.status === 'cancelled' ? releaseAtGateway(services, updatedTransaction) : updatedTransaction;
}

/** Inserts a pending transaction for the order, in the caller's database transaction. */
export async function insertTransaction(trx: Database, provider: string, order: Order): Promise<Transaction> {
  const insertedTransaction = await trx
    .insertInto('transactions')
    .values({
      store_id: order.storeId,
      id: randomUUID(),
      user_id: order.userId,
      kind: order.kind,
      title_id: getSingleTitleId(order),
      plan_id: null,
      amount_minor: sumAmounts(order) + sumTaxes(order),
      tax_minor: sumTaxes(order),
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
  if (insertedTransaction.title_id === null) await insertLines(trx, insertedTransaction, order.lines);
  return insertedTransaction;
}
