import { findOwnedCopy, findReadableCopy } from '../../entitlements/ownership.ts';
import { hasOpeningSubscription } from '../../entitlements/opened-titles.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { findPurchasedCopy } from '../../purchases/purchased-copy.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';

/**
 * Returns whether the customer owns a title, given by its id or by a transaction, or has a
 * subscription that includes it.
 */
export async function userHasTitle({ services, store, customer, query }: CustomerCall<'userHasTitle'>): Answer<'userHasTitle'> {
  if (query.transId !== undefined) {
    const copy = await findPurchasedCopy(services.db, store.id, customer.id, query.transId);
    if (!copy) throw notFound('transaction');
    return { hasTitle: copy.instanceId !== undefined, titleId: copy.titleId, instanceId: copy.instanceId ?? null };
  }
  if (query.titleid === undefined) throw new DomainError('bad_request', 'Either transId or titleid is required.');
  const owner = { storeId: store.id, userId: customer.id, titleId: query.titleid };
  const instanceId = await findOwnedCopy(services.db, owner);
  if (instanceId !== undefined) return { hasTitle: true, titleId: query.titleid, instanceId };
  const withSubscription = await hasOpeningSubscription(services.db, owner);
  return {
    hasTitle: false,
    titleId: query.titleid,
    instanceId: (withSubscription ? await findReadableCopy(services.db, owner) : undefined) ?? null,
    ...(withSubscription ? { withSubscription } : {}),
  };
}
