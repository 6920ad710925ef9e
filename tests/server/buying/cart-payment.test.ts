import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { saveCard } from '../support/cards.ts';
import { authorizeCart, startCartSession, cartCall, fillCart, titleIdsIn } from '../support/carts.ts';
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

/** Faults between the store and the gateway, until a test clears them. */
let portOverrides: Partial<PaymentPort> = {};
const overridablePort = (port: PaymentPort): PaymentPort => ({
  ...port,
  create: (request) => (portOverrides.create ?? port.create)(request),
  capture: (id) => (portOverrides.capture ?? port.capture)(id),
});
const rejectUnknown = () => Promise.reject(new PaymentUnknown(new Error('silence')));

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ payment: overridablePort });
  store = await shop.store();
});
beforeEach(async () => {
  customer = await createCustomer(shop, store);
});
afterEach(() => {
  portOverrides = {};
});
afterAll(() => shop.close());

const cart = async () => (await cartCall(shop, customer, 'cartTitles')).value;

/** The customer's purchases and copies of each title. */
const ownedCounts = async (...titleIds: string[]) =>
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

const transactions = () => shop.db.selectFrom('transactions').selectAll().where('user_id', '=', customer.id).execute();
const NO_PURCHASE = [0, 0];
const ONE_PURCHASE = [1, 1];

test('buying a cart makes one charge and one receipt, grants every title, and empties the cart [S7.checkout/cart/session]', async () => {
  await fillCart(shop, customer, ['book', 'sound', 'gratis']);
  const begun = await startCartSession(shop, customer, { titleids: 'sound,book', price: 21.9, currency: 'EUR' });
  const { transId, url, provider } = begun.value as Session;
  expect(provider).toBe('test');
  const page = await (await fetch(url)).text();
  expect(page).toContain('€21.90');
  expect(page).toContain('Éclair of Winter, The Salt &lt;Road&gt; &amp; Other');
  expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'pending', titleId: '', url });
  const back = new URL((await submitCardForm(url, CARD_NUMBERS.good)).headers.get('location') ?? '');
  expect([back.pathname, back.searchParams.get('transId')]).toEqual(['/cart/checkout', transId]);
  expect([await ownedCounts('book', 'sound'), await countCharges(shop, transId)]).toEqual([[NO_PURCHASE, NO_PURCHASE], 0]);

  expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ transId, titleId: 'sound', status: 'paid' });
  expect([await ownedCounts('book', 'sound', 'gratis'), await countCharges(shop, transId)]).toEqual([
    [ONE_PURCHASE, ONE_PURCHASE, NO_PURCHASE],
    1,
  ]);
  expect(titleIdsIn(await cart())).toEqual(['gratis']);
  expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'paid' });
  const receipt = await shop.ask('purchaseInfo', '/purchase/info', { query: { ...customer.query, transId } });
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
  const has = await shop.ask('userHasTitle', '/user/has-title', { query: { ...customer.query, transId } });
  expect(has.value).toMatchObject({ hasTitle: true, titleId: 'sound' });
});

