import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sweep } from '../../../server/jobs/sweep.ts';
import { startCartSession, fillCart } from '../support/carts.ts';
import { createCustomer, type Customer } from '../support/customers.ts';
import { makeGift, startGiftSession, readGifts, createGiftStore, readGiftEmails } from '../support/gifts.ts';
import {
  CARD_NUMBERS,
  countCharges,
  confirmPayment,
  submitCardForm,
  postFields,
  readSessionStatus,
  type Session,
} from '../support/paying.ts';
import { selectTransaction } from '../support/refunds.ts';
import { openShop, type CallParameters, type Shop } from '../support/shop.ts';
import { insertPlan } from '../support/subscriptions.ts';

let shop: Shop;
let store: string;
let customer: Customer;
let giftStore: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
  await insertPlan(shop, store);
  giftStore = await createGiftStore(shop);
});
beforeEach(async () => {
  customer = await createCustomer(shop, store);
});
afterAll(() => shop.close());

const startSession = async (query: NonNullable<CallParameters['query']>) => {
  const response = await shop.call('paymentSession', '/payment/session', {
    query: { ...customer.query, titleId: 'book', ...query },
  });
  return { ...response, value: response.value as Session & Record<string, unknown> };
};
const respondToWallet = (url: string, answer: 'approve' | 'fail'): Promise<Response> => {
  const { origin, pathname } = new URL(url);
  return postFields(`${origin}${pathname}/wallet`, { answer });
};

test('a wallet payment stays open when it is declined, and is charged once when it is approved', async () => {
  const { value } = await startSession({ method: 'wallet' });
  const page = await (await fetch(value.url)).text();
  expect(page).toContain('wallet');
  expect(page).not.toContain('name="number"');
  await respondToWallet(value.url, 'fail');
  expect(await readSessionStatus(shop, customer, value.transId)).toMatchObject({ status: 'pending', reason: 'payment_failed' });
  // A card cannot pay a wallet payment.
  await submitCardForm(value.url, CARD_NUMBERS.good);
  expect(await readSessionStatus(shop, customer, value.transId)).toMatchObject({ status: 'pending' });
  expect((await respondToWallet(value.url, 'approve')).headers.get('location')).toContain('/checkout/complete');
  expect((await confirmPayment(shop, customer, value.transId)).status).toBe(200);
  expect(await countCharges(shop, value.transId)).toBe(1);
  expect(await selectTransaction(shop, value.transId)).toMatchObject({ status: 'paid', method: 'wallet' });
});

test('a wallet approval does not affect a card payment', async () => {
  const { value } = await startSession({});
  await respondToWallet(value.url, 'approve');
  expect(await readSessionStatus(shop, customer, value.transId)).toMatchObject({ status: 'pending' });
});

test('choosing another payment method starts another payment and cancels the first one', async () => {
  const cardSession = await startSession({});
  const walletSession = await startSession({ method: 'wallet' });
  expect(walletSession.value.transId).not.toBe(cardSession.value.transId);
  expect(await selectTransaction(shop, cardSession.value.transId)).toMatchObject({ status: 'cancelled' });
  expect((await startSession({ method: 'wallet' })).value.transId).toBe(walletSession.value.transId);
});

test.each(['upi', 'netbanking', 'cash'])(
  'the payment method %s, which the store’s gateway does not offer, is refused, and no payment starts',
  async (method) => {
    expect(await startSession({ method })).toMatchObject({ status: 400, value: { code: 'bad_request' } });
    expect(await shop.db.selectFrom('transactions').selectAll().where('user_id', '=', customer.id).execute()).toEqual([]);
  },
);

test('a cart paid by wallet is charged and granted once, however often it is confirmed', async () => {
  await fillCart(shop, customer, ['book', 'film']);
  const { value } = await startCartSession(shop, customer, { method: 'wallet' });
  const { url, transId } = value as Session;
  expect((await startCartSession(shop, customer, { method: 'wallet' })).value).toMatchObject({ transId });
  expect((await respondToWallet(url, 'approve')).headers.get('location')).toContain('/cart/checkout');
  const responses = await Promise.all(Array.from({ length: 5 }, () => confirmPayment(shop, customer, transId)));
  await sweep(shop.services);
  expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(200));
  expect(await countCharges(shop, transId)).toBe(1);
  expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'paid', method: 'wallet' });
  const purchases = shop.db.selectFrom('purchases').select('title_id').where('user_id', '=', customer.id).orderBy('title_id');
  expect(await purchases.execute()).toEqual([{ title_id: 'book' }, { title_id: 'film' }]);
});

test.each([
  ['title', '/title/gift'],
  ['cart', '/cart/gift'],
])('a gift of a %s paid by wallet is charged once and sent once', async (giftKind, returnPath) => {
  const giver = await createCustomer(shop, giftStore);
  await fillCart(shop, giver, ['book', 'film']);
  const gift = makeGift();
  const startGift = async (method: string): Promise<Session> => {
    const giftInfo = JSON.stringify(gift);
    const response =
      giftKind === 'cart'
        ? await startCartSession(shop, giver, { giftInfo, method })
        : await startGiftSession(shop, giver, gift, { method });
    return response.value as Session;
  };
  const cardPayment = await startGift('card');
  const { url, transId } = await startGift('wallet');
  expect(await selectTransaction(shop, cardPayment.transId)).toMatchObject({ status: 'cancelled' });
  expect((await startGift('wallet')).transId).toBe(transId);
  expect((await respondToWallet(url, 'approve')).headers.get('location')).toContain(returnPath);
  const responses = await Promise.all(Array.from({ length: 5 }, () => confirmPayment(shop, giver, transId)));
  await sweep(shop.services);
  expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(200));
  expect([await countCharges(shop, cardPayment.transId), await countCharges(shop, transId)]).toEqual([0, 1]);
  expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'paid', kind: 'gift', method: 'wallet' });
  expect([await readGiftEmails(shop, gift), await readGifts(shop, giver)]).toMatchObject([[{}], [{ giftId: gift.GiftId }]]);
});

test('a subscription can only be paid by card', async () => {
  const query = { ...customer.query, planId: 'monthly', method: 'wallet' };
  expect((await shop.call('subscriptionSession', '/checkout/subscription/session', { query })).status).toBe(400);
});
