import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { saveCard } from '../support/cards.ts';
import { authorizeCart, startCartSession, callCart, fillCart, listTitleIds } from '../support/carts.ts';
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
  type Session,
  readSessionStatus,
} from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** Methods of the payment port that tests replace to cause faults. Emptied after each test. */
let portOverrides: Partial<PaymentPort> = {};
const createOverridablePort = (port: PaymentPort): PaymentPort => ({
  ...port,
  create: (request) => (portOverrides.create ?? port.create)(request),
  capture: (id) => (portOverrides.capture ?? port.capture)(id),
});
const rejectUnknown = () => Promise.reject(new PaymentUnknown(new Error('no response')));

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ payment: createOverridablePort });
  store = await shop.store();
});
beforeEach(async () => {
  customer = await createCustomer(shop, store);
});
afterEach(() => {
  portOverrides = {};
});
afterAll(() => shop.close());

const readCart = async () => (await callCart(shop, customer, 'cartTitles')).value;

/** For each title, the numbers of the customer's purchases and copies. */
const countOwned = async (...titleIds: string[]) =>
  Promise.all(
    titleIds.map(async (titleId) => countHoldings(shop, customer, titleId).then(({ purchases, copies }) => [purchases, copies])),
  );

const grantTitle = (titleId: string) =>
  shop.db
    .insertInto('entitlements')
    .values({
      store_id: store,
      user_id: customer.id,
      title_id: titleId,
      instance_id: `gift-${titleId}-${customer.id}`,
      source: 'gift',
      purchase_id: null,
      expires_at: null,
    })
    .execute();

const selectTransactions = () => shop.db.selectFrom('transactions').selectAll().where('user_id', '=', customer.id).execute();
const NO_PURCHASE = [0, 0];
const ONE_PURCHASE = [1, 1];

test('buying a cart makes one charge and one receipt, grants every paid title, and removes it from the cart [S7.checkout/cart/session]', async () => {
  await fillCart(shop, customer, ['book', 'sound', 'gratis']);
  const sessionResponse = await startCartSession(shop, customer, { titleids: 'sound,book', price: 21.9, currency: 'EUR' });
  const { transId, url, provider } = sessionResponse.value as Session;
  expect(provider).toBe('test');
  const page = await (await fetch(url)).text();
  expect(page).toContain('€21.90');
  expect(page).toContain('Éclair of Winter, The Salt &lt;Road&gt; &amp; Other');
  expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'pending', titleId: '', url });
  const returnUrl = new URL((await submitCardForm(url, CARD_NUMBERS.good)).headers.get('location') ?? '');
  expect([returnUrl.pathname, returnUrl.searchParams.get('transId')]).toEqual(['/cart/checkout', transId]);
  expect([await countOwned('book', 'sound'), await countCharges(shop, transId)]).toEqual([[NO_PURCHASE, NO_PURCHASE], 0]);

  expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ transId, titleId: 'sound', status: 'paid' });
  expect([await countOwned('book', 'sound', 'gratis'), await countCharges(shop, transId)]).toEqual([
    [ONE_PURCHASE, ONE_PURCHASE, NO_PURCHASE],
    1,
  ]);
  expect(listTitleIds(await readCart())).toEqual(['gratis']);
  expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'paid' });
  const receipt = await shop.call('purchaseInfo', '/purchase/info', { query: { ...customer.query, transId } });
  expect(receipt.value).toMatchObject({
    transId,
    titleId: 'sound',
    amount: 21.9,
    currency: 'EUR',
    titles: [
      { titleId: 'sound', name: 'Éclair of Winter', amount: 12 },
      { titleId: 'book', amount: 9.9 },
    ],
  });
  const ownership = await shop.call('userHasTitle', '/user/has-title', { query: { ...customer.query, transId } });
  expect(ownership.value).toMatchObject({ hasTitle: true, titleId: 'sound' });
});

