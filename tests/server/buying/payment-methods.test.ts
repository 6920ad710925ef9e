import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sweep } from '../../../server/jobs/sweep.ts';
import { beginCart, fill } from '../support/carts.ts';
import { customerOf, type Customer } from '../support/customers.ts';
import { giftFor, giftSession, giftsOf, giftStore, lettersOf } from '../support/gifts.ts';
import { CARDS, chargesOf, confirm, pay, post, statusOf, type Session } from '../support/paying.ts';
import { transactionOf } from '../support/refunds.ts';
import { openShop, type Asked, type Shop } from '../support/shop.ts';
import { planIn } from '../support/subscriptions.ts';

let shop: Shop;
let store: string;
let customer: Customer;
/** A store with gifts. */
let generous: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
  await planIn(shop, store);
  generous = await giftStore(shop);
});
beforeEach(async () => {
  customer = await customerOf(shop, store);
});
afterAll(() => shop.close());

const begin = async (query: NonNullable<Asked['query']>) => {
  const answer = await shop.ask('paymentSession', '/payment/session', {
    query: { ...customer.query, titleId: 'book', ...query },
  });
  return { ...answer, value: answer.value as Session & Record<string, unknown> };
};
const answerWallet = (url: string, answer: 'approve' | 'fail'): Promise<Response> => {
  const { origin, pathname } = new URL(url);
  return post(`${origin}${pathname}/wallet`, { answer });
};

test('a title is paid by the wallet: declined it stays open, approved it is charged once', async () => {
  const { value } = await begin({ method: 'wallet' });
  const page = await (await fetch(value.url)).text();
  expect(page).toContain('wallet');
  expect(page).not.toContain('name="number"');
  await answerWallet(value.url, 'fail');
  expect(await statusOf(shop, customer, value.transId)).toMatchObject({ status: 'pending', reason: 'payment_failed' });
  // No card pays what is the wallet's.
  await pay(value.url, CARDS.good);
  expect(await statusOf(shop, customer, value.transId)).toMatchObject({ status: 'pending' });
  expect((await answerWallet(value.url, 'approve')).headers.get('location')).toContain('/checkout/complete');
  expect((await confirm(shop, customer, value.transId)).status).toBe(200);
  expect(await chargesOf(shop, value.transId)).toBe(1);
  expect(await transactionOf(shop, value.transId)).toMatchObject({ status: 'paid', method: 'wallet' });
});

test('a wallet takes no answer to a card’s payment', async () => {
  const { value } = await begin({});
  await answerWallet(value.url, 'approve');
  expect(await statusOf(shop, customer, value.transId)).toMatchObject({ status: 'pending' });
});

test('another way to pay is another payment: the first is given up', async () => {
  const card = await begin({});
  const wallet = await begin({ method: 'wallet' });
  expect(wallet.value.transId).not.toBe(card.value.transId);
  expect(await transactionOf(shop, card.value.transId)).toMatchObject({ status: 'cancelled' });
  expect((await begin({ method: 'wallet' })).value.transId).toBe(wallet.value.transId);
});

test.each(['upi', 'netbanking', 'cash'])(
  '%s, which the store’s gateway does not offer, is refused, and nothing begins',
  async (method) => {
    expect(await begin({ method })).toMatchObject({ status: 400, value: { code: 'bad_request' } });
    expect(await shop.db.selectFrom('transactions').selectAll().where('user_id', '=', customer.id).execute()).toEqual([]);
  },
);

test('a cart that is paid by the wallet is charged and granted once, however often it is confirmed', async () => {
  await fill(shop, customer, ['book', 'film']);
  const { value } = await beginCart(shop, customer, { method: 'wallet' });
  const { url, transId } = value as Session;
  expect((await beginCart(shop, customer, { method: 'wallet' })).value).toMatchObject({ transId });
  expect((await answerWallet(url, 'approve')).headers.get('location')).toContain('/cart/checkout');
  const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(shop, customer, transId)));
  await sweep(shop.services);
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
  expect(await chargesOf(shop, transId)).toBe(1);
  expect(await transactionOf(shop, transId)).toMatchObject({ status: 'paid', method: 'wallet' });
  const bought = shop.db.selectFrom('purchases').select('title_id').where('user_id', '=', customer.id).orderBy('title_id');
  expect(await bought.execute()).toEqual([{ title_id: 'book' }, { title_id: 'film' }]);
});

test.each([
  ['title', '/title/gift'],
  ['cart', '/cart/gift'],
])('a gift of a %s that is paid by the wallet is charged once and sent once', async (of, page) => {
  const giver = await customerOf(shop, generous);
  await fill(shop, giver, ['book', 'film']);
  const gift = giftFor();
  const beginGift = async (method: string): Promise<Session> => {
    const giftInfo = JSON.stringify(gift);
    const answer =
      of === 'cart' ? await beginCart(shop, giver, { giftInfo, method }) : await giftSession(shop, giver, gift, { method });
    return answer.value as Session;
  };
  const byCard = await beginGift('card');
  const { url, transId } = await beginGift('wallet');
  expect(await transactionOf(shop, byCard.transId)).toMatchObject({ status: 'cancelled' });
  expect((await beginGift('wallet')).transId).toBe(transId);
  expect((await answerWallet(url, 'approve')).headers.get('location')).toContain(page);
  const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(shop, giver, transId)));
  await sweep(shop.services);
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
  expect([await chargesOf(shop, byCard.transId), await chargesOf(shop, transId)]).toEqual([0, 1]);
  expect(await transactionOf(shop, transId)).toMatchObject({ status: 'paid', kind: 'gift', method: 'wallet' });
  expect([await lettersOf(shop, gift), await giftsOf(shop, giver)]).toMatchObject([[{}], [{ giftId: gift.GiftId }]]);
});

test('a subscription is paid by card alone', async () => {
  const query = { ...customer.query, planId: 'monthly', method: 'wallet' };
  expect((await shop.ask('subscriptionSession', '/checkout/subscription/session', { query })).status).toBe(400);
});
