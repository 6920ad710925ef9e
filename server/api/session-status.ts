import { PaymentUnknown } from '../payment/port.ts';
import { reconcile } from '../payment/reconcile.ts';
import { findTransaction, type Transaction } from '../payment/transactions.ts';
import type { Answer, CustomerCall } from './call.ts';
import { notFound } from './refusal.ts';

/** A transaction as the wire shows it. One that is being captured is still `authorized`: asking again tells more. */
export function statusOf(transaction: Transaction, url: string | undefined) {
  return {
    transId: transaction.id,
    titleId: transaction.title_id ?? '',
    status: transaction.status === 'capturing' ? 'authorized' : transaction.status,
    intentId: transaction.intent_id,
    url: transaction.status === 'pending' ? (url ?? null) : null,
    reason: transaction.reason,
  } as const;
}

/** Where a transaction stands. An open one is compared with the gateway first; if that is silent, what is known is said. */
export async function sessionStatus({
  services,
  store,
  customer,
  query,
}: CustomerCall<'sessionStatus'>): Answer<'sessionStatus'> {
  const found = await findTransaction(services.db, store.id, customer.id, query.transId);
  if (!found) throw notFound('transaction');
  try {
    const { transaction, intent } = await reconcile(services, found);
    return statusOf(transaction, intent?.url);
  } catch (error) {
    if (error instanceof PaymentUnknown) return statusOf(found, undefined);
    throw error;
  }
}
