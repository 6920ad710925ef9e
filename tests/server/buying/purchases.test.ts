import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweep } from '../../../server/jobs/sweep.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import {
  authorizePayment,
  startPayment,
  CARD_NUMBERS,
  countCharges,
  confirmPayment,
  countHoldings,
  submitCardForm,
  readSessionStatus,
} from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { storeInAnyCurrency } from '../support/stores.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store(storeInAnyCurrency);
});
afterAll(() => shop.close());

const ONE_PURCHASE = { purchases: 1, copies: 1, paid: 1 };
const NO_PURCHASE = { purchases: 0, copies: 0, paid: 0 };
const session = (customer: Customer, query: Record<string, string | number>, headers = {}) =>
  shop.ask('paymentSession', '/payment/session', { query: { ...customer.query, titleId: 'book', ...query }, headers });
const takeFreeTitle = (customer: Customer, titleId = 'gratis', headers = {}) =>
  shop.ask('purchaseFreeTitle', '/purchase/free', { query: { ...customer.query, titleId }, headers });

test('a title is bought: session, card, return, confirmation, library, receipt', async () => {
  const customer = await createCustomer(shop, store);
  const begun = await startPayment(shop, customer, 'book');
  expect(begun).toMatchObject({
    provider: 'test',
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/pay\/pi_[0-9a-f]{32}$/),
  });
  expect(await readSessionStatus(shop, customer, begun.transId)).toMatchObject({
    status: 'pending',
    url: begun.url,
    titleId: 'book',
  });

  const paid = await submitCardForm(begun.url, CARD_NUMBERS.good);
  const back = new URL(paid.headers.get('location') ?? '');
  expect(back.pathname).toBe('/checkout/complete');
  expect(Object.fromEntries(back.searchParams)).toEqual({ transId: begun.transId, intentId: begun.url.split('/').pop() });
  expect(await readSessionStatus(shop, customer, begun.transId)).toMatchObject({ status: 'authorized', url: null });
  expect(await countHoldings(shop, customer, 'book')).toEqual(NO_PURCHASE);

  const granted = await confirmPayment(shop, customer, begun.transId);
  const { instanceId } = granted.value as { instanceId: string };
  expect(granted.value).toEqual({ transId: begun.transId, titleId: 'book', instanceId, status: 'paid' });
  expect(await readSessionStatus(shop, customer, begun.transId)).toMatchObject({ status: 'paid', reason: null });

  const has = { hasTitle: true, titleId: 'book', instanceId };
  for (const query of [{ transId: begun.transId }, { titleid: 'book' }])
    expect((await shop.ask('userHasTitle', '/user/has-title', { query: { ...customer.query, ...query } })).value).toEqual(has);
  expect((await shop.ask('userTitles', '/user/titles', { query: customer.query })).value).toEqual({
    titles: [{ titleId: 'book', instanceId }],
    opened: [],
    opensAll: false,
  });
  const info = await shop.ask('purchaseInfo', '/purchase/info', { query: { ...customer.query, transId: begun.transId } });
  expect(info.value).toMatchObject({
    transId: begun.transId,
    instanceId,
    amount: 9.9,
    currency: 'EUR',
    symbol: '€',
    isGift: false,
  });
  const library = await shop.ask('userPurchases', '/user/purchases', { query: customer.query });
  expect(library.value).toMatchObject({
    total: 1,
    Purchase: [
      {
        InstanceId: instanceId,
        TransId: begun.transId,
        TitleId: 'book',
        Progress: 0,
        Paid: 9.9,
        Currency: 'EUR',
        CurrencySymbol: '€',
      },
    ],
  });
  expect(await countCharges(shop, begun.transId)).toBe(1);
  expect((await session(customer, {})).value).toMatchObject({ status: 409, code: 'already_owned' });
});

