import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweep } from '../../../server/jobs/sweep.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { authorized, begin, CARDS, chargesOf, confirm, holdings, pay, statusOf } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { inAnyMoney } from '../support/stores.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store(inAnyMoney);
});
afterAll(() => shop.close());

const ONCE = { purchases: 1, copies: 1, paid: 1 };
const NOTHING = { purchases: 0, copies: 0, paid: 0 };
const session = (customer: Customer, query: Record<string, string | number>, headers = {}) =>
  shop.ask('paymentSession', '/payment/session', { query: { ...customer.query, titleId: 'book', ...query }, headers });
const free = (customer: Customer, titleId = 'gratis', headers = {}) =>
  shop.ask('purchaseFreeTitle', '/purchase/free', { query: { ...customer.query, titleId }, headers });

test('a title is bought: session, card, return, confirmation, library, receipt', async () => {
  const customer = await customerOf(shop, store);
  const begun = await begin(shop, customer, 'book');
  expect(begun).toMatchObject({
    provider: 'test',
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/pay\/pi_[0-9a-f]{32}$/),
  });
  expect(await statusOf(shop, customer, begun.transId)).toMatchObject({ status: 'pending', url: begun.url, titleId: 'book' });

  const paid = await pay(begun.url, CARDS.good);
  const back = new URL(paid.headers.get('location') ?? '');
  expect(back.pathname).toBe('/checkout/complete');
  expect(Object.fromEntries(back.searchParams)).toEqual({ transId: begun.transId, intentId: begun.url.split('/').pop() });
  expect(await statusOf(shop, customer, begun.transId)).toMatchObject({ status: 'authorized', url: null });
  expect(await holdings(shop, customer, 'book')).toEqual(NOTHING);

  const granted = await confirm(shop, customer, begun.transId);
  const { instanceId } = granted.value as { instanceId: string };
  expect(granted.value).toEqual({ transId: begun.transId, titleId: 'book', instanceId, status: 'paid' });
  expect(await statusOf(shop, customer, begun.transId)).toMatchObject({ status: 'paid', reason: null });

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
  expect(await chargesOf(shop, begun.transId)).toBe(1);
  expect((await session(customer, {})).value).toMatchObject({ status: 409, code: 'already_owned' });
});

