import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
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

/** Methods of the payment port that tests replace to cause faults. Emptied after each test. */
let portOverrides: Partial<PaymentPort> = {};
const createOverridablePort = (port: PaymentPort): PaymentPort => ({
  ...port,
  create: (request) => (portOverrides.create ?? port.create)(request),
  read: (id) => (portOverrides.read ?? port.read)(id),
  readByReference: (reference) => (portOverrides.readByReference ?? port.readByReference)(reference),
  capture: (id) => (portOverrides.capture ?? port.capture)(id),
  cancel: (id) => (portOverrides.cancel ?? port.cancel)(id),
});

const ONE_PURCHASE = { purchases: 1, copies: 1, paid: 1 };
const rejectUnknown = () => Promise.reject(new PaymentUnknown(new Error('no response')));

let shop: Shop;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ payment: createOverridablePort });
});
beforeEach(async () => {
  customer = await createCustomer(shop, await shop.store());
});
afterEach(() => {
  portOverrides = {};
});
afterAll(() => shop.close());

const readOutcome = async (transId: string) => ({
  charges: await countCharges(shop, transId),
  ...(await countHoldings(shop, customer, 'book')),
});
/** Sends the request of the Buy button. The response may be an error. */
const requestSession = () => shop.call('paymentSession', '/payment/session', { query: { ...customer.query, titleId: 'book' } });

test('after a capture without response, the status call finds the payment paid', async () => {
  const { transId } = await authorizePayment(shop, customer, 'book', CARD_NUMBERS.lost);
  expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ status: 502, code: 'payment_unknown' });
  expect(await countHoldings(shop, customer, 'book')).toEqual({ purchases: 0, copies: 0, paid: 0 });
  expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'paid' });
  expect(await readOutcome(transId)).toEqual({ charges: 1, ...ONE_PURCHASE });
});

test('a payment whose capture got no response can be confirmed again', async () => {
  const { transId } = await authorizePayment(shop, customer, 'book', CARD_NUMBERS.lost);
  const headers = { 'idempotency-key': 'the-same-press' };
  expect((await confirmPayment(shop, customer, transId, headers)).status).toBe(502);
  expect((await confirmPayment(shop, customer, transId, headers)).status).toBe(200);
  expect(await readOutcome(transId)).toEqual({ charges: 1, ...ONE_PURCHASE });
});

test('a payment captured by a server that died before the grant is granted by the sweep', async () => {
  const { transId } = await authorizePayment(shop, customer, 'book');
  portOverrides = {
    async capture(id) {
      await shop.gateway.port.capture(id);
      throw new Error('The server dies here.');
    },
  };
  expect((await confirmPayment(shop, customer, transId)).value).toEqual({
    error: expect.any(String),
    status: 500,
    code: 'internal',
  });
  expect(await readOutcome(transId)).toEqual({ charges: 1, purchases: 0, copies: 0, paid: 0 });
  portOverrides = {};
  expect((await sweep(shop.services)).payments).toBe(1);
  expect(await readOutcome(transId)).toEqual({ charges: 1, ...ONE_PURCHASE });
  expect((await sweep(shop.services)).payments).toBe(0);
});

test('a confirmed capture that never reached the gateway is made by the sweep', async () => {
  const { transId } = await authorizePayment(shop, customer, 'book');
  portOverrides = { capture: rejectUnknown };
  expect((await confirmPayment(shop, customer, transId)).status).toBe(502);
  portOverrides = {};
  expect(await countCharges(shop, transId)).toBe(0);
  await sweep(shop.services);
  expect(await readOutcome(transId)).toEqual({ charges: 1, ...ONE_PURCHASE });
});

test('the sweep never captures an authorisation that was not confirmed', async () => {
  const { transId } = await authorizePayment(shop, customer, 'book');
  await sweep(shop.services);
  expect(await readOutcome(transId)).toEqual({ charges: 0, purchases: 0, copies: 0, paid: 0 });
  expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'authorized' });
});

test('a payment that is not confirmed within a day is released', async () => {
  const { transId, url } = await authorizePayment(shop, customer, 'book');
  await sweep(shop.services, new Date(Date.now() + 25 * 60 * 60 * 1000));
  expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'cancelled', reason: 'abandoned' });
  const page = await fetch(url, { redirect: 'manual' });
  expect(page.headers.get('location')).toContain('cancelled=1');
});

test('a purchase whose start gets no response of the gateway continues with the same transaction on the next request', async () => {
  portOverrides = { create: rejectUnknown };
  expect((await requestSession()).value).toMatchObject({ status: 502, code: 'payment_unavailable' });
  const startedTransaction = await shop.db
    .selectFrom('transactions')
    .selectAll()
    .where('user_id', '=', customer.id)
    .executeTakeFirstOrThrow();
  portOverrides = {};
  expect(await startPayment(shop, customer, 'book')).toMatchObject({ transId: startedTransaction.id });
});

