import { randomUUID } from 'node:crypto';
import { lockCustomer } from '../../kernel/lock-customer.ts';
import { giveFreeGift, readGiftFor } from '../../gifts/open-gift.ts';
import { type FullTitle, findTitle } from '../../catalogue/find-title.ts';
import { requireFirstPrice } from '../../catalogue/quote.ts';
import { grantTitle, findOwnedCopy } from '../../entitlements/ownership.ts';
import { hasOpeningSubscription, addOpenedTitle } from '../../entitlements/opened-titles.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { toBuyer } from '../calls/caller.ts';
import { toEmailOrigin } from '../../payment/buyer.ts';
import { DomainError, notFound } from '../../kernel/errors.ts';

function requireFreePrice(title: FullTitle): FullTitle['prices'][number] {
  const price = requireFirstPrice(title);
  if (price.amount !== 0) throw new DomainError('conflict', 'This title isn’t free.', { code: 'not_free' });
  return price;
}

/**
 * Sends a free title as a gift, once per gift id. The gift's id is returned as the ids of
 * transaction and copy.
 */
async function sendFreeGift(call: CustomerCall, title: FullTitle, giftInfo: string): Answer<'purchaseFreeTitle'> {
  const { services, store, customer, request } = call;
  const gift = await readGiftFor(services.db, { storeId: store.id, userId: customer.id }, giftInfo);
  const lines = [{ titleId: title.id, amountMinor: 0 }];
  const order = {
    storeId: store.id,
    userId: customer.id,
    kind: 'gift',
    lines,
    currency: requireFreePrice(title).currency,
    code: null,
    method: 'card',
    tax: null,
  } as const;
  await giveFreeGift(services.db, { ...order, lines }, gift, { ...toEmailOrigin(toBuyer(call)), address: request.ip });
  return toGrantedAnswer(title.id, gift.id);
}

/**
 * Grants a free title, or a title that the customer's subscription includes. The copy's id is
 * returned as the transaction's id. With `giftInfo` a free title is a gift for another person.
 */
export async function purchaseFreeTitle(call: CustomerCall<'purchaseFreeTitle'>): Answer<'purchaseFreeTitle'> {
  const { services, store, customer, query } = call;
  const title = await findTitle(services.db, store.id, { id: query.titleId });
  if (!title) throw notFound('title');
  if (query.giftInfo) return sendFreeGift(call, title, query.giftInfo);
  const owner = { storeId: store.id, userId: customer.id, titleId: title.id };
  const ownedCopy = await findOwnedCopy(services.db, owner);
  if (ownedCopy) return toGrantedAnswer(title.id, ownedCopy);
  const [firstPrice] = title.prices;
  const isFree = title.for_sale && firstPrice?.amount === 0;
  if (!isFree && (await hasOpeningSubscription(services.db, owner)))
    return toGrantedAnswer(title.id, await addOpenedTitle(services.db, owner));
  const price = requireFreePrice(title);
  const copyId = await services.db.transaction().execute(async (trx) => {
    // Concurrent calls wait for each other here: the second finds the first one's copy.
    await lockCustomer(trx, store.id, customer.id);
    const existingCopy = await findOwnedCopy(trx, owner);
    if (existingCopy) return existingCopy;
    return grantTitle(trx, randomUUID(), owner, { kind: 'free', currency: price.currency });
  });
  return toGrantedAnswer(title.id, copyId);
}

const toGrantedAnswer = (titleId: string, copyId: string) =>
  ({ transId: copyId, titleId, instanceId: copyId, status: 'paid' }) as const;
