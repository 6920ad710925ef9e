import { randomUUID } from 'node:crypto';
import { lockCustomer } from '../../kernel/lock-customer.ts';
import { findTitle } from '../../catalogue/find-title.ts';
import type { Database } from '../../database/open.ts';
import { readGift } from '../../gifts/gift-info.ts';
import { giveForCredits, isGiftGiven, requireGiving } from '../../gifts/open-gift.ts';
import { toWireValue } from '../../stores/store-properties.ts';
import { grantTitle, findOwnedCopy } from '../../entitlements/ownership.ts';
import { requireSelling } from '../../payment/require-selling.ts';
import { readBalance, bookCredits } from '../../subscriptions/credits.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { toBuyer } from '../calls/caller.ts';
import { toEmailOrigin } from '../../payment/buyer.ts';
import { DomainError, notFound } from '../../kernel/errors.ts';

/** Reads whether the store sells titles for credits, and its names for credits. */
async function readCreditSettings({ services, store }: Pick<CustomerCall, 'services' | 'store'>) {
  const rows = await services.db
    .selectFrom('properties')
    .select(['name', 'value', 'translations'])
    .where('store_id', '=', store.id)
    .where('name', 'in', ['EnableBuyWithCredits', 'CreditCurrency'])
    .execute();
  const findProperty = (name: string) => rows.find((each) => each.name === name);
  const currency = findProperty('CreditCurrency');
  return {
    isEnabled: toWireValue('EnableBuyWithCredits', findProperty('EnableBuyWithCredits')?.value) === 'true',
    names: [currency?.value ?? '', ...Object.values(currency?.translations ?? {}).map(({ value = '' }) => value)],
  };
}

/**
 * Reads the gift of the request and its order; undefined if the customer buys for themselves.
 * @throws DomainError conflict not_for_sale, gifting_off, giver_link or gift_day; bad_request
 * gift_info or gift_link
 */
async function readGiftOfBody({ services, store, customer, body }: CustomerCall<'buyWithCredits'>, titleId: string) {
  if (body.giftInfo === undefined) return undefined;
  await requireGiving(services.db, { storeId: store.id, userId: customer.id });
  const order = {
    storeId: store.id,
    userId: customer.id,
    kind: 'gift' as const,
    lines: [{ titleId, amountMinor: 0 }],
    currency: store.currency,
    code: null,
    method: 'card' as const,
    // Credits are not money, and are not taxed.
    tax: null,
  };
  return { order, info: readGift(body.giftInfo) };
}

/**
 * Sells a title for credits, once; a customer who already owns it keeps their credits. With
 * `giftInfo` the title is a gift for another person, once per gift id. The server computes the
 * price: a call that names another price is refused.
 */
export async function buyWithCredits(call: CustomerCall<'buyWithCredits'>): Answer<'buyWithCredits'> {
  const { services, store, customer, body } = call;
  const title = await findTitle(services.db, store.id, { id: body.titleId });
  if (!title) throw notFound('title');
  const owner = { storeId: store.id, userId: customer.id, titleId: title.id };
  const gift = await readGiftOfBody(call, title.id);
  if (gift && (await isGiftGiven(services.db, gift.order, gift.info.id))) return toGrantedAnswer(title.id, gift.info.id);
  const ownedCopy = gift ? undefined : await findOwnedCopy(services.db, owner);
  if (ownedCopy) return toGrantedAnswer(title.id, ownedCopy);
  await requireSelling(services.db, store.id);
  const { credits } = title;
  const { isEnabled, names } = await readCreditSettings(call);
  if (credits === null || !title.for_sale || !isEnabled)
    throw new DomainError('conflict', 'This title is not sold for credits.', { code: 'not_for_sale' });
  if (credits !== body.credits || !names.includes(body.creditCurrency))
    throw new DomainError('conflict', 'The price has changed.', { code: 'price_changed' });
  const spend = async (trx: Database, id: string): Promise<void> => {
    if ((await readBalance(trx, owner)) < credits)
      throw new DomainError('payment_failed', 'There aren’t enough credits.', { code: 'insufficient_credits' });
    await bookCredits(trx, owner, { cause: `purchase ${id}`, amount: -credits });
  };
  if (gift) {
    await giveForCredits(services, gift.order, gift.info, toEmailOrigin(toBuyer(call)), {
      credits,
      pay: (trx) => spend(trx, gift.info.id),
    });
    return toGrantedAnswer(title.id, gift.info.id);
  }
  const copyId = await services.db.transaction().execute(async (trx) => {
    // Concurrent calls wait for each other here: the second finds the first one's copy, or the
    // remaining credits.
    await lockCustomer(trx, store.id, customer.id);
    const existingCopy = await findOwnedCopy(trx, owner);
    if (existingCopy) return existingCopy;
    const id = randomUUID();
    await spend(trx, id);
    return grantTitle(trx, id, owner, { kind: 'credits', credits });
  });
  return toGrantedAnswer(title.id, copyId);
}

const toGrantedAnswer = (titleId: string, copyId: string) =>
  ({ transId: copyId, titleId, instanceId: copyId, status: 'paid' }) as const;
