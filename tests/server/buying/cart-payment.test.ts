import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { keepCard } from '../support/cards.ts';
import { authorizedCart, beginCart, cartCall, fill, idsIn } from '../support/carts.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { authorized, begin, CARDS, chargesOf, confirm, holdings, pay, post, type Session, statusOf } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** What goes wrong between the store and the gateway, until a test mends it. */
let trouble: Partial<PaymentPort> = {};
const troubled = (port: PaymentPort): PaymentPort => ({
  ...port,
  create: (request) => (trouble.create ?? port.create)(request),
  capture: (id) => (trouble.capture ?? port.capture)(id),
});
const silent = () => Promise.reject(new PaymentUnknown(new Error('silence')));

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ payment: troubled });
  store = await shop.store();
});
beforeEach(async () => {
  customer = await customerOf(shop, store);
});
afterEach(() => {
  trouble = {};
});
afterAll(() => shop.close());

const cart = async () => (await cartCall(shop, customer, 'cartTitles')).value;

/** What the customer has of each title: purchases, copies. */
const owned = async (...titleIds: string[]) =>
  Promise.all(
    titleIds.map(async (titleId) => holdings(shop, customer, titleId).then(({ purchases, copies }) => [purchases, copies])),
  );

const give = (titleId: string) =>
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
const NOTHING = [0, 0];
const ONCE = [1, 1];