describe('a cart is not paid twice', () => {
  test('twenty confirmations of a cart at once charge once and grant every title once', async () => {
    await fillCart(shop, customer, ['book', 'sound', 'film']);
    const { transId } = await authorizeCart(shop, customer);
    const responses = await Promise.all(Array.from({ length: 20 }, () => confirmPayment(shop, customer, transId)));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect([await countOwned('book', 'sound', 'film'), await countCharges(shop, transId)]).toEqual([
      [ONE_PURCHASE, ONE_PURCHASE, ONE_PURCHASE],
      1,
    ]);
  });

  test('twenty sessions for a cart at once belong to one payment', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    const responses = await Promise.all(Array.from({ length: 20 }, () => startCartSession(shop, customer)));
    expect(new Set(responses.map(({ value }) => (value as Session).transId)).size).toBe(1);
    expect(await selectTransactions()).toHaveLength(1);
  });

  test('a repeated request for a cart session with the same idempotency key gets the same response', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    const headers = { 'idempotency-key': 'the-same-press' };
    const [firstResponse, repeatedResponse] = [
      await startCartSession(shop, customer, {}, headers),
      await startCartSession(shop, customer, {}, headers),
    ];
    expect(repeatedResponse.value).toEqual(firstResponse.value);
  });

  test('of a cart and one of its titles, confirmed at once, only one is charged', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    const cartPayment = await authorizeCart(shop, customer);
    const titlePayment = await authorizePayment(shop, customer, 'book');
    const responses = await Promise.all(
      [cartPayment, titlePayment].map(({ transId }) => confirmPayment(shop, customer, transId)),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await countOwned('book'))[0]).toEqual(ONE_PURCHASE);
    const chargeCounts = await Promise.all([cartPayment, titlePayment].map(({ transId }) => countCharges(shop, transId)));
    expect(chargeCounts.toSorted((a, b) => a - b)).toEqual([0, 1]);
  });

  test('a payment with an unknown outcome blocks the charge of another one for the same title', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    const cartPayment = await authorizeCart(shop, customer);
    const titlePayment = await authorizePayment(shop, customer, 'book');
    portOverrides = { capture: rejectUnknown };
    expect((await confirmPayment(shop, customer, titlePayment.transId)).value).toMatchObject({ code: 'payment_unknown' });
    portOverrides = {};
    expect((await confirmPayment(shop, customer, cartPayment.transId)).value).toMatchObject({ status: 409, code: 'conflict' });
    expect(await readSessionStatus(shop, customer, cartPayment.transId)).toMatchObject({
      status: 'cancelled',
      reason: 'conflict',
    });
    expect(await readSessionStatus(shop, customer, titlePayment.transId)).toMatchObject({ status: 'paid' });
    expect([await countOwned('book', 'sound'), await countCharges(shop, cartPayment.transId)]).toEqual([
      [ONE_PURCHASE, NO_PURCHASE],
      0,
    ]);
  });
});

