import { findActiveSubscription } from '../../entitlements/subscription.ts';
import type { PurchaseKind } from '../../payment/purchase-kind.ts';
import type { Transaction } from '../../payment/transactions.ts';
import { alreadySubscribedError } from '../../subscriptions/open.ts';
import { startSubscription } from '../../subscriptions/start.ts';

/** Whether a transaction is the first payment of a subscription. */
export const startsSubscription = ({ kind }: Pick<Transaction, 'kind'>): boolean => kind === 'subscription';

/** The first payment of a subscription; refunds are made on the subscription. */
export const subscription: PurchaseKind = {
  account: 'subscriptions',
  lossKind: 'ended',
  returnPath: ({ id, plan_id: planId }) =>
    `/subscription/purchase?${new URLSearchParams({ planid: planId ?? '', subscriptionid: id }).toString()}`,
  receiptPath: () => '/account',
  isRefundedBySubscription: true,
  findRefusal: async (trx, { store_id: storeId, user_id: userId }) =>
    (await findActiveSubscription(trx, { storeId, userId })) && alreadySubscribedError(),
  grant: async (trx, transaction, remoteSubscription) => {
    if (!remoteSubscription)
      throw new Error(`Transaction ${transaction.id} is captured, but the gateway reports no subscription for it.`);
    await startSubscription(trx, transaction, remoteSubscription);
  },
  withhold: async () => undefined,
  restore: async () => undefined,
  revoke: async () => undefined,
};
