import { PaymentUnknown } from '../../payment/port.ts';
import { reconcile } from '../../payment/reconcile.ts';
import { startsSubscription } from '../../purchases/kinds/subscription.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';

/**
 * Verifies Razorpay's signature of the first payment of this customer's subscription. A valid
 * signature is treated like a webhook: the subscription is read from the gateway at once.
 * @throws DomainError not_found for a subscription of another customer, not_implemented with
 * another gateway
 */
export async function verifyRazorpay({
  services,
  store,
  customer,
  query,
}: CustomerCall<'verifyRazorpay'>): Answer<'verifyRazorpay'> {
  const { paymentId, subscriptionId, sign: signature } = query;
  if (!services.verifyPayment) throw new DomainError('not_implemented', 'The payment gateway of this server signs no payments.');
  const transaction = await services.db
    .selectFrom('transactions')
    .selectAll()
    .where('store_id', '=', store.id)
    .where('user_id', '=', customer.id)
    .where('intent_id', '=', subscriptionId)
    .executeTakeFirst();
  if (!transaction || !startsSubscription(transaction)) throw notFound('subscription');
  if (!services.verifyPayment({ paymentId, subscriptionId, signature })) return { verified: false };
  await reconcile(services, transaction).catch((error: unknown) => {
    if (!(error instanceof PaymentUnknown)) throw error;
    // The signature is valid nevertheless, and the sweep retries.
    const ids = { store: store.id, customer: customer.id, transaction: transaction.id, intent: subscriptionId };
    services.log.warn({ err: error.cause, ...ids, willRetry: true }, 'payment.verification.outcome_unknown');
  });
  return { verified: true };
}
