import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seededRandom } from '../../../machines/paths/walk.ts';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import {
  authorizePayment,
  startPayment,
  CARD_NUMBERS,
  confirmPayment,
  submitCardForm,
  postFields,
  type Session,
} from '../support/paying.ts';
import { readJournal } from '../support/gateway-journal.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** Runs the port's calls below. Tests replace it to delay the calls or let them fail. */
let intercept: <Value>(call: keyof PaymentPort, id: string, run: () => Promise<Value>) => Promise<Value> = (_, __, run) => run();
const createInterceptedPort = (port: PaymentPort): PaymentPort => ({
  ...port,
  create: (request) => intercept('create', request.reference, () => port.create(request)),
  read: (id) => intercept('read', id, () => port.read(id)),
  readByReference: (reference) => intercept('readByReference', reference, () => port.readByReference(reference)),
  capture: (id) => intercept('capture', id, () => port.capture(id)),
  cancel: (id) => intercept('cancel', id, () => port.cancel(id)),
});

let shop: Shop;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ payment: createInterceptedPort });
});
beforeEach(async () => {
  customer = await createCustomer(shop, await shop.store());
});
afterEach(() => {
  intercept = (_, __, run) => run();
});
afterAll(() => shop.close());

type GatewayPayment = { reference: string; state: string };

/** Each payment of the test's store in the gateway's journal, with its last state. */
const readGatewayPayments = async (): Promise<GatewayPayment[]> =>
  [...(await readJournal(shop.gateway.folder))]
    .filter(([reference]) => reference.startsWith(`${customer.store}/`))
    .map(([reference, states]) => ({ reference, state: states.at(-1) ?? '' }));

/** Payments that hold, or may still hold, money, but have no open transaction in the shop. */
async function findAbandonedReservations(): Promise<GatewayPayment[]> {
  const openTransactions = await shop.db
    .selectFrom('transactions')
    .selectAll()
    .where('status', 'in', ['pending', 'authorized', 'capturing'])
    .execute();
  const openReferences = new Set(openTransactions.map(({ store_id, id }) => `${store_id}/${id}`));
  return (await readGatewayPayments()).filter(
    ({ reference, state }) => ['open', 'action_required', 'authorized'].includes(state) && !openReferences.has(reference),
  );
}

const startSessionIn = (currency: string) =>
  shop.call('paymentSession', '/payment/session', {
    query: { ...customer.query, titleId: 'book', currency, price: currency === 'JPY' ? 1500 : 9.9 },
  });

/** Holds the first call of a port method, which resolves `reached`, until `release` is called. */
function holdCall(call: keyof PaymentPort) {
  const [arrival, permission] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isFirst = true;
  intercept = async (name, _, run) => {
    if (name === call && isFirst) {
      isFirst = false;
      arrival.resolve();
      await permission.promise;
    }
    return run();
  };
  return { reached: arrival.promise, release: permission.resolve };
}

test('two windows that buy in two currencies leave a single payment open, which can be paid', async () => {
  const heldCreate = holdCall('create');
  const euroRequest = startSessionIn('EUR');
  await heldCreate.reached;
  const yenResponse = await startSessionIn('JPY');
  heldCreate.release();
  const sessions = [await euroRequest, yenResponse].filter(({ status }) => status === 200).map(({ value }) => value as Session);
  expect(sessions).toHaveLength(1);
  const { url, transId } = sessions[0] ?? { url: '', transId: '' };
  expect(await findAbandonedReservations()).toEqual([]);
  expect((await submitCardForm(url, CARD_NUMBERS.good)).headers.get('location')).toContain('intentId=');
  expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
});

test('money reserved for a purchase that the shop gave up is released by the next sweep', async () => {
  const { transId } = await authorizePayment(shop, customer, 'book');
  // The process died before it could call the gateway.
  await shop.db
    .updateTable('transactions')
    .set({ status: 'cancelled', reason: 'price_changed' })
    .where('id', '=', transId)
    .execute();
  expect(await findAbandonedReservations()).toHaveLength(1);
  await sweep(shop.services);
  expect(await findAbandonedReservations()).toEqual([]);
});