describe('a cart is not paid twice', () => {
  test('twenty confirmations at once charge once and grant every title once', async () => {
    await fillCart(shop, customer, ['book', 'sound', 'film']);
    const { transId } = await authorizeCart(shop, customer);
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirmPayment(shop, customer, transId)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect([await ownedCounts('book', 'sound', 'film'), await countCharges(shop, transId)]).toEqual([
      [ONE_PURCHASE, ONE_PURCHASE, ONE_PURCHASE],
      1,
    ]);
  });

  test('twenty sessions at once are one payment', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    const answers = await Promise.all(Array.from({ length: 20 }, () => startCartSession(shop, customer)));
    expect(new Set(answers.map(({ value }) => (value as Session).transId)).size).toBe(1);
    expect(await transactions()).toHaveLength(1);
  });

  test('a repeated request with the same idempotency key gets the same session', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    const keyed = { 'idempotency-key': 'the-same-press' };
    const [one, other] = [await startCartSession(shop, customer, {}, keyed), await startCartSession(shop, customer, {}, keyed)];
    expect(other.value).toEqual(one.value);
  });

  test('of a cart and one of its titles, confirmed at once, only one is charged', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    const both = await authorizeCart(shop, customer);
    const single = await authorizePayment(shop, customer, 'book');
    const answers = await Promise.all([both, single].map(({ transId }) => confirmPayment(shop, customer, transId)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await ownedCounts('book'))[0]).toEqual(ONE_PURCHASE);
    const charges = await Promise.all([both, single].map(({ transId }) => countCharges(shop, transId)));
    expect(charges.toSorted((a, b) => a - b)).toEqual([0, 1]);
  });

  test('a payment with an unknown outcome blocks the charge of another one for the same title', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    const both = await authorizeCart(shop, customer);
    const single = await authorizePayment(shop, customer, 'book');
    portOverrides = { capture: rejectUnknown };
    expect((await confirmPayment(shop, customer, single.transId)).value).toMatchObject({ code: 'payment_unknown' });
    portOverrides = {};
    expect((await confirmPayment(shop, customer, both.transId)).value).toMatchObject({ status: 409, code: 'conflict' });
    expect(await readSessionStatus(shop, customer, both.transId)).toMatchObject({ status: 'cancelled', reason: 'conflict' });
    expect(await readSessionStatus(shop, customer, single.transId)).toMatchObject({ status: 'paid' });
    expect([await ownedCounts('book', 'sound'), await countCharges(shop, both.transId)]).toEqual([
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
  ])('%s is refused', async (_what, shown) => {
    await fillCart(shop, customer, ['book', 'sound']);
    expect((await startCartSession(shop, customer, shown)).value).toMatchObject({ status: 409, code: 'price_changed' });
    expect(await transactions()).toEqual([]);
  });

  test('a title acquired in the meantime is refused before the payment, and left out of the next one', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    await grantTitle('book');
    const seen = { titleids: 'book,sound', price: 21.9, currency: 'EUR' };
    expect((await startCartSession(shop, customer, seen)).value).toMatchObject({
      code: 'price_changed',
      price: 12,
      currency: 'EUR',
    });
    expect((await startCartSession(shop, customer, { titleids: 'sound', price: 12, currency: 'EUR' })).status).toBe(200);
  });

  test('a title acquired after the payment page is not charged for', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    const { transId } = await authorizeCart(shop, customer);
    await grantTitle('book');
    expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ status: 409, code: 'already_owned' });
    expect([await countCharges(shop, transId), await ownedCounts('sound')]).toEqual([0, [NO_PURCHASE]]);
    expect(titleIdsIn(await cart())).toEqual(['sound', 'book']);
  });

  test('a cart changed after its session starts another payment, and the first one is released', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    const first = await authorizeCart(shop, customer);
    await cartCall(shop, customer, 'removeFromCart', { titleId: 'book' });
    const second = await authorizeCart(shop, customer);
    expect(second.transId).not.toBe(first.transId);
    expect((await confirmPayment(shop, customer, first.transId)).value).toMatchObject({ status: 409, code: 'cancelled' });
    expect((await confirmPayment(shop, customer, second.transId)).status).toBe(200);
    expect([await ownedCounts('book', 'sound'), await countCharges(shop, first.transId)]).toEqual([
      [NO_PURCHASE, ONE_PURCHASE],
      0,
    ]);
  });

  test('a price changed after the session starts another payment', async () => {
    const own = await shop.store();
    customer = await createCustomer(shop, own);
    await fillCart(shop, customer, ['book', 'sound']);
    const { value } = await startCartSession(shop, customer);
    const prices = shop.db.updateTable('prices').where('store_id', '=', own).where('title_id', '=', 'book');
    await prices.where('currency', '=', 'EUR').set({ amount_minor: 500 }).execute();
    const again = await startCartSession(shop, customer, { titleids: 'book,sound', price: 17, currency: 'EUR' });
    expect(again.status).toBe(200);
    expect((again.value as Session).transId).not.toBe((value as Session).transId);
  });

  test('an empty cart, and one without paid titles, start no payment', async () => {
    expect((await startCartSession(shop, customer)).value).toMatchObject({ status: 409, code: 'cart_empty' });
    await fillCart(shop, customer, ['gratis', 'not-for-sale']);
    expect((await startCartSession(shop, customer)).value).toMatchObject({ status: 409, code: 'cart_empty' });
    expect(await transactions()).toEqual([]);
  });

  test('a customer can neither confirm nor read another customer’s payment', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    const { transId } = await authorizeCart(shop, customer);
    const other = await createCustomer(shop, store);
    expect((await confirmPayment(shop, other, transId)).status).toBe(404);
    const status = await shop.ask('sessionStatus', '/checkout/session/status', { query: { ...other.query, transId } });
    const receipt = await shop.ask('purchaseInfo', '/purchase/info', { query: { ...other.query, transId } });
    expect([status.status, receipt.status]).toEqual([404, 404]);
    expect((await startCartSession(shop, other)).value).toMatchObject({ code: 'cart_empty' });
  });

  test('a payment method that the store’s gateway does not offer is refused', async () => {
    await fillCart(shop, customer, ['book']);
    expect((await startCartSession(shop, customer, { method: 'upi' })).status).toBe(400);
  });
});