test('a purchase request during a capture without response is answered payment_unknown, and the sweep grants the title once', async () => {
  const { transId } = await authorizePayment(shop, customer, 'book');
  portOverrides = {
    async capture(id) {
      await shop.gateway.port.capture(id);
      return rejectUnknown();
    },
  };
  expect((await confirmPayment(shop, customer, transId)).status).toBe(502);
  expect(await readOutcome(transId)).toEqual({ charges: 1, purchases: 0, copies: 0, paid: 0 });
  portOverrides = { read: rejectUnknown };
  expect((await requestSession()).value).toMatchObject({ status: 502, code: 'payment_unknown' });
  portOverrides = {};
  await sweep(shop.services);
  await sweep(shop.services);
  expect(await readOutcome(transId)).toEqual({ charges: 1, ...ONE_PURCHASE });
});

test('a purchase request whose retry of a capture gets no response is answered payment_unknown', async () => {
  const { transId } = await authorizePayment(shop, customer, 'book');
  portOverrides = { capture: rejectUnknown };
  expect((await confirmPayment(shop, customer, transId)).status).toBe(502);
  portOverrides = {
    async capture(id) {
      await shop.gateway.port.capture(id);
      return rejectUnknown();
    },
  };
  expect((await requestSession()).value).toMatchObject({ status: 502, code: 'payment_unknown' });
  portOverrides = {};
  await sweep(shop.services);
  expect(await readOutcome(transId)).toEqual({ charges: 1, ...ONE_PURCHASE });
});

test('a purchase by saved card is answered payment_unknown while another capture for the title may be in progress', async () => {
  const { url, transId: firstTransId } = await startPayment(shop, customer, 'sound');
  await submitCardForm(url, CARD_NUMBERS.good, { keep: 'yes' });
  await confirmPayment(shop, customer, firstTransId);
  const { id: cardId } = await shop.db
    .selectFrom('cards')
    .select('id')
    .where('user_id', '=', customer.id)
    .executeTakeFirstOrThrow();
  const { transId } = await authorizePayment(shop, customer, 'book');
  const buy = async () =>
    (await shop.call('purchaseTitle', '/purchase/title', { query: { ...customer.query, cardId, titleId: 'book' } })).value;
  portOverrides = { read: rejectUnknown };
  expect(await buy()).toMatchObject({ status: 502, code: 'payment_unavailable' });
  portOverrides = { capture: rejectUnknown };
  await confirmPayment(shop, customer, transId);
  expect(await buy()).toMatchObject({ status: 502, code: 'payment_unknown' });
  portOverrides = {};
  await sweep(shop.services);
  expect(await readOutcome(transId)).toEqual({ charges: 1, ...ONE_PURCHASE });
});

test('a purchase request that a confirmation overtakes is answered payment_unknown', async () => {
  const { transId } = await authorizePayment(shop, customer, 'book');
  portOverrides = {
    async read() {
      portOverrides = {};
      expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
      return rejectUnknown();
    },
  };
  expect((await requestSession()).value).toMatchObject({ status: 502, code: 'payment_unknown' });
  expect(await readOutcome(transId)).toEqual({ charges: 1, ...ONE_PURCHASE });
});

test('a payment whose creation response was lost is found again by its reference', async () => {
  portOverrides = {
    async create(request) {
      await shop.gateway.port.create(request);
      return rejectUnknown();
    },
  };
  await requestSession();
  portOverrides = {};
  const secondPayment = await startPayment(shop, customer, 'book');
  await submitCardForm(secondPayment.url, CARD_NUMBERS.good);
  expect((await confirmPayment(shop, customer, secondPayment.transId)).status).toBe(200);
  expect(await readOutcome(secondPayment.transId)).toEqual({ charges: 1, ...ONE_PURCHASE });
});

test('a purchase request whose payment fails at the same time is a conflict, and gets no payment page', async () => {
  const { url } = await startPayment(shop, customer, 'book');
  portOverrides = {
    async create(request) {
      for (let card = 0; card < 5; card += 1) await submitCardForm(url, CARD_NUMBERS.declined);
      return shop.gateway.port.create(request);
    },
  };
  expect((await requestSession()).value).toMatchObject({ status: 409, code: 'conflict' });
  portOverrides = {};
  expect((await startPayment(shop, customer, 'book')).url).not.toBe(url);
});

test('while the gateway does not respond, a payment has its last known status', async () => {
  const { transId } = await authorizePayment(shop, customer, 'book');
  portOverrides = { read: rejectUnknown };
  expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'pending', url: null });
  expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ code: 'payment_unknown' });
});
