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
const requestSession = (customer: Customer, query: Record<string, string | number>, headers = {}) =>
  shop.call('paymentSession', '/payment/session', { query: { ...customer.query, titleId: 'book', ...query }, headers });
const takeFreeTitle = (customer: Customer, titleId = 'gratis', headers = {}) =>
  shop.call('purchaseFreeTitle', '/purchase/free', { query: { ...customer.query, titleId }, headers });

test('a paid title is granted by its confirmation, and is then in the library and on a receipt', async () => {
  const customer = await createCustomer(shop, store);
  const startedPayment = await startPayment(shop, customer, 'book');
  expect(startedPayment).toMatchObject({
    provider: 'test',
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/pay\/pi_[0-9a-f]{32}$/),
  });
  expect(await readSessionStatus(shop, customer, startedPayment.transId)).toMatchObject({
    status: 'pending',
    url: startedPayment.url,
    titleId: 'book',
  });

  const cardFormResponse = await submitCardForm(startedPayment.url, CARD_NUMBERS.good);
  const returnUrl = new URL(cardFormResponse.headers.get('location') ?? '');
  expect(returnUrl.pathname).toBe('/checkout/complete');
  expect(Object.fromEntries(returnUrl.searchParams)).toEqual({
    transId: startedPayment.transId,
    intentId: startedPayment.url.split('/').pop(),
  });
  expect(await readSessionStatus(shop, customer, startedPayment.transId)).toMatchObject({ status: 'authorized', url: null });
  expect(await countHoldings(shop, customer, 'book')).toEqual(NO_PURCHASE);

  const confirmation = await confirmPayment(shop, customer, startedPayment.transId);
  const { instanceId } = confirmation.value as { instanceId: string };
  expect(confirmation.value).toEqual({ transId: startedPayment.transId, titleId: 'book', instanceId, status: 'paid' });
  expect(await readSessionStatus(shop, customer, startedPayment.transId)).toMatchObject({ status: 'paid', reason: null });

  const ownership = { hasTitle: true, titleId: 'book', instanceId };
  for (const query of [{ transId: startedPayment.transId }, { titleid: 'book' }])
    expect((await shop.call('userHasTitle', '/user/has-title', { query: { ...customer.query, ...query } })).value).toEqual(
      ownership,
    );
  expect((await shop.call('userTitles', '/user/titles', { query: customer.query })).value).toEqual({
    titles: [{ titleId: 'book', instanceId }],
    opened: [],
    opensAll: false,
  });
  const info = await shop.call('purchaseInfo', '/purchase/info', {
    query: { ...customer.query, transId: startedPayment.transId },
  });
  expect(info.value).toMatchObject({
    transId: startedPayment.transId,
    instanceId,
    amount: 9.9,
    currency: 'EUR',
    symbol: '€',
    isGift: false,
  });
  const library = await shop.call('userPurchases', '/user/purchases', { query: customer.query });
  expect(library.value).toMatchObject({
    total: 1,
    Purchase: [
      {
        InstanceId: instanceId,
        TransId: startedPayment.transId,
        TitleId: 'book',
        Progress: 0,
        Paid: 9.9,
        Currency: 'EUR',
        CurrencySymbol: '€',
      },
    ],
  });
  expect(await countCharges(shop, startedPayment.transId)).toBe(1);
  expect((await requestSession(customer, {})).value).toMatchObject({ status: 409, code: 'already_owned' });
});

describe('the server decides the price', () => {
  test('a session at another price is refused with the current price', async () => {
    const customer = await createCustomer(shop, store);
    expect((await requestSession(customer, { price: 1, currency: 'EUR' })).value).toMatchObject({
      status: 409,
      code: 'price_changed',
      price: 9.9,
      currency: 'EUR',
    });
    expect((await requestSession(customer, { price: 9.9, currency: 'EUR' })).status).toBe(200);
    expect((await requestSession(customer, { price: 1500, currency: 'JPY' })).status).toBe(200);
  });

  test('a title is sold only in the currency that the customer saw', async () => {
    const customer = await createCustomer(shop, store);
    const offer = { status: 409, code: 'price_changed', price: 9.9, currency: 'EUR' };
    expect((await requestSession(customer, { price: 9.9, currency: 'GBP' })).value).toMatchObject(offer);
    expect((await requestSession(customer, { currency: 'GBP' })).value).toMatchObject(offer);
    expect((await requestSession(customer, { price: 9.9, currency: 'JPY' })).value).toMatchObject({
      ...offer,
      price: 1500,
      currency: 'JPY',
    });
    // A price without a currency is ambiguous only for a title with prices in several currencies.
    expect((await requestSession(customer, { price: 9.9 })).value).toMatchObject(offer);
    expect((await requestSession(customer, { titleId: 'sound', price: 12 })).status).toBe(200);
    expect((await requestSession(customer, { titleId: 'sound', price: 11 })).value).toMatchObject({ ...offer, price: 12 });

    for (const [currency, price] of [
      ['JPY', 1500],
      ['EUR', 9.9],
    ] as const) {
      const { transId } = (await requestSession(customer, { price, currency })).value as { transId: string };
      const transaction = await shop.db
        .selectFrom('transactions')
        .selectAll()
        .where('id', '=', transId)
        .executeTakeFirstOrThrow();
      expect(transaction).toMatchObject({ currency, amount_minor: currency === 'JPY' ? 1500 : 990, status: 'pending' });
    }
  });

  test('a payment that was started at an older price is released', async () => {
    const customer = await createCustomer(shop, store);
    const oldPayment = await authorizePayment(shop, customer, 'sound');
    await shop.db
      .updateTable('prices')
      .set({ amount_minor: 1300 })
      .where('store_id', '=', store)
      .where('title_id', '=', 'sound')
      .execute();
    const newPayment = await startPayment(shop, customer, 'sound');
    expect(newPayment.transId).not.toBe(oldPayment.transId);
    expect(await readSessionStatus(shop, customer, oldPayment.transId)).toMatchObject({
      status: 'cancelled',
      reason: 'price_changed',
    });
    expect((await confirmPayment(shop, customer, oldPayment.transId)).value).toMatchObject({ status: 409, code: 'cancelled' });
    expect(await countCharges(shop, oldPayment.transId)).toBe(0);
  });

  test.each([
    ['not for sale', 'not-for-sale', 409, 'not_for_sale'],
    ['free', 'gratis', 409, 'free'],
    ['unknown', 'nothing', 404, 'not_found'],
  ])('a title that is %s gets no payment session', async (_case, titleId, status, code) => {
    expect((await requestSession(await createCustomer(shop, store), { titleId })).value).toMatchObject({ status, code });
  });

  test('a payment method that the gateway does not have is refused', async () => {
    expect((await requestSession(await createCustomer(shop, store), { method: 'upi' })).status).toBe(400);
  });

  test('a gift is refused where the store has no gifts', async () => {
    const gift = { giftInfo: '{"RecipientName":"A"}' };
    expect((await requestSession(await createCustomer(shop, store), gift)).value).toMatchObject({
      status: 409,
      code: 'gifting_off',
    });
  });
});

