import { ownedCopy } from '../payment/ownership.ts';
import type { Answer, CustomerCall } from './call.ts';
import { purchasedCopy } from './purchased-copy.ts';
import { notFound, Refusal } from './refusal.ts';

/** Whether the customer owns a title, named by itself or by a transaction. */
export async function userHasTitle({ services, store, customer, query }: CustomerCall<'userHasTitle'>): Answer<'userHasTitle'> {
  if (query.transId !== undefined) {
    const copy = await purchasedCopy(services.db, store.id, customer.id, query.transId);
    if (!copy) throw notFound('transaction');
    return { hasTitle: copy.instanceId !== undefined, titleId: copy.titleId, instanceId: copy.instanceId ?? null };
  }
  if (query.titleid === undefined) throw new Refusal(400, 'One of transId and titleid is needed.');
  const owner = { storeId: store.id, userId: customer.id, titleId: query.titleid };
  const instanceId = await ownedCopy(services.db, owner);
  return { hasTitle: instanceId !== undefined, titleId: query.titleid, instanceId: instanceId ?? null };
}
