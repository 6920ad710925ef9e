import { ownedCopy, readableCopy } from '../../entitlements/ownership.ts';
import { opensFor } from '../../entitlements/opened-titles.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { purchasedCopy } from '../../purchases/purchased-copy.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';

/** Whether the customer owns a title, named by itself or by a transaction, or has a subscription that opens it. */
export async function userHasTitle({ services, store, customer, query }: CustomerCall<'userHasTitle'>): Answer<'userHasTitle'> {
  if (query.transId !== undefined) {
    const copy = await purchasedCopy(services.db, store.id, customer.id, query.transId);
    if (!copy) throw notFound('transaction');
    return { hasTitle: copy.instanceId !== undefined, titleId: copy.titleId, instanceId: copy.instanceId ?? null };
  }
  if (query.titleid === undefined) throw new DomainError('bad_request', 'One of transId and titleid is needed.');
  const owner = { storeId: store.id, userId: customer.id, titleId: query.titleid };
  const instanceId = await ownedCopy(services.db, owner);
  if (instanceId !== undefined) return { hasTitle: true, titleId: query.titleid, instanceId };
  const withSubscription = await opensFor(services.db, owner);
  return {
    hasTitle: false,
    titleId: query.titleid,
    instanceId: (withSubscription ? await readableCopy(services.db, owner) : undefined) ?? null,
    ...(withSubscription ? { withSubscription } : {}),
  };
}
