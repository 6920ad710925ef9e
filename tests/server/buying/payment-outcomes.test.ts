import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Customer, createCustomer } from '../support/customers.ts';
import {
  authorizePayment,
  startPayment,
  CARD_NUMBERS,
  countCharges,
  confirmPayment,
  countHoldings,
  submitCardForm,
  postFields,
  readSessionStatus,
} from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

const NO_PURCHASE = { purchases: 0, copies: 0, paid: 0 };
const takeFreeTitle = (customer: Customer, titleId = 'gratis', headers = {}) =>
  shop.call('purchaseFreeTitle', '/purchase/free', { query: { ...customer.query, titleId }, headers });

describe('free titles', () => {
  test('a free title has a receipt and an ownership response under the id that replaces a transaction’s', async () => {
    const customer = await createCustomer(shop, store);
    const { transId } = (await takeFreeTitle(customer)).value as { transId: string };
    const info = await shop.call('purchaseInfo', '/purchase/info', { query: { ...customer.query, transId } });
    expect(info.value).toMatchObject({ transId, instanceId: transId, titleId: 'gratis', amount: 0, currency: 'EUR' });
    const ownership = await shop.call('userHasTitle', '/user/has-title', { query: { ...customer.query, transId } });
    expect(ownership.value).toEqual({ hasTitle: true, titleId: 'gratis', instanceId: transId });
  });

  test('a title that has a price or is not for sale is refused as a free title', async () => {
    const customer = await createCustomer(shop, store);
    expect((await takeFreeTitle(customer, 'book')).value).toMatchObject({ status: 409, code: 'not_free' });
    expect((await takeFreeTitle(customer, 'not-for-sale')).value).toMatchObject({ status: 409, code: 'not_for_sale' });
    expect(await countHoldings(shop, customer, 'book')).toEqual(NO_PURCHASE);
  });
});

describe('payments without success', () => {
  test('a payment cannot be confirmed before it is authorised', async () => {
    const customer = await createCustomer(shop, store);
    const { transId } = await startPayment(shop, customer, 'book');
    expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ status: 409, code: 'not_authorized' });
    expect(await countHoldings(shop, customer, 'book')).toEqual(NO_PURCHASE);
  });

  test('a payment stays open for another card after a decline', async () => {
    const customer = await createCustomer(shop, store);
    const { transId, url } = await startPayment(shop, customer, 'book');
    await submitCardForm(url, CARD_NUMBERS.declined);
    const declineReason = { reason: 'card_declined' };
    expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'pending', url, ...declineReason });
    await submitCardForm(url, CARD_NUMBERS.good);
    expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'authorized', ...declineReason });
    expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
  });

  test('a payment fails after five declined cards', async () => {
    const customer = await createCustomer(shop, store);
    const { transId, url } = await startPayment(shop, customer, 'book');
    for (let attempt = 0; attempt < 5; attempt += 1) await submitCardForm(url, CARD_NUMBERS.poor);
    expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'failed', reason: 'insufficient_funds' });
    expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ status: 402, code: 'card_declined' });
    expect((await startPayment(shop, customer, 'book')).transId).not.toBe(transId);
  });

  test('a payment ends when it is cancelled at the gateway, and a new one can start', async () => {
    const customer = await createCustomer(shop, store);
    const { transId, url } = await startPayment(shop, customer, 'book');
    const returnUrl = new URL((await postFields(`${url}/cancel`, {})).headers.get('location') ?? '');
    expect(Object.fromEntries(returnUrl.searchParams)).toEqual({ transId, cancelled: '1' });
    expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'cancelled', url: null });
    const refusal = { status: 409, code: 'cancelled' };
    expect((await confirmPayment(shop, customer, transId)).value).toMatchObject(refusal);
    const receipt = await shop.call('purchaseInfo', '/purchase/info', { query: { ...customer.query, transId } });
    expect(receipt.value).toMatchObject(refusal);
    expect((await startPayment(shop, customer, 'book')).transId).not.toBe(transId);
  });

  test('a payment is not charged when the title was acquired in the meantime', async () => {
    const customer = await createCustomer(shop, store);
    const { transId } = await authorizePayment(shop, customer, 'book');
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
    expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ status: 409, code: 'already_owned' });
    expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'cancelled', reason: 'already_owned' });
    expect(await countCharges(shop, transId)).toBe(0);
  });
});

describe('transactions', () => {
  test('a transaction cannot be used by another customer', async () => {
    const [owner, otherCustomer] = [await createCustomer(shop, store), await createCustomer(shop, store)];
    const { transId } = await authorizePayment(shop, owner, 'book');
    expect((await confirmPayment(shop, otherCustomer, transId)).status).toBe(404);
    const query = { ...otherCustomer.query, transId };
    for (const [id, path] of [
      ['sessionStatus', '/checkout/session/status'],
      ['purchaseInfo', '/purchase/info'],
      ['userHasTitle', '/user/has-title'],
    ] as const)
      expect((await shop.call(id, path, { query })).status).toBe(404);
    expect(await countHoldings(shop, otherCustomer, 'book')).toEqual(NO_PURCHASE);
  });

  test('a transaction is confirmed only with its own intent and title', async () => {
    const customer = await createCustomer(shop, store);
    const { transId } = await authorizePayment(shop, customer, 'book');
    for (const wrongQuery of [{ intentId: 'pi_other' }, { titleId: 'sound' }]) {
      const query = { ...customer.query, transactonId: transId, ...wrongQuery };
      expect((await shop.call('confirmTitlePurchase', '/purchase/title/confirm', { query })).status).toBe(400);
    }
  });

  test('a transaction has no receipt before it is paid', async () => {
    const customer = await createCustomer(shop, store);
    const { transId } = await startPayment(shop, customer, 'book');
    const receipt = await shop.call('purchaseInfo', '/purchase/info', { query: { ...customer.query, transId } });
    expect(receipt.value).toMatchObject({ status: 409, code: 'not_authorized' });
  });
});
