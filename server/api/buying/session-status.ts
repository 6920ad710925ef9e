import type { TransactionStatus } from '../../database/schema/payments.ts';
import { type Intent, PaymentUnknown } from '../../payment/port.ts';
import { reconcile } from '../../payment/reconcile.ts';
import { findTransaction, isOpen, type Transaction } from '../../payment/transactions.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { notFound } from '../../kernel/errors.ts';

const WIRE_STATUSES = {
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
 * A transaction in its wire format. One that is being captured is still `authorized`: the client
 * asks again. A refunded one counts as paid: its receipt has the details.
 */
export function toSessionStatus(transaction: Transaction, intent?: Pick<Intent, 'url' | 'reason'>) {
  return {
    transId: transaction.id,
    titleId: transaction.title_id ?? '',
    status: WIRE_STATUSES[transaction.status],
    intentId: transaction.intent_id,
    url: transaction.status === 'pending' ? (intent?.url ?? null) : null,
    // For a payment that may still succeed, why the last card was declined, to help support.
    reason: transaction.reason ?? (isOpen(transaction) ? (intent?.reason ?? null) : null),
  } as const;
}

/**
 * The status of a transaction. An open one is updated from the gateway first; if that does not
 * answer, the last known status is returned.
 */
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
    if (!intent || !services.payment.inLanguage) return toSessionStatus(transaction, intent);
    const url = services.payment.inLanguage(intent.url, request.headers['accept-language'] ?? '');
    return toSessionStatus(transaction, { ...intent, url });
  } catch (error) {
    if (error instanceof PaymentUnknown) return toSessionStatus(found);
    throw error;
  }
}