describe('a cart’s payment survives failures', () => {
  test('a capture without response is unknown, and the status call then grants all titles', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    const { transId } = await authorizeCart(shop, customer, CARD_NUMBERS.lost);
    expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ status: 502, code: 'payment_unknown' });
    expect(await ownedCounts('book', 'sound')).toEqual([NO_PURCHASE, NO_PURCHASE]);
    expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'paid' });
    expect([await ownedCounts('book', 'sound'), await countCharges(shop, transId)]).toEqual([[ONE_PURCHASE, ONE_PURCHASE], 1]);
  });

  test('a payment of a server that died after storing its intention is completed by the sweep', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    const { transId } = await authorizeCart(shop, customer);
    portOverrides = { capture: rejectUnknown };
    expect((await confirmPayment(shop, customer, transId)).status).toBe(502);
    portOverrides = {};
    await sweep(shop.services);
    expect([await ownedCounts('book', 'sound'), await countCharges(shop, transId)]).toEqual([[ONE_PURCHASE, ONE_PURCHASE], 1]);
    expect(titleIdsIn(await cart())).toEqual([]);
  });

  test('while its outcome is unknown, no other cart is charged for', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    const { transId } = await authorizeCart(shop, customer);
    portOverrides = { capture: rejectUnknown };
    await confirmPayment(shop, customer, transId);
    await fillCart(shop, customer, ['film']);
    expect((await startCartSession(shop, customer)).value).toMatchObject({ status: 502, code: 'payment_unknown' });
    portOverrides = {};
    // Once the first cart's payment is found paid, the next one covers the rest.
    expect((await startCartSession(shop, customer)).value).toMatchObject({ status: 409, code: 'already_owned' });
    const next = (await startCartSession(shop, customer)).value as Session;
    expect([await ownedCounts('book', 'sound', 'film'), await countCharges(shop, transId)]).toEqual([
      [ONE_PURCHASE, ONE_PURCHASE, NO_PURCHASE],
      1,
    ]);
    expect(await readSessionStatus(shop, customer, next.transId)).toMatchObject({ status: 'pending' });
    expect(await countCharges(shop, next.transId)).toBe(0);
  });

  test('a gateway without response charges nothing and is reported as payment_unavailable', async () => {
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
    expect(titleIdsIn(await cart())).toEqual(['sound', 'book']);
    expect(((await startCartSession(shop, customer)).value as Session).transId).not.toBe(transId);
  });

  test('a title that is bought by itself leaves the cart', async () => {
    await fillCart(shop, customer, ['book', 'sound']);
    const { transId } = await authorizePayment(shop, customer, 'book');
    await confirmPayment(shop, customer, transId);
    expect(titleIdsIn(await cart())).toEqual(['sound']);
    expect((await shop.ask('paymentSession', '/payment/session', { query: { ...customer.query, titleId: 'book' } })).status).toBe(
      409,
    );
    expect((await startPayment(shop, customer, 'sound')).transId).not.toBe(transId);
  });
});

describe('a saved card', () => {
  test('authorises the cart, which is charged when it is confirmed', async () => {
    const cardId = await saveCard(shop, customer);
    await fillCart(shop, customer, ['book', 'sound']);
    const { transId } = (await startCartSession(shop, customer, { cardId })).value as Session;
    expect([(await readSessionStatus(shop, customer, transId))['status'], await countCharges(shop, transId)]).toEqual([
      'authorized',
      0,
    ]);
    expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
    expect([await ownedCounts('book', 'sound'), await countCharges(shop, transId)]).toEqual([[ONE_PURCHASE, ONE_PURCHASE], 1]);
  });

  test('of another customer is not found', async () => {
    const cardId = await saveCard(shop, await createCustomer(shop, store));
    await fillCart(shop, customer, ['book']);
    expect((await startCartSession(shop, customer, { cardId })).status).toBe(404);
  });
});