describe('the server decides the price', () => {
  test('and reports it when another one was shown', async () => {
    const customer = await createCustomer(shop, store);
    expect((await session(customer, { price: 1, currency: 'EUR' })).value).toMatchObject({
      status: 409,
      code: 'price_changed',
      price: 9.9,
      currency: 'EUR',
    });
    expect((await session(customer, { price: 9.9, currency: 'EUR' })).status).toBe(200);
    expect((await session(customer, { price: 1500, currency: 'JPY' })).status).toBe(200);
  });

  test('and sells only in the currency that the customer saw', async () => {
    const customer = await createCustomer(shop, store);
    const offer = { status: 409, code: 'price_changed', price: 9.9, currency: 'EUR' };
    expect((await session(customer, { price: 9.9, currency: 'GBP' })).value).toMatchObject(offer);
    expect((await session(customer, { currency: 'GBP' })).value).toMatchObject(offer);
    expect((await session(customer, { price: 9.9, currency: 'JPY' })).value).toMatchObject({
      ...offer,
      price: 1500,
      currency: 'JPY',
    });
    // A bare number is ambiguous where the title has several currencies; with one currency it is
    // not.
    expect((await session(customer, { price: 9.9 })).value).toMatchObject(offer);
    expect((await session(customer, { titleId: 'sound', price: 12 })).status).toBe(200);
    expect((await session(customer, { titleId: 'sound', price: 11 })).value).toMatchObject({ ...offer, price: 12 });

    for (const [currency, price] of [
      ['JPY', 1500],
      ['EUR', 9.9],
    ] as const) {
      const { transId } = (await session(customer, { price, currency })).value as { transId: string };
      const begun = await shop.db.selectFrom('transactions').selectAll().where('id', '=', transId).executeTakeFirstOrThrow();
      expect(begun).toMatchObject({ currency, amount_minor: currency === 'JPY' ? 1500 : 990, status: 'pending' });
    }
  });

  test('and releases a payment that was started at an older price', async () => {
    const customer = await createCustomer(shop, store);
    const old = await authorizePayment(shop, customer, 'sound');
    await shop.db
      .updateTable('prices')
      .set({ amount_minor: 1300 })
      .where('store_id', '=', store)
      .where('title_id', '=', 'sound')
      .execute();
    const fresh = await startPayment(shop, customer, 'sound');
    expect(fresh.transId).not.toBe(old.transId);
    expect(await readSessionStatus(shop, customer, old.transId)).toMatchObject({ status: 'cancelled', reason: 'price_changed' });
    expect((await confirmPayment(shop, customer, old.transId)).value).toMatchObject({ status: 409, code: 'cancelled' });
    expect(await countCharges(shop, old.transId)).toBe(0);
  });

  test.each([
    ['not for sale', 'not-for-sale', 409, 'not_for_sale'],
    ['free', 'gratis', 409, 'free'],
    ['unknown', 'nothing', 404, 'not_found'],
  ])('a title that is %s has no session', async (_what, titleId, status, code) => {
    expect((await session(await createCustomer(shop, store), { titleId })).value).toMatchObject({ status, code });
  });

  test('a payment method that the gateway does not have is refused', async () => {
    expect((await session(await createCustomer(shop, store), { method: 'upi' })).status).toBe(400);
  });

  test('a gift is refused where the store has no gifts', async () => {
    const gift = { giftInfo: '{"RecipientName":"A"}' };
    expect((await session(await createCustomer(shop, store), gift)).value).toMatchObject({ status: 409, code: 'gifting_off' });
  });
});

describe('the same call twenty times at once', () => {
  const twenty = <T>(run: () => Promise<T>) => Promise.all(Array.from({ length: 20 }, run));

  test('sessions share one transaction', async () => {
    const customer = await createCustomer(shop, store);
    const sessions = await twenty(() => startPayment(shop, customer, 'book'));
    expect(new Set(sessions.map((each) => each.transId)).size).toBe(1);
    expect(new Set(sessions.map((each) => each.url)).size).toBe(1);
  });

  test('confirmations charge and grant once, and all get the same response', async () => {
    const customer = await createCustomer(shop, store);
    const { transId } = await authorizePayment(shop, customer, 'book');
    const answers = await twenty(() => confirmPayment(shop, customer, transId));
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(await countCharges(shop, transId)).toBe(1);
    expect(await countHoldings(shop, customer, 'book')).toEqual(ONE_PURCHASE);
    expect((await confirmPayment(shop, customer, transId)).text).toBe(answers[0]?.text);
  });

  test('confirmations with other keys, status calls and sweeps in between change nothing', async () => {
    const customer = await createCustomer(shop, store);
    const { transId } = await authorizePayment(shop, customer, 'book');
    let key = 0;
    await twenty(() =>
      Promise.all([
        confirmPayment(shop, customer, transId, { 'idempotency-key': `key-of-press-${(key += 1)}` }),
        readSessionStatus(shop, customer, transId),
        sweep(shop.services),
      ]),
    );
    expect(await countCharges(shop, transId)).toBe(1);
    expect(await countHoldings(shop, customer, 'book')).toEqual(ONE_PURCHASE);
  });

  test('a free title is granted once', async () => {
    const customer = await createCustomer(shop, store);
    const answers = await twenty(() => takeFreeTitle(customer));
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers[0]?.value).toMatchObject({ titleId: 'gratis', status: 'paid' });
    expect(await countHoldings(shop, customer, 'gratis')).toEqual({ ...ONE_PURCHASE, paid: 0 });
  });

  test('a purchase paid in two windows is charged once', async () => {
    const customer = await createCustomer(shop, store);
    const [one, two] = await Promise.all([startPayment(shop, customer, 'book'), startPayment(shop, customer, 'book')]);
    await Promise.all([submitCardForm(one.url, CARD_NUMBERS.good), submitCardForm(two.url, CARD_NUMBERS.good)]);
    await Promise.all([confirmPayment(shop, customer, one.transId), confirmPayment(shop, customer, two.transId)]);
    expect(await countCharges(shop, one.transId)).toBe(1);
    expect(await countHoldings(shop, customer, 'book')).toEqual(ONE_PURCHASE);
  });
});

test('the ownership call needs a title or a transaction', async () => {
  const { query } = await createCustomer(shop, store);
  expect((await shop.ask('userHasTitle', '/user/has-title', { query })).status).toBe(400);
  const none = await shop.ask('userHasTitle', '/user/has-title', { query: { ...query, titleid: 'book' } });
  expect(none.value).toEqual({ hasTitle: false, titleId: 'book', instanceId: null });
});