describe('a cart is charged only as it was shown', () => {
  test.each([
    ['another price', { price: 1, currency: 'EUR' }],
    ['a price in another currency', { price: 21.9, currency: 'JPY' }],
    ['a currency without prices', { titleids: 'book,sound', price: 21.9, currency: 'CHF' }],
    ['fewer titles', { titleids: 'book', price: 21.9, currency: 'EUR' }],
    ['other titles', { titleids: 'book,film', currency: 'EUR' }],
  ])('a cart session with %s is refused', async (_case, shownCart) => {
    await fillCart(shop, customer, ['book', 'sound']);
    expect((await startCartSession(shop, customer, shownCart)).value).toMatchObject({ status: 409, code: 'price_changed' });
    expect(await selectTransactions()).toEqual([]);
  });

  test('a cart session with a title that the customer owns by now is refused, and a session without the title is accepted', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    await grantTitle('book');
    const shownCart = { titleids: 'book,sound', price: 21.9, currency: 'EUR' };
    expect((await startCartSession(shop, customer, shownCart)).value).toMatchObject({
      code: 'price_changed',
      price: 12,
      currency: 'EUR',
    });
    expect((await startCartSession(shop, customer, { titleids: 'sound', price: 12, currency: 'EUR' })).status).toBe(200);
  });

  test('a cart is not charged when one of its titles was acquired after the payment page', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    const { transId } = await authorizeCart(shop, customer);
    await grantTitle('book');
    expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ status: 409, code: 'already_owned' });
    expect([await countCharges(shop, transId), await countOwned('sound')]).toEqual([0, [NO_PURCHASE]]);
    expect(listTitleIds(await readCart())).toEqual(['sound', 'book']);
  });

  test('a cart that is changed after its session starts another payment and releases the first', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    const firstPayment = await authorizeCart(shop, customer);
    await callCart(shop, customer, 'removeFromCart', { titleId: 'book' });
    const secondPayment = await authorizeCart(shop, customer);
    expect(secondPayment.transId).not.toBe(firstPayment.transId);
    expect((await confirmPayment(shop, customer, firstPayment.transId)).value).toMatchObject({ status: 409, code: 'cancelled' });
    expect((await confirmPayment(shop, customer, secondPayment.transId)).status).toBe(200);
    expect([await countOwned('book', 'sound'), await countCharges(shop, firstPayment.transId)]).toEqual([
      [NO_PURCHASE, ONE_PURCHASE],
      0,
    ]);
  });

  test('a price change after a cart’s session starts another payment', async () => {
    const ownStore = await shop.store();
    customer = await createCustomer(shop, ownStore);
    await fillCart(shop, customer, ['book', 'sound']);
    const { value } = await startCartSession(shop, customer);
    const prices = shop.db.updateTable('prices').where('store_id', '=', ownStore).where('title_id', '=', 'book');
    await prices.where('currency', '=', 'EUR').set({ amount_minor: 500 }).execute();
    const secondResponse = await startCartSession(shop, customer, { titleids: 'book,sound', price: 17, currency: 'EUR' });
    expect(secondResponse.status).toBe(200);
    expect((secondResponse.value as Session).transId).not.toBe((value as Session).transId);
  });

  test('a cart that is empty or has no paid titles starts no payment', async () => {
    expect((await startCartSession(shop, customer)).value).toMatchObject({ status: 409, code: 'cart_empty' });
    await fillCart(shop, customer, ['gratis', 'not-for-sale']);
    expect((await startCartSession(shop, customer)).value).toMatchObject({ status: 409, code: 'cart_empty' });
    expect(await selectTransactions()).toEqual([]);
  });

  test('a customer can neither confirm nor read another customer’s payment of a cart', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    const { transId } = await authorizeCart(shop, customer);
    const otherCustomer = await createCustomer(shop, store);
    expect((await confirmPayment(shop, otherCustomer, transId)).status).toBe(404);
    const statusResponse = await shop.call('sessionStatus', '/checkout/session/status', {
      query: { ...otherCustomer.query, transId },
    });
    const receiptResponse = await shop.call('purchaseInfo', '/purchase/info', { query: { ...otherCustomer.query, transId } });
    expect([statusResponse.status, receiptResponse.status]).toEqual([404, 404]);
    expect((await startCartSession(shop, otherCustomer)).value).toMatchObject({ code: 'cart_empty' });
  });

  test('a payment method that the store’s gateway does not offer is refused', async () => {
    await fillCart(shop, customer, ['book']);
    expect((await startCartSession(shop, customer, { method: 'upi' })).status).toBe(400);
  });
});

