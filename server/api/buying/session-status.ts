import type { TransactionStatus } from '../../database/schema/payments.ts';
import { type Intent, PaymentUnknown } from '../../payment/port.ts';
import { reconcile } from '../../payment/reconcile.ts';
import { findTransaction, isOpen, type Transaction } from '../../payment/transactions.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { notFound } from '../../kernel/errors.ts';

const SHOWN = {
  pending: 'pending',
  authorized: 'authorized',
  capturing: 'authorized',
  paid: 'paid',
  refunding: 'paid',
  refunded: 'paid',
  failed: 'failed',
  cancelled: 'cancelled',
} as const satisfies Record<TransactionStatus, string>;

/**
 * A transaction as the wire shows it. One that is being captured is still `authorized`: asking again tells more. One that went back was
 * paid: its receipt says the rest.
 */
export function statusOf(transaction: Transaction, intent?: Pick<Intent, 'url' | 'reason'>) {
  return {
    transId: transaction.id,
    titleId: transaction.title_id ?? '',
    status: SHOWN[transaction.status],
    intentId: transaction.intent_id,
    url: transaction.status === 'pending' ? (intent?.url ?? null) : null,
    // Of a payment that may still succeed, why the last card was not taken: support reads it in the customer's record.
    reason: transaction.reason ?? (isOpen(transaction) ? (intent?.reason ?? null) : null),
  } as const;
}

/** Where a transaction stands. An open one is compared with the gateway first; if that is silent, what is known is said. */
export async function sessionStatus({
  services,
  store,
  customer,
  query,
  request,
}: CustomerCall<'sessionStatus'>): Answer<'sessionStatus'> {
  const found = await findTransaction(services.db, store.id, customer.id, query.transId);
  if (!found) throw notFound('transaction');
  try {
    const { transaction, intent } = await reconcile(services, found);
    if (!intent || !services.payment.inLanguage) return statusOf(transaction, intent);
    const url = services.payment.inLanguage(intent.url, request.headers['accept-language'] ?? '');
    return statusOf(transaction, { ...intent, url });
  } catch (error) {
    if (error instanceof PaymentUnknown) return statusOf(found);
    throw error;
  }
}
