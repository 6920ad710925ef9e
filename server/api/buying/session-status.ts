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
 * Converts a transaction to its wire format. During its capture it is still `authorized`, and the
 * client requests the status again. After a refund it counts as paid: its receipt has the details.
 */
export function toSessionStatus(transaction: Transaction, intent?: Pick<Intent, 'url' | 'reason'>) {
  return {
    transId: transaction.id,
    titleId: transaction.title_id ?? '',
    status: WIRE_STATUSES[transaction.status],
    intentId: transaction.intent_id,
    url: transaction.status === 'pending' ? (intent?.url ?? null) : null,
    // For a payment that may still succeed, the reason is of the last declined card, for support.
    reason: transaction.reason ?? (isOpen(transaction) ? (intent?.reason ?? null) : null),
  } as const;
}

/**
 * Returns the status of a transaction. An open transaction is updated from the gateway first; if
 * the outcome of that call is unknown, the stored status is returned.
 */
export async function sessionStatus({
  services,
  store,
  customer,
  query,
  request,
}: CustomerCall<'sessionStatus'>): Answer<'sessionStatus'> {
  const storedTransaction = await findTransaction(services.db, store.id, customer.id, query.transId);
  if (!storedTransaction) throw notFound('transaction');
  try {
    const { transaction, intent } = await reconcile(services, storedTransaction);
    if (!intent || !services.payment.withLanguage) return toSessionStatus(transaction, intent);
    const url = services.payment.withLanguage(intent.url, request.headers['accept-language'] ?? '');
    return toSessionStatus(transaction, { ...intent, url });
  } catch (error) {
    if (error instanceof PaymentUnknown) return toSessionStatus(storedTransaction);
    throw error;
  }
}