describe('concurrent calls', () => {
  const runTwentyTimes = <T>(run: () => Promise<T>) => Promise.all(Array.from({ length: 20 }, run));

  test('twenty sessions for a title at once share one transaction', async () => {
    const customer = await createCustomer(shop, store);
    const sessions = await runTwentyTimes(() => startPayment(shop, customer, 'book'));
    expect(new Set(sessions.map((payment) => payment.transId)).size).toBe(1);
    expect(new Set(sessions.map((payment) => payment.url)).size).toBe(1);
  });

  test('twenty confirmations at once charge and grant once, and all get the same response', async () => {
    const customer = await createCustomer(shop, store);
    const { transId } = await authorizePayment(shop, customer, 'book');
    const responses = await runTwentyTimes(() => confirmPayment(shop, customer, transId));
    expect(new Set(responses.map((response) => response.text)).size).toBe(1);
    expect(responses[0]?.status).toBe(200);
    expect(await countCharges(shop, transId)).toBe(1);
    expect(await countHoldings(shop, customer, 'book')).toEqual(ONE_PURCHASE);
    expect((await confirmPayment(shop, customer, transId)).text).toBe(responses[0]?.text);
  });

  test('concurrent confirmations with different idempotency keys, status calls and sweeps charge and grant once', async () => {
    const customer = await createCustomer(shop, store);
    const { transId } = await authorizePayment(shop, customer, 'book');
    let key = 0;
    await runTwentyTimes(() =>
      Promise.all([
        confirmPayment(shop, customer, transId, { 'idempotency-key': `key-of-press-${(key += 1)}` }),
        readSessionStatus(shop, customer, transId),
        sweep(shop.services),
      ]),
    );
    expect(await countCharges(shop, transId)).toBe(1);
    expect(await countHoldings(shop, customer, 'book')).toEqual(ONE_PURCHASE);
  });

  test('twenty requests for a free title at once grant it once', async () => {
    const customer = await createCustomer(shop, store);
    const responses = await runTwentyTimes(() => takeFreeTitle(customer));
    expect(new Set(responses.map((response) => response.text)).size).toBe(1);
    expect(responses[0]?.value).toMatchObject({ titleId: 'gratis', status: 'paid' });
    expect(await countHoldings(shop, customer, 'gratis')).toEqual({ ...ONE_PURCHASE, paid: 0 });
  });

  test('a purchase paid in two windows is charged once', async () => {
    const customer = await createCustomer(shop, store);
    const [firstPayment, secondPayment] = await Promise.all([
      startPayment(shop, customer, 'book'),
      startPayment(shop, customer, 'book'),
    ]);
    await Promise.all([
      submitCardForm(firstPayment.url, CARD_NUMBERS.good),
      submitCardForm(secondPayment.url, CARD_NUMBERS.good),
    ]);
    await Promise.all([
      confirmPayment(shop, customer, firstPayment.transId),
      confirmPayment(shop, customer, secondPayment.transId),
    ]);
    expect(await countCharges(shop, firstPayment.transId)).toBe(1);
    expect(await countHoldings(shop, customer, 'book')).toEqual(ONE_PURCHASE);
  });
});

test('the ownership call needs a title or a transaction', async () => {
  const { query } = await createCustomer(shop, store);
  expect((await shop.call('userHasTitle', '/user/has-title', { query })).status).toBe(400);
  const response = await shop.call('userHasTitle', '/user/has-title', { query: { ...query, titleid: 'book' } });
  expect(response.value).toEqual({ hasTitle: false, titleId: 'book', instanceId: null });
});
