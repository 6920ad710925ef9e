import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sweep } from '../../../server/jobs/sweep.ts';
import { codeIn, lookUp, usesLeft } from '../support/codes.ts';
import { keepCard } from '../support/cards.ts';
import { customerOf, type Customer } from '../support/customers.ts';
import { CARDS, chargesOf, confirm, pay, post, statusOf, type Session } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { inAnyMoney } from '../support/stores.ts';
import { confirmSubscribing, inDays, leaveCard, planIn, rowOf, subscribe } from '../support/subscriptions.ts';

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store(inAnyMoney);
  await planIn(shop, store);
});
beforeEach(async () => {
  customer = await customerOf(shop, store);
});
afterAll(() => shop.close());

const made = (grants: string, more: object = {}) => codeIn(shop, store, { grants, ...more });
type Started = Session & { code?: string };

const begin = async ({ query }: Customer, code: string | undefined, more: Record<string, string | number> = {}) => {
  const answer = await shop.ask('paymentSession', '/payment/session', { query: { ...query, titleId: 'book', code, ...more } });
  return { ...answer, value: answer.value as Started };
};

/** A payment with a code that the customer's bank has authorised. */
const authorize = async (buyer: Customer, code: string | undefined, card = CARDS.good): Promise<string> => {
  const { value, text } = await begin(buyer, code);
  if (value.url === undefined) throw new Error(`No session: ${text}`);
  await pay(value.url, card);
  return value.transId;
};
const rowOfPayment = (id: string) =>
  shop.db.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const usesOf = (code: string) => shop.db.selectFrom('redemptions').selectAll().where('code', '=', code).execute();

describe('a title for less', () => {
  test('costs what the code leaves of its price, which is what was looked up, and the code is used up by the capture', async () => {
    const code = await made('discount:20%');
    const { value } = await lookUp(shop, customer, code, { titleid: 'book' });
    expect(value).toMatchObject({
      AmountOff: 1.98,
      Prices: [
        { Amount: 7.92, Currency: 'EUR' },
        { Amount: 1200, Currency: 'JPY' },
      ],
    });
    const transId = await authorize(customer, code.toLowerCase());
    expect(await usesLeft(shop, code)).toBe(1);
    expect(await usesOf(code)).toEqual([]);
    expect(await confirm(shop, customer, transId)).toMatchObject({ status: 200 });
    expect(await rowOfPayment(transId)).toMatchObject({ amount_minor: 792, currency: 'EUR', status: 'paid', code });
    expect(await usesLeft(shop, code)).toBe(0);
    expect(await usesOf(code)).toMatchObject([{ user_id: customer.id, transaction_id: transId }]);
    expect((await confirm(shop, customer, transId)).status).toBe(200);
    expect(await usesOf(code)).toHaveLength(1);
    expect(await chargesOf(shop, transId)).toBe(1);
    expect((await lookUp(shop, customer, code)).value).toMatchObject({ Kind: 'discount', Redeemed: true });
  });

  test('is asked for at the price that was shown, or refused with the right one', async () => {
    const code = await made('discount:20%', { uses: 9 });
    expect(await begin(customer, code, { price: 9.9, currency: 'EUR' })).toMatchObject({
      status: 409,
      value: { code: 'price_changed', price: 7.92, currency: 'EUR' },
    });
    expect((await begin(customer, code, { price: 1200, currency: 'JPY' })).status).toBe(200);
    const { value } = await begin(customer, code, { price: 7.92, currency: 'EUR' });
    expect(await rowOfPayment(value.transId)).toMatchObject({ amount_minor: 792, code });
    // The same title without it is another payment, and the first is given up.
    const full = await begin(customer, undefined);
    expect(await rowOfPayment(full.value.transId)).toMatchObject({ amount_minor: 990, code: null });
    expect(await rowOfPayment(value.transId)).toMatchObject({ status: 'cancelled' });
    expect(await usesLeft(shop, code)).toBe(9);
  });

  test('never costs nothing', async () => {
    const code = await made('discount:100%', { uses: 9 }).catch((error: unknown) => (error as Error).message);
    expect(code).toMatch(/from 1 to 99/);
    const most = await made('discount:99%');
    await shop.db
      .updateTable('prices')
      .set({ amount_minor: 10 })
      .where('store_id', '=', store)
      .where('title_id', '=', 'film')
      .execute();
    const { value } = await begin(customer, most, { titleId: 'film' });
    expect(await rowOfPayment(value.transId)).toMatchObject({ amount_minor: 1 });
  });

  test('by a kept card is one call, and uses the code once', async () => {
    const code = await made('discount:50%');
    const cardId = await keepCard(shop, customer);
    const query = { ...customer.query, titleId: 'book', cardId, Price: 4.95, currency: 'EUR', RedeemPin: code };
    expect(await shop.ask('purchaseTitle', '/purchase/title', { query })).toMatchObject({
      status: 200,
      value: { status: 'paid' },
    });
    expect(await usesLeft(shop, code)).toBe(0);
  });

  test.each([
    ['used up', () => made('discount:5%', { uses: 1, usesLeft: 0 }), 'code_used'],
    ['expired', () => made('discount:5%', { expiresAt: inDays(-1) }), 'code_expired'],
    ['of another title', () => made('discount:5%:film'), 'code_misfit'],
    ['of no discount', () => made('title:book'), 'code_misfit'],
    ['nobody’s', async () => 'NOBODYSCODE', 'code_misfit'],
    ['another store’s', async () => codeIn(shop, await shop.store(), { grants: 'discount:5%' }), 'code_elsewhere'],
  ])('is not to be had by a code that is %s', async (_, find, word) => {
    expect(await begin(customer, await find())).toMatchObject({ status: 409, value: { code: word } });
    expect(await shop.db.selectFrom('transactions').selectAll().where('user_id', '=', customer.id).execute()).toEqual([]);
  });

  test('a code that a customer has used makes nothing else cheaper for them', async () => {
    const code = await made('discount:5%', { uses: 5 });
    await confirm(shop, customer, await authorize(customer, code));
    expect(await begin(customer, code, { titleId: 'film' })).toMatchObject({ status: 409, value: { code: 'code_used' } });
    expect((await begin(await customerOf(shop, store), code)).status).toBe(200);
  });
});

