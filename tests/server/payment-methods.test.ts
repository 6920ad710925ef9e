import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fill } from './support/carts.ts';
import { customerOf, type Customer } from './support/customers.ts';
import { CARDS, chargesOf, confirm, pay, post, statusOf, type Session } from './support/paying.ts';
import { transactionOf } from './support/refunds.ts';
import { openShop, type Asked, type Shop } from './support/shop.ts';
import { planIn } from './support/subscriptions.ts';

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
  await planIn(shop, store);
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

test('a cart is paid by the wallet, too; a subscription by card alone', async () => {
  await fill(shop, customer, ['book', 'film']);
  const cart = await shop.ask('cartSession', '/checkout/cart/session', { query: { ...customer.query, method: 'wallet' } });
  const { url, transId } = cart.value as Session;
  await answerWallet(url, 'approve');
  expect((await confirm(shop, customer, transId)).status).toBe(200);
  const query = { ...customer.query, planId: 'monthly', method: 'wallet' };
  expect((await shop.ask('subscriptionSession', '/checkout/subscription/session', { query })).status).toBe(400);
});
