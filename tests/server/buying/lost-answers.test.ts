import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { authorized, begin, CARDS, chargesOf, confirm, holdings, pay, statusOf } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** What goes wrong between the store and the gateway, until a test mends it. */
let trouble: Partial<PaymentPort> = {};
const troubled = (port: PaymentPort): PaymentPort => ({
  ...port,
  create: (request) => (trouble.create ?? port.create)(request),
  read: (id) => (trouble.read ?? port.read)(id),
  readByReference: (reference) => (trouble.readByReference ?? port.readByReference)(reference),
  capture: (id) => (trouble.capture ?? port.capture)(id),
  cancel: (id) => (trouble.cancel ?? port.cancel)(id),
});

const ONCE = { purchases: 1, copies: 1, paid: 1 };
const silent = () => Promise.reject(new PaymentUnknown(new Error('silence')));

let shop: Shop;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ payment: troubled });
});
beforeEach(async () => {
  customer = await customerOf(shop, await shop.store());
});
afterEach(() => {
  trouble = {};
});
afterAll(() => shop.close());

const charged = async (transId: string) => ({
  charges: await chargesOf(shop, transId),
  ...(await holdings(shop, customer, 'book')),
});
/** Presses Buy, whatever comes of it. */
const press = () => shop.ask('paymentSession', '/payment/session', { query: { ...customer.query, titleId: 'book' } });

test('a capture whose answer is lost is unknown, and the status finds it paid', async () => {
  const { transId } = await authorized(shop, customer, 'book', CARDS.lost);
  expect((await confirm(shop, customer, transId)).value).toMatchObject({ status: 502, code: 'payment_unknown' });
  expect(await holdings(shop, customer, 'book')).toEqual({ purchases: 0, copies: 0, paid: 0 });
  expect(await statusOf(shop, customer, transId)).toMatchObject({ status: 'paid' });
  expect(await charged(transId)).toEqual({ charges: 1, ...ONCE });
});

test('a capture whose answer is lost may be confirmed again', async () => {
  const { transId } = await authorized(shop, customer, 'book', CARDS.lost);
  const keyed = { 'idempotency-key': 'the-same-press' };
  expect((await confirm(shop, customer, transId, keyed)).status).toBe(502);
  expect((await confirm(shop, customer, transId, keyed)).status).toBe(200);
  expect(await charged(transId)).toEqual({ charges: 1, ...ONCE });
});

test('a server that ends between capture and grant leaves it to the sweep', async () => {
  const { transId } = await authorized(shop, customer, 'book');
  trouble = {
    async capture(id) {
      await shop.gateway.port.capture(id);
      throw new Error('The server ends here.');
    },
  };
  expect((await confirm(shop, customer, transId)).value).toEqual({ error: expect.any(String), status: 500, code: 'internal' });
  expect(await charged(transId)).toEqual({ charges: 1, purchases: 0, copies: 0, paid: 0 });
  trouble = {};
  expect((await sweep(shop.services)).payments).toBe(1);
  expect(await charged(transId)).toEqual({ charges: 1, ...ONCE });
  expect((await sweep(shop.services)).payments).toBe(0);
});

test('a capture that never reached the gateway is made by the sweep: the customer had confirmed', async () => {
  const { transId } = await authorized(shop, customer, 'book');
  trouble = { capture: silent };
  expect((await confirm(shop, customer, transId)).status).toBe(502);
  trouble = {};
  expect(await chargesOf(shop, transId)).toBe(0);
  await sweep(shop.services);
  expect(await charged(transId)).toEqual({ charges: 1, ...ONCE });
});

test('an authorisation that was not confirmed is never captured by the sweep', async () => {
  const { transId } = await authorized(shop, customer, 'book');
  await sweep(shop.services);
  expect(await charged(transId)).toEqual({ charges: 0, purchases: 0, copies: 0, paid: 0 });
  expect(await statusOf(shop, customer, transId)).toMatchObject({ status: 'authorized' });
});

test('what is not confirmed within a day is released', async () => {
  const { transId, url } = await authorized(shop, customer, 'book');
  await sweep(shop.services, new Date(Date.now() + 25 * 60 * 60 * 1000));
  expect(await statusOf(shop, customer, transId)).toMatchObject({ status: 'cancelled', reason: 'abandoned' });
  const page = await fetch(url, { redirect: 'manual' });
  expect(page.headers.get('location')).toContain('cancelled=1');
});