describe('a payment that comes to nothing', () => {
  test('uses no code up: cancelled at the gateway', async () => {
    const code = await made('discount:20%');
    const { value } = await begin(customer, code);
    await post(`${value.url.split('?')[0]}/cancel?${value.url.split('?')[1] ?? ''}`, {});
    expect(await statusOf(shop, customer, value.transId)).toMatchObject({ status: 'cancelled' });
    expect(await usesLeft(shop, code)).toBe(1);
  });

  test('and of which nobody knows yet whether it was charged, keeps the code until that is known', async () => {
    const code = await made('discount:20%');
    const transId = await authorize(customer, code, CARDS.lost);
    await confirm(shop, customer, transId);
    expect(await usesLeft(shop, code)).toBe(0);
    await sweep(shop.services);
    expect(await rowOfPayment(transId)).toMatchObject({ status: 'paid' });
    expect(await usesLeft(shop, code)).toBe(0);
    expect(await usesOf(code)).toHaveLength(1);
  });

  test('after it was confirmed gives the code back, once', async () => {
    const code = await made('discount:20%', { uses: 3 });
    const transId = await authorize(customer, code);
    const capture = shop.services.payment.capture.bind(shop.services.payment);
    const read = shop.services.payment.read.bind(shop.services.payment);
    const failed = async (id: string) => ({ ...(await read(id)), state: 'failed', reason: 'card_declined' }) as never;
    Object.assign(shop.services.payment, { capture: failed });
    const answers = await Promise.all([confirm(shop, customer, transId), confirm(shop, customer, transId)]);
    Object.assign(shop.services.payment, { capture });
    expect(answers.map(({ status }) => status)).toEqual([402, 402]);
    expect(await rowOfPayment(transId)).toMatchObject({ status: 'failed' });
    expect(await usesLeft(shop, code)).toBe(3);
    expect(await usesOf(code)).toEqual([]);
  });
});

