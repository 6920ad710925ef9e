import { openChanges, sweepChanges } from '../subscriptions/change-plan.ts';
import { settleSubscriptionRefund } from '../subscriptions/refund.ts';
import { followSubscription } from '../subscriptions/renew.ts';
import { shopNow } from '../base/clock/time.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import { reconcile, releaseAtGateway } from '../payment/reconcile.ts';
import { refund, settleRefund } from '../payment/refund.ts';
import { SweepRound } from '../payment/sweep-round.ts';
import { isOpen, isPaid, type Transaction } from '../payment/transactions.ts';
import { kindOf } from '../payment/purchase-kind.ts';

/**
 * Handles a webhook about a payment or a subscription. It only names the payment: the state is read
 * from the gateway, so that webhooks may come late, twice and in any order. A refund that was made
 * at the gateway comes as a webhook about its payment.
 * @param reference the store's name for the payment, `{storeId}/{id}`; its subscription has the
 * same. Others are another program's
 * @throws PaymentUnknown
 */
export async function hear(services: PaymentServices, reference: string): Promise<void> {
  const { db, payment } = services;
  const slash = reference.indexOf('/');
  if (slash === -1) return;
  const [storeId, id] = [reference.slice(0, slash), reference.slice(slash + 1)];
  const transaction = await db
    .selectFrom('transactions')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (transaction && isOpen(transaction)) await reconcile(services, transaction);
  else if (transaction && isPaid(transaction)) await hearOfRefund(services, transaction);
  else if (transaction && !transaction.finished) await releaseAtGateway(services, transaction);
  const subscription = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .where('provider', '=', payment.provider)
    .executeTakeFirst();
  if (!subscription || subscription.provider_id === null) return;
  await sweepChanges(services, new SweepRound(services), shopNow(), subscription.id);
  // Until that is answered nobody knows which plan a renewal was of; the sweep asks again.
  if ((await openChanges(db, subscription)).some(({ status }) => status === 'pending')) return;
  const refunds = await payment.readRefunds(subscription.provider_id);
  if (refunds.totalMinor > 0) await settleSubscriptionRefund(db, subscription, refunds);
  const told = await payment.readSubscription(subscription.provider_id);
  if (told) await followSubscription(db, subscription, told);
}

/** What went back of a subscription is read with it. */
async function hearOfRefund(services: PaymentServices, transaction: Transaction): Promise<void> {
  const { payment, kinds } = services;
  if (kindOf(kinds, transaction).isRefundedBySubscription === true || transaction.provider !== payment.provider) return;
  if (transaction.status === 'refunding') return void (await refund(services, transaction));
  const intent = transaction.intent_id === null ? undefined : await payment.read(transaction.intent_id);
  if (intent) await settleRefund(services, transaction, intent.refundedMinor);
}
