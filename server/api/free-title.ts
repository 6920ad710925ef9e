import { randomUUID } from 'node:crypto';
import { lockCustomer } from '../accounts/lock-customer.ts';
import { findTitle } from '../catalogue/find-title.ts';
import { firstPrice } from '../catalogue/quote.ts';
import { grant, ownedCopy } from '../payment/ownership.ts';
import type { Answer, CustomerCall } from './call.ts';
import { Refusal, notFound } from './refusal.ts';

/** Grants a free title. Its copy's id stands in for a transaction, of which there is none. */
export async function purchaseFreeTitle(call: CustomerCall<'purchaseFreeTitle'>): Answer<'purchaseFreeTitle'> {
  const { services, store, customer, query } = call;
  const title = await findTitle(services.db, store.id, { id: query.titleId });
  if (!title) throw notFound('title');
  const owner = { storeId: store.id, userId: customer.id, titleId: title.id };
  const owned = await ownedCopy(services.db, owner);
  if (owned) return granted(title.id, owned);
  const price = firstPrice(title);
  if (price.amount !== 0) throw new Refusal(409, 'This title isn’t free.', { code: 'not_free' });
  const copy = await services.db.transaction().execute(async (trx) => {
    // Presses at the same time wait for each other here; the second finds the first one's copy.
    await lockCustomer(trx, store.id, customer.id);
    const found = await ownedCopy(trx, owner);
    if (found) return found;
    const free = { kind: 'free', transactionId: null, amountMinor: 0, currency: price.currency } as const;
    return grant(trx, randomUUID(), { ...owner, ...free });
  });
  return granted(title.id, copy);
}

const granted = (titleId: string, copy: string) => ({ transId: copy, titleId, instanceId: copy, status: 'paid' }) as const;
