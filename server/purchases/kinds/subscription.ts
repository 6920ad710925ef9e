import { runningSubscription } from '../../entitlements/held.ts';
import type { PurchaseKind } from '../../payment/purchase-kind.ts';
import type { Transaction } from '../../payment/transactions.ts';
import { alreadySubscribed } from '../../subscriptions/open.ts';
import { startSubscription } from '../../subscriptions/start.ts';

/** Whether a transaction starts a subscription. */
export const beginsSubscription = ({ kind }: Pick<Transaction, 'kind'>): boolean => kind === 'subscription';

/** The first payment of a subscription; refunds are made on the subscription. */
export const subscription: PurchaseKind = {
  account: 'subscriptions',
  gone: 'ended',
  returnPath: ({ id, plan_id: planId }) =>
    `/subscription/purchase?${new URLSearchParams({ planid: planId ?? '', subscriptionid: id }).toString()}`,
  receiptPath: () => '/account',
  isRefundedBySubscription: true,
  refusal: async (trx, { store_id: storeId, user_id: userId }) =>
    (await runningSubscription(trx, { storeId, userId })) && alreadySubscribed(),
  give: async (trx, transaction, running) => {
    if (!running) throw new Error(`Transaction ${transaction.id} is captured, but the gateway reports no subscription for it.`);
    await startSubscription(trx, transaction, running);
  },
  withhold: async () => undefined,
  restore: async () => undefined,
  takeBack: async () => undefined,
};
