import { randomUUID } from 'node:crypto';
import { lockCustomer } from '../../kernel/lock-customer.ts';
import { giveFreeGift, readGiftFor } from '../../gifts/open-gift.ts';
import { type FullTitle, findTitle } from '../../catalogue/find-title.ts';
import { firstPrice } from '../../catalogue/quote.ts';
import { grant, ownedCopy } from '../../entitlements/ownership.ts';
import { opensFor, takeOpened } from '../../entitlements/opened-titles.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { buyerOf } from '../calls/caller.ts';
import { fromOf } from '../../payment/buyer.ts';
import { DomainError, notFound } from '../../kernel/errors.ts';

function freePrice(title: FullTitle): FullTitle['prices'][number] {
  const price = firstPrice(title);
  if (price.amount !== 0) throw new DomainError('conflict', 'This title isn’t free.', { code: 'not_free' });
  return price;
}

/** Sends a free title to somebody, once for the gift's id. The gift stands in for a transaction and a copy. */
async function giveFree(call: CustomerCall, title: FullTitle, giftInfo: string): Answer<'purchaseFreeTitle'> {
  const { services, store, customer, request } = call;
  const gift = await readGiftFor(services.db, { storeId: store.id, userId: customer.id }, giftInfo);
  const lines = [{ titleId: title.id, amountMinor: 0 }];
  const order = {
    storeId: store.id,
    userId: customer.id,
    kind: 'gift',
    lines,
    currency: freePrice(title).currency,
    code: null,
    method: 'card',
    tax: null,
  } as const;
  await giveFreeGift(services.db, { ...order, lines }, gift, { ...fromOf(buyerOf(call)), address: request.ip });
  return granted(title.id, gift.id);
}

/**
 * Grants a free title, or one that the customer's subscription opens. Its copy's id stands in for a transaction, of which there
 * is none.
 */
export async function purchaseFreeTitle(call: CustomerCall<'purchaseFreeTitle'>): Answer<'purchaseFreeTitle'> {
  const { services, store, customer, query } = call;
  const title = await findTitle(services.db, store.id, { id: query.titleId });
  if (!title) throw notFound('title');
  if (query.giftInfo) return giveFree(call, title, query.giftInfo);
  const owner = { storeId: store.id, userId: customer.id, titleId: title.id };
  const owned = await ownedCopy(services.db, owner);
  if (owned) return granted(title.id, owned);
  const [first] = title.prices;
  const isFree = title.for_sale && first?.amount === 0;
  if (!isFree && (await opensFor(services.db, owner))) return granted(title.id, await takeOpened(services.db, owner));
  const price = freePrice(title);
  const copy = await services.db.transaction().execute(async (trx) => {
    // Presses at the same time wait for each other here; the second finds the first one's copy.
    await lockCustomer(trx, store.id, customer.id);
    const found = await ownedCopy(trx, owner);
    if (found) return found;
    return grant(trx, randomUUID(), owner, { kind: 'free', currency: price.currency });
  });
  return granted(title.id, copy);
}

const granted = (titleId: string, copy: string) => ({ transId: copy, titleId, instanceId: copy, status: 'paid' }) as const;