describe('a cart’s payment survives failures', () => {
  test('after a capture without response, the status call grants all titles of the cart', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    const { transId } = await authorizeCart(shop, customer, CARD_NUMBERS.lost);
    expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ status: 502, code: 'payment_unknown' });
    expect(await countOwned('book', 'sound')).toEqual([NO_PURCHASE, NO_PURCHASE]);
    expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'paid' });
    expect([await countOwned('book', 'sound'), await countCharges(shop, transId)]).toEqual([[ONE_PURCHASE, ONE_PURCHASE], 1]);
  });

  test('the sweep completes a cart’s payment whose capture had an unknown outcome', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    const { transId } = await authorizeCart(shop, customer);
    portOverrides = { capture: rejectUnknown };
    expect((await confirmPayment(shop, customer, transId)).status).toBe(502);
    portOverrides = {};
    await sweep(shop.services);
    expect([await countOwned('book', 'sound'), await countCharges(shop, transId)]).toEqual([[ONE_PURCHASE, ONE_PURCHASE], 1]);
    expect(listTitleIds(await readCart())).toEqual([]);
  });

  test('no other cart is charged while the outcome of a payment is unknown', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    const { transId } = await authorizeCart(shop, customer);
    portOverrides = { capture: rejectUnknown };
    await confirmPayment(shop, customer, transId);
    await fillCart(shop, customer, ['film']);
    expect((await startCartSession(shop, customer)).value).toMatchObject({ status: 502, code: 'payment_unknown' });
    portOverrides = {};
    // The first request finds the first cart paid; the second one starts a payment of the new
    // title.
    expect((await startCartSession(shop, customer)).value).toMatchObject({ status: 409, code: 'already_owned' });
    const nextSession = (await startCartSession(shop, customer)).value as Session;
    expect([await countOwned('book', 'sound', 'film'), await countCharges(shop, transId)]).toEqual([
      [ONE_PURCHASE, ONE_PURCHASE, NO_PURCHASE],
      1,
    ]);
    expect(await readSessionStatus(shop, customer, nextSession.transId)).toMatchObject({ status: 'pending' });
    expect(await countCharges(shop, nextSession.transId)).toBe(0);
  });

  test('a cart session without a response of the gateway is reported as payment_unavailable', async () => {
    await fillCart(shop, customer, ['book']);
    portOverrides = { create: rejectUnknown };
    expect((await startCartSession(shop, customer)).value).toMatchObject({ status: 502, code: 'payment_unavailable' });
  });

  test('a payment cancelled at the gateway leaves the cart unchanged', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    const { value } = await startCartSession(shop, customer);
    const { url, transId } = value as Session;
    await postFields(`${url}/cancel`, {});
    expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'cancelled', url: null });
    expect(listTitleIds(await readCart())).toEqual(['sound', 'book']);
    expect(((await startCartSession(shop, customer)).value as Session).transId).not.toBe(transId);
  });

  test('a title that is bought separately leaves the cart', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    const { transId } = await authorizePayment(shop, customer, 'book');
    await confirmPayment(shop, customer, transId);
    expect(listTitleIds(await readCart())).toEqual(['sound']);
    expect(
      (await shop.call('paymentSession', '/payment/session', { query: { ...customer.query, titleId: 'book' } })).status,
    ).toBe(409);
    expect((await startPayment(shop, customer, 'sound')).transId).not.toBe(transId);
  });
});

describe('saved cards', () => {
  test('a saved card authorises the cart’s payment, which is charged on confirmation', async () => {
    const cardId = await saveCard(shop, customer);
    await fillCart(shop, customer, ['book', 'sound']);
    const { transId } = (await startCartSession(shop, customer, { cardId })).value as Session;
    expect([(await readSessionStatus(shop, customer, transId))['status'], await countCharges(shop, transId)]).toEqual([
      'authorized',
      0,
    ]);
    expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
    expect([await countOwned('book', 'sound'), await countCharges(shop, transId)]).toEqual([[ONE_PURCHASE, ONE_PURCHASE], 1]);
  });

  test('another customer’s saved card is not found', async () => {
    const cardId = await saveCard(shop, await createCustomer(shop, store));
    await fillCart(shop, customer, ['book']);
    expect((await startCartSession(shop, customer, { cardId })).status).toBe(404);
  });
});