describe('the server decides the price', () => {
  test('and says when it is not the one that was shown', async () => {
    const customer = await customerOf(shop, store);
    expect((await session(customer, { price: 1, currency: 'EUR' })).value).toMatchObject({
      status: 409,
      code: 'price_changed',
      price: 9.9,
      currency: 'EUR',
    });
    expect((await session(customer, { price: 9.9, currency: 'EUR' })).status).toBe(200);
    expect((await session(customer, { price: 1500, currency: 'JPY' })).status).toBe(200);
  });

  test('in the money that the customer saw, or not at all', async () => {
    const customer = await customerOf(shop, store);
    const offer = { status: 409, code: 'price_changed', price: 9.9, currency: 'EUR' };
    expect((await session(customer, { price: 9.9, currency: 'GBP' })).value).toMatchObject(offer);
    expect((await session(customer, { currency: 'GBP' })).value).toMatchObject(offer);
    expect((await session(customer, { price: 9.9, currency: 'JPY' })).value).toMatchObject({
      ...offer,
      price: 1500,
      currency: 'JPY',
    });
    // Of a number alone nobody knows in which of the title's currencies it was seen; of one currency everybody does.
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

  test('and releases what was begun at an older one', async () => {
    const customer = await customerOf(shop, store);
    const old = await authorized(shop, customer, 'sound');
    await shop.db
      .updateTable('prices')
      .set({ amount_minor: 1300 })
      .where('store_id', '=', store)
      .where('title_id', '=', 'sound')
      .execute();
    const fresh = await begin(shop, customer, 'sound');
    expect(fresh.transId).not.toBe(old.transId);
    expect(await statusOf(shop, customer, old.transId)).toMatchObject({ status: 'cancelled', reason: 'price_changed' });
    expect((await confirm(shop, customer, old.transId)).value).toMatchObject({ status: 409, code: 'cancelled' });
    expect(await chargesOf(shop, old.transId)).toBe(0);
  });

  test.each([
    ['not for sale', 'not-for-sale', 409, 'not_for_sale'],
    ['free', 'gratis', 409, 'free'],
    ['unknown', 'nothing', 404, 'not_found'],
  ])('a title that is %s has no session', async (_what, titleId, status, code) => {
    expect((await session(await customerOf(shop, store), { titleId })).value).toMatchObject({ status, code });
  });

  test('a way to pay that the gateway does not have is refused', async () => {
    expect((await session(await customerOf(shop, store), { method: 'upi' })).status).toBe(400);
  });

  test('nothing is given away where the store has no gifts', async () => {
    const gift = { giftInfo: '{"RecipientName":"A"}' };
    expect((await session(await customerOf(shop, store), gift)).value).toMatchObject({ status: 409, code: 'gifting_off' });
  });
});

describe('the same call twenty times at once', () => {
  const twenty = <T>(run: () => Promise<T>) => Promise.all(Array.from({ length: 20 }, run));

  test('sessions share one transaction', async () => {
    const customer = await customerOf(shop, store);
    const sessions = await twenty(() => begin(shop, customer, 'book'));
    expect(new Set(sessions.map((each) => each.transId)).size).toBe(1);
    expect(new Set(sessions.map((each) => each.url)).size).toBe(1);
  });

  test('confirmations charge and grant once, and all answer the same', async () => {
    const customer = await customerOf(shop, store);
    const { transId } = await authorized(shop, customer, 'book');
    const answers = await twenty(() => confirm(shop, customer, transId));
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(await chargesOf(shop, transId)).toBe(1);
    expect(await holdings(shop, customer, 'book')).toEqual(ONCE);
    expect((await confirm(shop, customer, transId)).text).toBe(answers[0]?.text);
  });

  test('confirmations with other keys, status calls and sweeps in between change nothing', async () => {
    const customer = await customerOf(shop, store);
    const { transId } = await authorized(shop, customer, 'book');
    let key = 0;
    await twenty(() =>
      Promise.all([
        confirm(shop, customer, transId, { 'idempotency-key': `key-of-press-${(key += 1)}` }),
        statusOf(shop, customer, transId),
        sweep(shop.services),
      ]),
    );
    expect(await chargesOf(shop, transId)).toBe(1);
    expect(await holdings(shop, customer, 'book')).toEqual(ONCE);
  });

  test('a free title is granted once', async () => {
    const customer = await customerOf(shop, store);
    const answers = await twenty(() => free(customer));
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers[0]?.value).toMatchObject({ titleId: 'gratis', status: 'paid' });
    expect(await holdings(shop, customer, 'gratis')).toEqual({ ...ONCE, paid: 0 });
  });

  test('a purchase, paid in two windows, is charged once', async () => {
    const customer = await customerOf(shop, store);
    const [one, two] = await Promise.all([begin(shop, customer, 'book'), begin(shop, customer, 'book')]);
    await Promise.all([pay(one.url, CARDS.good), pay(two.url, CARDS.good)]);
    await Promise.all([confirm(shop, customer, one.transId), confirm(shop, customer, two.transId)]);
    expect(await chargesOf(shop, one.transId)).toBe(1);
    expect(await holdings(shop, customer, 'book')).toEqual(ONCE);
  });
});

test('whether a title is owned needs a title or a transaction', async () => {
  const { query } = await customerOf(shop, store);
  expect((await shop.ask('userHasTitle', '/user/has-title', { query })).status).toBe(400);
  const none = await shop.ask('userHasTitle', '/user/has-title', { query: { ...query, titleid: 'book' } });
  expect(none.value).toEqual({ hasTitle: false, titleId: 'book', instanceId: null });
});
