import { readOpenChanges, sweepChanges } from '../subscriptions/change-plan.ts';
import { settleSubscriptionRefund } from '../subscriptions/refund.ts';
import { applyRemoteSubscription } from '../subscriptions/renew.ts';
import { shopNow } from '../base/clock/time.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import { reconcile, releaseAtGateway } from '../payment/reconcile.ts';
import { refundTransaction, settleRefund } from '../payment/refund.ts';
import { SweepRound } from '../payment/sweep-round.ts';
import { isOpen, isPaid, type Transaction } from '../payment/transactions.ts';
import { getPurchaseKind } from '../payment/purchase-kind.ts';

/**
 * Handles a webhook about a payment or a subscription. The webhook only names the payment; the
 * state is read from the gateway, so webhooks may arrive late, twice and in any sequence. A refund
 * made at the gateway arrives as a webhook about its payment.
 * @param reference the store's reference of the payment, `{storeId}/{id}`, which its subscription
 * shares; other references belong to other programs and are ignored
 * @throws PaymentUnknown
 */
export async function handleWebhook(services: PaymentServices, reference: string): Promise<void> {
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
  else if (transaction && isPaid(transaction)) await handleRefundWebhook(services, transaction);
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
  // While a plan change is pending, the plan of a renewal is unknown; the sweep reads it later.
  if ((await readOpenChanges(db, subscription)).some(({ status }) => status === 'pending')) return;
  const refunds = await payment.readRefunds(subscription.provider_id);
  if (refunds.totalMinor > 0) await settleSubscriptionRefund(db, subscription, refunds);
  const remote = await payment.readSubscription(subscription.provider_id);
  if (remote) await applyRemoteSubscription(db, subscription, remote);
}

/**
 * Books the refunds of a payment. Refunds of a subscription's payments are booked with the
 * subscription.
 */
async function handleRefundWebhook(services: PaymentServices, transaction: Transaction): Promise<void> {
  const { payment, kinds } = services;
  if (getPurchaseKind(kinds, transaction).isRefundedBySubscription === true || transaction.provider !== payment.provider) return;
  if (transaction.status === 'refunding') return void (await refundTransaction(services, transaction));
  const intent = transaction.intent_id === null ? undefined : await payment.read(transaction.intent_id);
  if (intent) await settleRefund(services, transaction, intent.refundedMinor);
}
