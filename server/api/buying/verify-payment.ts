import { PaymentUnknown } from '../../payment/port.ts';
import { reconcile } from '../../payment/reconcile.ts';
import { beginsSubscription } from '../../purchases/kinds/subscription.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';

/**
 * Checks Razorpay's signature over the payment of a subscription that this customer begins. A signature that holds is news: the
 * subscription is asked about at once.
 * @throws DomainError not_found for a subscription of another customer, not_implemented where
 * another gateway is paid by
 */
export async function verifyRazorpay({
  services,
  store,
  customer,
  query,
}: CustomerCall<'verifyRazorpay'>): Answer<'verifyRazorpay'> {
  const { paymentId, subscriptionId, sign: signature } = query;
  if (!services.verifyPayment) throw new DomainError('not_implemented', 'Payments are not verified here.');
  const transaction = await services.db
    .selectFrom('transactions')
    .selectAll()
    .where('store_id', '=', store.id)
    .where('user_id', '=', customer.id)
    .where('intent_id', '=', subscriptionId)
    .executeTakeFirst();
  if (!transaction || !beginsSubscription(transaction)) throw notFound('subscription');
  if (!services.verifyPayment({ paymentId, subscriptionId, signature })) return { verified: false };
  await reconcile(services, transaction).catch((error: unknown) => {
    if (!(error instanceof PaymentUnknown)) throw error;
    // The signature holds all the same, and the sweep asks again.
    services.log.error({ err: error.cause, transaction: transaction.id }, 'the payment provider did not answer about a payment');
  });
  return { verified: true };
}