test('of twenty customers who pay with the last use of a code, one pays, and the others are charged nothing', async () => {
  const code = await made('discount:20%');
  const buyers = [];
  for (let at = 0; at < 20; at += 1) buyers.push(await customerOf(shop, store));
  const payments = [];
  for (const buyer of buyers) payments.push({ buyer, transId: await authorize(buyer, code) });
  const answers = await Promise.all(payments.map(({ buyer, transId }) => confirm(shop, buyer, transId)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ value }) => (value as { code?: string }).code === 'code_used')).toHaveLength(19);
  const charges = [];
  for (const { transId } of payments) charges.push(await chargesOf(shop, transId));
  expect(charges.filter((count) => count > 0)).toEqual([1]);
  expect(await usesLeft(shop, code)).toBe(0);
  expect(await usesOf(code)).toHaveLength(1);
  const rows = await Promise.all(payments.map(({ transId }) => rowOfPayment(transId)));
  expect(rows.filter(({ status }) => status === 'cancelled')).toHaveLength(19);
});

test('twenty confirmations of one payment use its code once', async () => {
  const code = await made('discount:20%', { uses: 30 });
  const transId = await authorize(customer, code);
  const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(shop, customer, transId)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(await usesLeft(shop, code)).toBe(29);
});

describe('a trial by a code', () => {
  const session = async ({ query }: Customer, code: string | undefined, planId = 'monthly') => {
    const answer = await shop.ask('subscriptionSession', '/checkout/subscription/session', { query: { ...query, planId, code } });
    return { ...answer, value: answer.value as Started };
  };

  test('begins a plan with the days that it gives, for a card, also for who has subscribed before', async () => {
    await subscribe(shop, customer);
    await shop.db
      .updateTable('subscriptions')
      .set({ status: 'ended', ended_at: new Date() })
      .where('user_id', '=', customer.id)
      .execute();
    const code = await made('trial:monthly:30');
    const { value } = await session(customer, code);
    expect(await rowOfPayment(value.transId)).toMatchObject({ amount_minor: 0, details: { trialDays: 30 }, code });
    expect(await usesLeft(shop, code)).toBe(1);
    const intentId = await leaveCard(value.url);
    expect((await confirmSubscribing(shop, customer, value.transId, intentId)).status).toBe(200);
    const days = ((await rowOf(shop, value.transId)).renews_at?.getTime() ?? 0) - Date.now();
    expect(days / 86_400_000).toBeCloseTo(30, 1);
    expect(await usesLeft(shop, code)).toBe(0);
    expect((await lookUp(shop, customer, code)).value).toMatchObject({ Redeemed: true });
  });

  test.each([
    [
      'of another plan',
      async () => codeIn(shop, store, { grants: `trial:${await planIn(shop, store, { id: 'yearly' })}:30` }),
      'code_misfit',
    ],
    ['that takes no card', () => made('plan:monthly'), 'code_misfit'],
    ['of a discount', () => made('discount:5%'), 'code_misfit'],
    ['that is used up', () => made('trial:monthly:30', { uses: 1, usesLeft: 0 }), 'code_used'],
  ])('is not to be had by a code %s', async (_, find, word) => {
    expect(await session(customer, await find())).toMatchObject({ status: 409, value: { code: word } });
  });

  test('a payment without the code takes the place of one with it', async () => {
    const code = await made('trial:monthly:30');
    const first = await session(customer, code);
    const second = await session(customer, undefined);
    expect(second.value.transId).not.toBe(first.value.transId);
    expect(await rowOfPayment(first.value.transId)).toMatchObject({ status: 'cancelled' });
    expect(await rowOfPayment(second.value.transId)).toMatchObject({ amount_minor: 900, code: null });
    expect(await usesLeft(shop, code)).toBe(1);
  });
});