test('a gateway that does not answer at the start charges nothing, and the next press continues the same transaction', async () => {
  trouble = { create: silent };
  expect((await press()).value).toMatchObject({ status: 502, code: 'payment_unavailable' });
  const begun = await shop.db.selectFrom('transactions').selectAll().where('user_id', '=', customer.id).executeTakeFirstOrThrow();
  trouble = {};
  expect(await begin(shop, customer, 'book')).toMatchObject({ transId: begun.id });
});

test('a capture that may be in progress is unknown to a second press of the button too, and the sweep grants once', async () => {
  const { transId } = await authorized(shop, customer, 'book');
  trouble = {
    async capture(id) {
      await shop.gateway.port.capture(id);
      return silent();
    },
  };
  expect((await confirm(shop, customer, transId)).status).toBe(502);
  expect(await charged(transId)).toEqual({ charges: 1, purchases: 0, copies: 0, paid: 0 });
  trouble = { read: silent };
  expect((await press()).value).toMatchObject({ status: 502, code: 'payment_unknown' });
  trouble = {};
  await sweep(shop.services);
  await sweep(shop.services);
  expect(await charged(transId)).toEqual({ charges: 1, ...ONCE });
});

test('a capture that is requested again and again not answered is unknown to that press', async () => {
  const { transId } = await authorized(shop, customer, 'book');
  trouble = { capture: silent };
  expect((await confirm(shop, customer, transId)).status).toBe(502);
  trouble = {
    async capture(id) {
      await shop.gateway.port.capture(id);
      return silent();
    },
  };
  expect((await press()).value).toMatchObject({ status: 502, code: 'payment_unknown' });
  trouble = {};
  await sweep(shop.services);
  expect(await charged(transId)).toEqual({ charges: 1, ...ONCE });
});

test('a stored card gets the same answer about a capture that may be in progress', async () => {
  const { url, transId: first } = await begin(shop, customer, 'sound');
  await pay(url, CARDS.good, { keep: 'yes' });
  await confirm(shop, customer, first);
  const { id: cardId } = await shop.db
    .selectFrom('cards')
    .select('id')
    .where('user_id', '=', customer.id)
    .executeTakeFirstOrThrow();
  const { transId } = await authorized(shop, customer, 'book');
  const buy = async () =>
    (await shop.ask('purchaseTitle', '/purchase/title', { query: { ...customer.query, cardId, titleId: 'book' } })).value;
  trouble = { read: silent };
  expect(await buy()).toMatchObject({ status: 502, code: 'payment_unavailable' });
  trouble = { capture: silent };
  await confirm(shop, customer, transId);
  expect(await buy()).toMatchObject({ status: 502, code: 'payment_unknown' });
  trouble = {};
  await sweep(shop.services);
  expect(await charged(transId)).toEqual({ charges: 1, ...ONCE });
});

test('a confirmation that overtakes a press leaves that press unknown', async () => {
  const { transId } = await authorized(shop, customer, 'book');
  trouble = {
    async read() {
      trouble = {};
      expect((await confirm(shop, customer, transId)).status).toBe(200);
      return silent();
    },
  };
  expect((await press()).value).toMatchObject({ status: 502, code: 'payment_unknown' });
  expect(await charged(transId)).toEqual({ charges: 1, ...ONCE });
});

test('a session whose answer was lost is found again by its reference', async () => {
  trouble = {
    async create(request) {
      await shop.gateway.port.create(request);
      return silent();
    },
  };
  await press();
  trouble = {};
  const again = await begin(shop, customer, 'book');
  await pay(again.url, CARDS.good);
  expect((await confirm(shop, customer, again.transId)).status).toBe(200);
  expect(await charged(again.transId)).toEqual({ charges: 1, ...ONCE });
});

test('the page of a payment that has failed meanwhile is not handed out', async () => {
  const { url } = await begin(shop, customer, 'book');
  trouble = {
    async create(request) {
      for (let card = 0; card < 5; card += 1) await pay(url, CARDS.declined);
      return shop.gateway.port.create(request);
    },
  };
  expect((await press()).value).toMatchObject({ status: 409, code: 'conflict' });
  trouble = {};
  expect((await begin(shop, customer, 'book')).url).not.toBe(url);
});

test('while the gateway does not answer, the status says what is known', async () => {
  const { transId } = await authorized(shop, customer, 'book');
  trouble = { read: silent };
  expect(await statusOf(shop, customer, transId)).toMatchObject({ status: 'pending', url: null });
  expect((await confirm(shop, customer, transId)).value).toMatchObject({ code: 'payment_unknown' });
});
