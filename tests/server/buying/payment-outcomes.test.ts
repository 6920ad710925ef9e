import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Customer, customerOf } from '../support/customers.ts';
import { authorized, begin, CARDS, chargesOf, confirm, holdings, pay, post, statusOf } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

const NOTHING = { purchases: 0, copies: 0, paid: 0 };
const free = (customer: Customer, titleId = 'gratis', headers = {}) =>
  shop.ask('purchaseFreeTitle', '/purchase/free', { query: { ...customer.query, titleId }, headers });

describe('a free title', () => {
  test('has a receipt, by the id that it has in place of a transaction', async () => {
    const customer = await customerOf(shop, store);
    const { transId } = (await free(customer)).value as { transId: string };
    const info = await shop.ask('purchaseInfo', '/purchase/info', { query: { ...customer.query, transId } });
    expect(info.value).toMatchObject({ transId, instanceId: transId, titleId: 'gratis', amount: 0, currency: 'EUR' });
    const has = await shop.ask('userHasTitle', '/user/has-title', { query: { ...customer.query, transId } });
    expect(has.value).toEqual({ hasTitle: true, titleId: 'gratis', instanceId: transId });
  });

  test('is refused for a title that has a price', async () => {
    const customer = await customerOf(shop, store);
    expect((await free(customer, 'book')).value).toMatchObject({ status: 409, code: 'not_free' });
    expect((await free(customer, 'not-for-sale')).value).toMatchObject({ status: 409, code: 'not_for_sale' });
    expect(await holdings(shop, customer, 'book')).toEqual(NOTHING);
  });
});

describe('a payment that does not succeed', () => {
  test('not yet authorised cannot be confirmed', async () => {
    const customer = await customerOf(shop, store);
    const { transId } = await begin(shop, customer, 'book');
    expect((await confirm(shop, customer, transId)).value).toMatchObject({ status: 409, code: 'not_authorized' });
    expect(await holdings(shop, customer, 'book')).toEqual(NOTHING);
  });

  test('a declined card leaves it open for another one', async () => {
    const customer = await customerOf(shop, store);
    const { transId, url } = await begin(shop, customer, 'book');
    await pay(url, CARDS.declined);
    const declined = { reason: 'card_declined' };
    expect(await statusOf(shop, customer, transId)).toMatchObject({ status: 'pending', url, ...declined });
    await pay(url, CARDS.good);
    expect(await statusOf(shop, customer, transId)).toMatchObject({ status: 'authorized', ...declined });
    expect((await confirm(shop, customer, transId)).status).toBe(200);
  });

  test('five declined cards end it', async () => {
    const customer = await customerOf(shop, store);
    const { transId, url } = await begin(shop, customer, 'book');
    for (let attempt = 0; attempt < 5; attempt += 1) await pay(url, CARDS.poor);
    expect(await statusOf(shop, customer, transId)).toMatchObject({ status: 'failed', reason: 'insufficient_funds' });
    expect((await confirm(shop, customer, transId)).value).toMatchObject({ status: 402, code: 'card_declined' });
    expect((await begin(shop, customer, 'book')).transId).not.toBe(transId);
  });

  test('cancelled at the gateway it is over, and a new payment can begin', async () => {
    const customer = await customerOf(shop, store);
    const { transId, url } = await begin(shop, customer, 'book');
    const back = new URL((await post(`${url}/cancel`, {})).headers.get('location') ?? '');
    expect(Object.fromEntries(back.searchParams)).toEqual({ transId, cancelled: '1' });
    expect(await statusOf(shop, customer, transId)).toMatchObject({ status: 'cancelled', url: null });
    expect((await confirm(shop, customer, transId)).value).toMatchObject({ status: 409, code: 'cancelled' });
    expect((await begin(shop, customer, 'book')).transId).not.toBe(transId);
  });

  test('what came into the library meanwhile is not charged for', async () => {
    const customer = await customerOf(shop, store);
    const { transId } = await authorized(shop, customer, 'book');
    const copy = {
      store_id: store,
      user_id: customer.id,
      title_id: 'book',
      instance_id: `gift-${transId}`,
      source: 'gift',
    } as const;
    await shop.db
      .insertInto('entitlements')
      .values({ ...copy, purchase_id: null, expires_at: null })
      .execute();
    expect((await confirm(shop, customer, transId)).value).toMatchObject({ status: 409, code: 'already_owned' });
    expect(await statusOf(shop, customer, transId)).toMatchObject({ status: 'cancelled', reason: 'already_owned' });
    expect(await chargesOf(shop, transId)).toBe(0);
  });
});

describe('a transaction', () => {
  test('cannot be used by another customer', async () => {
    const [owner, other] = [await customerOf(shop, store), await customerOf(shop, store)];
    const { transId } = await authorized(shop, owner, 'book');
    expect((await confirm(shop, other, transId)).status).toBe(404);
    const query = { ...other.query, transId };
    for (const [id, path] of [
      ['sessionStatus', '/checkout/session/status'],
      ['purchaseInfo', '/purchase/info'],
      ['userHasTitle', '/user/has-title'],
    ] as const)
      expect((await shop.ask(id, path, { query })).status).toBe(404);
    expect(await holdings(shop, other, 'book')).toEqual(NOTHING);
  });

  test('is confirmed with its own intent and title only', async () => {
    const customer = await customerOf(shop, store);
    const { transId } = await authorized(shop, customer, 'book');
    for (const wrong of [{ intentId: 'pi_other' }, { titleId: 'sound' }]) {
      const query = { ...customer.query, transactonId: transId, ...wrong };
      expect((await shop.ask('confirmTitlePurchase', '/purchase/title/confirm', { query })).status).toBe(400);
    }
  });

  test('that is not finished has no receipt', async () => {
    const customer = await customerOf(shop, store);
    const { transId } = await begin(shop, customer, 'book');
    expect((await shop.ask('purchaseInfo', '/purchase/info', { query: { ...customer.query, transId } })).status).toBe(409);
  });
});