test('a cart is bought: one charge, every title, one receipt, and it is empty [S7.checkout/cart/session]', async () => {
  await fill(shop, customer, ['book', 'sound', 'gratis']);
  const begun = await beginCart(shop, customer, { titleids: 'sound,book', price: 21.9, currency: 'EUR' });
  const { transId, url, provider } = begun.value as Session;
  expect(provider).toBe('test');
  const page = await (await fetch(url)).text();
  expect(page).toContain('€21.90');
  expect(page).toContain('Éclair of Winter, The Salt &lt;Road&gt; &amp; Other');
  expect(await statusOf(shop, customer, transId)).toMatchObject({ status: 'pending', titleId: '', url });
  const back = new URL((await pay(url, CARDS.good)).headers.get('location') ?? '');
  expect([back.pathname, back.searchParams.get('transId')]).toEqual(['/cart/checkout', transId]);
  expect([await owned('book', 'sound'), await chargesOf(shop, transId)]).toEqual([[NOTHING, NOTHING], 0]);

  expect((await confirm(shop, customer, transId)).value).toMatchObject({ transId, titleId: 'sound', status: 'paid' });
  expect([await owned('book', 'sound', 'gratis'), await chargesOf(shop, transId)]).toEqual([[ONCE, ONCE, NOTHING], 1]);
  expect(idsIn(await cart())).toEqual(['gratis']);
  expect(await statusOf(shop, customer, transId)).toMatchObject({ status: 'paid' });
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

describe('nothing twice', () => {
  test('twenty confirmations at once charge once and grant every title once', async () => {
    await fill(shop, customer, ['book', 'sound', 'film']);
    const { transId } = await authorizedCart(shop, customer);
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(shop, customer, transId)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect([await owned('book', 'sound', 'film'), await chargesOf(shop, transId)]).toEqual([[ONCE, ONCE, ONCE], 1]);
  });

  test('twenty sessions at once are one payment', async () => {
    await fill(shop, customer, ['book', 'sound']);
    const answers = await Promise.all(Array.from({ length: 20 }, () => beginCart(shop, customer)));
    expect(new Set(answers.map(({ value }) => (value as Session).transId)).size).toBe(1);
    expect(await transactions()).toHaveLength(1);
  });

  test('a repeated press answers the same session', async () => {
    await fill(shop, customer, ['book', 'sound']);
    const keyed = { 'idempotency-key': 'the-same-press' };
    const [one, other] = [await beginCart(shop, customer, {}, keyed), await beginCart(shop, customer, {}, keyed)];
    expect(other.value).toEqual(one.value);
  });

  test('of a cart and one of its titles, confirmed at once, one is charged', async () => {
    await fill(shop, customer, ['book', 'sound']);
    const both = await authorizedCart(shop, customer);
    const single = await authorized(shop, customer, 'book');
    const answers = await Promise.all([both, single].map(({ transId }) => confirm(shop, customer, transId)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await owned('book'))[0]).toEqual(ONCE);
    const charges = await Promise.all([both, single].map(({ transId }) => chargesOf(shop, transId)));
    expect(charges.toSorted((a, b) => a - b)).toEqual([0, 1]);
  });

  test('a payment whose outcome is not known keeps another one for the same title from being charged', async () => {
    await fill(shop, customer, ['book', 'sound']);
    const both = await authorizedCart(shop, customer);
    const single = await authorized(shop, customer, 'book');
    trouble = { capture: silent };
    expect((await confirm(shop, customer, single.transId)).value).toMatchObject({ code: 'payment_unknown' });
    trouble = {};
    expect((await confirm(shop, customer, both.transId)).value).toMatchObject({ status: 409, code: 'conflict' });
    expect(await statusOf(shop, customer, both.transId)).toMatchObject({ status: 'cancelled', reason: 'conflict' });
    expect(await statusOf(shop, customer, single.transId)).toMatchObject({ status: 'paid' });
    expect([await owned('book', 'sound'), await chargesOf(shop, both.transId)]).toEqual([[ONCE, NOTHING], 0]);
  });
});

describe('only what was seen is charged', () => {
  test.each([
    ['another price', { price: 1, currency: 'EUR' }],
    ['a price in another currency', { price: 21.9, currency: 'JPY' }],
    ['a currency that nothing is sold in', { titleids: 'book,sound', price: 21.9, currency: 'CHF' }],
    ['fewer titles', { titleids: 'book', price: 21.9, currency: 'EUR' }],
    ['other titles', { titleids: 'book,film', currency: 'EUR' }],
  ])('%s is refused', async (_what, shown) => {
    await fill(shop, customer, ['book', 'sound']);
    expect((await beginCart(shop, customer, shown)).value).toMatchObject({ status: 409, code: 'price_changed' });
    expect(await transactions()).toEqual([]);
  });

  test('what came into the library since is refused before a payment, and left out of the next one', async () => {
    await fill(shop, customer, ['book', 'sound']);
    await give('book');
    const seen = { titleids: 'book,sound', price: 21.9, currency: 'EUR' };
    expect((await beginCart(shop, customer, seen)).value).toMatchObject({ code: 'price_changed', price: 12, currency: 'EUR' });
    expect((await beginCart(shop, customer, { titleids: 'sound', price: 12, currency: 'EUR' })).status).toBe(200);
  });

  test('what came into the library after the payment page is not charged for', async () => {
    await fill(shop, customer, ['book', 'sound']);
    const { transId } = await authorizedCart(shop, customer);
    await give('book');
    expect((await confirm(shop, customer, transId)).value).toMatchObject({ status: 409, code: 'already_owned' });
    expect([await chargesOf(shop, transId), await owned('sound')]).toEqual([0, [NOTHING]]);
    expect(idsIn(await cart())).toEqual(['sound', 'book']);
  });

  test('a cart that changed on the way is another payment, and the first one is released', async () => {
    await fill(shop, customer, ['book', 'sound']);
    const first = await authorizedCart(shop, customer);
    await cartCall(shop, customer, 'removeFromCart', { titleId: 'book' });
    const second = await authorizedCart(shop, customer);
    expect(second.transId).not.toBe(first.transId);
    expect((await confirm(shop, customer, first.transId)).value).toMatchObject({ status: 409, code: 'cancelled' });
    expect((await confirm(shop, customer, second.transId)).status).toBe(200);
    expect([await owned('book', 'sound'), await chargesOf(shop, first.transId)]).toEqual([[NOTHING, ONCE], 0]);
  });

  test('a price that changed on the way is another payment, too', async () => {
    const own = await shop.store();
    customer = await customerOf(shop, own);
    await fill(shop, customer, ['book', 'sound']);
    const { value } = await beginCart(shop, customer);
    const prices = shop.db.updateTable('prices').where('store_id', '=', own).where('title_id', '=', 'book');
    await prices.where('currency', '=', 'EUR').set({ amount_minor: 500 }).execute();
    const again = await beginCart(shop, customer, { titleids: 'book,sound', price: 17, currency: 'EUR' });
    expect(again.status).toBe(200);
    expect((again.value as Session).transId).not.toBe((value as Session).transId);
  });

  test('an empty cart, and one with nothing to pay for, begins no payment', async () => {
    expect((await beginCart(shop, customer)).value).toMatchObject({ status: 409, code: 'cart_empty' });
    await fill(shop, customer, ['gratis', 'not-for-sale']);
    expect((await beginCart(shop, customer)).value).toMatchObject({ status: 409, code: 'cart_empty' });
    expect(await transactions()).toEqual([]);
  });

  test('another customer’s payment is nobody’s to confirm or to read', async () => {
    await fill(shop, customer, ['book', 'sound']);
    const { transId } = await authorizedCart(shop, customer);
    const other = await customerOf(shop, store);
    expect((await confirm(shop, other, transId)).status).toBe(404);
    const status = await shop.ask('sessionStatus', '/checkout/session/status', { query: { ...other.query, transId } });
    const receipt = await shop.ask('purchaseInfo', '/purchase/info', { query: { ...other.query, transId } });
    expect([status.status, receipt.status]).toEqual([404, 404]);
    expect((await beginCart(shop, other)).value).toMatchObject({ code: 'cart_empty' });
  });

  test('a way to pay that the store’s gateway does not offer is refused', async () => {
    await fill(shop, customer, ['book']);
    expect((await beginCart(shop, customer, { method: 'upi' })).status).toBe(400);
  });
});

describe('nothing lost', () => {
  test('a capture whose answer is lost is unknown, and the status finds all titles paid', async () => {
    await fill(shop, customer, ['book', 'sound']);
    const { transId } = await authorizedCart(shop, customer, CARDS.lost);
    expect((await confirm(shop, customer, transId)).value).toMatchObject({ status: 502, code: 'payment_unknown' });
    expect(await owned('book', 'sound')).toEqual([NOTHING, NOTHING]);
    expect(await statusOf(shop, customer, transId)).toMatchObject({ status: 'paid' });
    expect([await owned('book', 'sound'), await chargesOf(shop, transId)]).toEqual([[ONCE, ONCE], 1]);
  });

  test('a server that ends after the intention leaves it to the sweep', async () => {
    await fill(shop, customer, ['book', 'sound']);
    const { transId } = await authorizedCart(shop, customer);
    trouble = { capture: silent };
    expect((await confirm(shop, customer, transId)).status).toBe(502);
    trouble = {};
    await sweep(shop.services);
    expect([await owned('book', 'sound'), await chargesOf(shop, transId)]).toEqual([[ONCE, ONCE], 1]);
    expect(idsIn(await cart())).toEqual([]);
  });

  test('while it is not known, another cart is not charged for', async () => {
    await fill(shop, customer, ['book', 'sound']);
    const { transId } = await authorizedCart(shop, customer);
    trouble = { capture: silent };
    await confirm(shop, customer, transId);
    await fill(shop, customer, ['film']);
    expect((await beginCart(shop, customer)).value).toMatchObject({ status: 502, code: 'payment_unknown' });
    trouble = {};
    // Heard of at last, the first cart is paid for; the next payment is for what is left.
    expect((await beginCart(shop, customer)).value).toMatchObject({ status: 409, code: 'already_owned' });
    const next = (await beginCart(shop, customer)).value as Session;
    expect([await owned('book', 'sound', 'film'), await chargesOf(shop, transId)]).toEqual([[ONCE, ONCE, NOTHING], 1]);
    expect(await statusOf(shop, customer, next.transId)).toMatchObject({ status: 'pending' });
    expect(await chargesOf(shop, next.transId)).toBe(0);
  });

  test('a gateway that cannot be heard charges nothing, and says so', async () => {
    await fill(shop, customer, ['book']);
    trouble = { create: silent };
    expect((await beginCart(shop, customer)).value).toMatchObject({ status: 502, code: 'payment_unavailable' });
  });

  test('cancelled at the gateway, the cart is as it was', async () => {
    await fill(shop, customer, ['book', 'sound']);
    const { value } = await beginCart(shop, customer);
    const { url, transId } = value as Session;
    await post(`${url}/cancel`, {});
    expect(await statusOf(shop, customer, transId)).toMatchObject({ status: 'cancelled', url: null });
    expect(idsIn(await cart())).toEqual(['sound', 'book']);
    expect(((await beginCart(shop, customer)).value as Session).transId).not.toBe(transId);
  });

  test('a title that is bought by itself leaves the cart', async () => {
    await fill(shop, customer, ['book', 'sound']);
    const { transId } = await authorized(shop, customer, 'book');
    await confirm(shop, customer, transId);
    expect(idsIn(await cart())).toEqual(['sound']);
    expect((await shop.ask('paymentSession', '/payment/session', { query: { ...customer.query, titleId: 'book' } })).status).toBe(
      409,
    );
    expect((await begin(shop, customer, 'sound')).transId).not.toBe(transId);
  });
});

describe('a kept card', () => {
  test('authorises the cart; it is charged when that is confirmed', async () => {
    const cardId = await keepCard(shop, customer);
    await fill(shop, customer, ['book', 'sound']);
    const { transId } = (await beginCart(shop, customer, { cardId })).value as Session;
    expect([(await statusOf(shop, customer, transId))['status'], await chargesOf(shop, transId)]).toEqual(['authorized', 0]);
    expect((await confirm(shop, customer, transId)).status).toBe(200);
    expect([await owned('book', 'sound'), await chargesOf(shop, transId)]).toEqual([[ONCE, ONCE], 1]);
  });

  test('that is not the customer’s is not found', async () => {
    const cardId = await keepCard(shop, await customerOf(shop, store));
    await fill(shop, customer, ['book']);
    expect((await beginCart(shop, customer, { cardId })).status).toBe(404);
  });
});