test('a payment whose creation got no response is released by the sweep', async () => {
  intercept = async (name, _, run) => {
    const response = await run();
    if (name === 'create') throw new PaymentUnknown(new Error('the response is lost'));
    return response;
  };
  expect((await startSessionIn('EUR')).status).toBe(502);
  intercept = (_, __, run) => run();
  await startSessionIn('JPY');
  await sweep(shop.services);
  expect(await findAbandonedReservations()).toEqual([]);
});

describe('the sweep', () => {
  test('the sweep continues past payments about which the gateway does not respond', async () => {
    const unreadablePayments = await Promise.all(['book', 'sound'].map((title) => startPayment(shop, customer, title)));
    const otherCustomer = await createCustomer(shop, customer.store);
    const { transId } = await authorizePayment(shop, otherCustomer, 'book');
    await shop.db.updateTable('transactions').set({ status: 'capturing' }).where('id', '=', transId).execute();
    const ids = new Set(unreadablePayments.map(({ url }) => url.split('/').pop()));
    intercept = (_, id, run) => (ids.has(id) ? Promise.reject(new PaymentUnknown(new Error('HTTP 500'))) : run());
    const cancelledPayment = await authorizePayment(shop, otherCustomer, 'sound');
    await shop.db.updateTable('transactions').set({ status: 'cancelled' }).where('id', '=', cancelledPayment.transId).execute();
    await sweep(shop.services);
    expect(await findAbandonedReservations()).toEqual([]);
  });
});

// Actions of customers in random order, with responses lost or late at random.
test.each([1, 2, 3, 4, 5, 6])(
  'after actions in random order, no money stays reserved without an open transaction (seed %i)',
  async (seed) => {
    const random = seededRandom(seed);
    const pickOne = <Value>(items: readonly Value[]): Value => items[Math.floor(random() * items.length)] as Value;
    intercept = async (_, __, run) => {
      const chance = random();
      if (chance < 0.06) throw new PaymentUnknown(new Error('never arrived'));
      for (let ticks = Math.floor(random() ** 2 * 60); ticks > 0; ticks -= 1) await new Promise(setImmediate);
      const response = await run();
      if (chance < 0.12) throw new PaymentUnknown(new Error('the response is lost'));
      return response;
    };
    let sessions: Session[] = [];
    const steps = [
      async () => {
        const { status, value } = await startSessionIn(pickOne(['EUR', 'JPY']));
        if (status === 200) sessions.push(value as Session);
      },
      async () =>
        sessions.length > 0 &&
        submitCardForm(
          pickOne(sessions).url,
          pickOne([CARD_NUMBERS.good, CARD_NUMBERS.good, CARD_NUMBERS.challenge, CARD_NUMBERS.declined]),
        ),
      async () => sessions.length > 0 && postFields(`${pickOne(sessions).url}/cancel`, {}),
      async () => sessions.length > 0 && random() < 0.3 && confirmPayment(shop, customer, pickOne(sessions).transId),
      async () => sweep(shop.services),
    ];
    for (let round = 0; round < 12; round += 1) {
      // Most faults occur while a purchase starts.
      if (round % 2 === 0) {
        customer = await createCustomer(shop, customer.store);
        sessions = [];
      }
      const runningSteps = Array.from({ length: 6 }, () => pickOne(steps)());
      await Promise.all(runningSteps);
    }
    intercept = (_, __, run) => run();
    await sweep(shop.services);
    expect(await findAbandonedReservations()).toEqual([]);
    // After a day no payment is open, and every charge belongs to a paid transaction.
    const tomorrow = new Date(Date.now() + 25 * 60 * 60 * 1000);
    await sweep(shop.services, tomorrow);
    await sweep(shop.services, tomorrow);
    const payments = await readGatewayPayments();
    expect(payments.filter(({ state }) => ['open', 'action_required', 'authorized'].includes(state))).toEqual([]);
    const chargedIds = payments.filter(({ state }) => state === 'captured').map(({ reference }) => reference.split('/')[1]);
    const paidTransactions = await shop.db
      .selectFrom('transactions')
      .select(['id', 'user_id'])
      .where('store_id', '=', customer.store)
      .where('status', '=', 'paid')
      .execute();
    expect(new Set(chargedIds)).toEqual(new Set(paidTransactions.map(({ id }) => id)));
    expect(new Set(paidTransactions.map(({ user_id }) => user_id)).size, 'each customer pays at most once').toBe(
      paidTransactions.length,
    );
  },
);
