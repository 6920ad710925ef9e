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

/** Wraps every call to the gateway, until a test resets it. */
let intercept: <Value>(call: keyof PaymentPort, id: string, run: () => Promise<Value>) => Promise<Value> = (_, __, run) => run();
const intercepted = (port: PaymentPort): PaymentPort => ({
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
  shop = await openShop({ payment: intercepted });
});
beforeEach(async () => {
  customer = await createCustomer(shop, await shop.store());
});
afterEach(() => {
  intercept = (_, __, run) => run();
});
afterAll(() => shop.close());

type Reservation = { reference: string; state: string };

/** The gateway's journal: each payment of the test's store with its last state. */
const openReservations = async (): Promise<Reservation[]> =>
  [...(await readJournal(shop.gateway.folder))]
    .filter(([reference]) => reference.startsWith(`${customer.store}/`))
    .map(([reference, states]) => ({ reference, state: states.at(-1) ?? '' }));

/** Payments that hold, or may still hold, a customer's money, and that the shop has given up. */
async function findLeftovers(): Promise<Reservation[]> {
  const open = await shop.db
    .selectFrom('transactions')
    .selectAll()
    .where('status', 'in', ['pending', 'authorized', 'capturing'])
    .execute();
  const known = new Set(open.map(({ store_id, id }) => `${store_id}/${id}`));
  return (await openReservations()).filter(
    ({ reference, state }) => ['open', 'action_required', 'authorized'].includes(state) && !known.has(reference),
  );
}

const startSessionIn = (currency: string) =>
  shop.ask('paymentSession', '/payment/session', {
    query: { ...customer.query, titleId: 'book', currency, price: currency === 'JPY' ? 1500 : 9.9 },
  });

/** Holds the first call of a kind until `let` is called. */
function holdCall(call: keyof PaymentPort) {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let first = true;
  intercept = async (name, _, run) => {
    if (name === call && first) {
      first = false;
      reached.resolve();
      await released.promise;
    }
    return run();
  };
  return { reached: reached.promise, let: released.resolve };
}

test('two windows that buy in two currencies leave one payment open, and get no page of a closed one', async () => {
  const create = holdCall('create');
  const euros = startSessionIn('EUR');
  await create.reached;
  const yen = await startSessionIn('JPY');
  create.let();
  const sessions = [await euros, yen].filter(({ status }) => status === 200).map(({ value }) => value as Session);
  expect(sessions).toHaveLength(1);
  const { url, transId } = sessions[0] ?? { url: '', transId: '' };
  expect(await findLeftovers()).toEqual([]);
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
  expect(await findLeftovers()).toHaveLength(1);
  await sweep(shop.services);
  expect(await findLeftovers()).toEqual([]);
});

test('a payment at the gateway whose response never reached the shop is released, too', async () => {
  intercept = async (name, _, run) => {
    const answer = await run();
    if (name === 'create') throw new PaymentUnknown(new Error('the response is lost'));
    return answer;
  };
  expect((await startSessionIn('EUR')).status).toBe(502);
  intercept = (_, __, run) => run();
  await startSessionIn('JPY');
  await sweep(shop.services);
  expect(await findLeftovers()).toEqual([]);
});

describe('the sweep', () => {
  test('continues past payments that the gateway does not answer about', async () => {
    const broken = await Promise.all(['book', 'sound'].map((title) => startPayment(shop, customer, title)));
    const other = await createCustomer(shop, customer.store);
    const { transId } = await authorizePayment(shop, other, 'book');
    await shop.db.updateTable('transactions').set({ status: 'capturing' }).where('id', '=', transId).execute();
    const ids = new Set(broken.map(({ url }) => url.split('/').pop()));
    intercept = (_, id, run) => (ids.has(id) ? Promise.reject(new PaymentUnknown(new Error('HTTP 500'))) : run());
    const dead = await authorizePayment(shop, other, 'sound');
    await shop.db.updateTable('transactions').set({ status: 'cancelled' }).where('id', '=', dead.transId).execute();
    await sweep(shop.services);
    expect(await findLeftovers()).toEqual([]);
  });
});

// Actions of customers in random order, with responses lost or late at random.
test.each([1, 2, 3, 4, 5, 6])(
  'after events in any order no reserved money remains without a pending charge (seed %i)',
  async (seed) => {
    const random = seededRandom(seed);
    const one = <Value>(of: readonly Value[]): Value => of[Math.floor(random() * of.length)] as Value;
    intercept = async (_, __, run) => {
      const luck = random();
      if (luck < 0.06) throw new PaymentUnknown(new Error('never arrived'));
      for (let priorityGate = Math.floor(random() ** 2 * 60); priorityGate > 0; priorityGate -= 1)
        await new Promise(setImmediate);
      const answer = await run();
      if (luck < 0.12) throw new PaymentUnknown(new Error('the response is lost'));
      return answer;
    };
    let sessions: Session[] = [];
    const steps = [
      async () => {
        const { status, value } = await startSessionIn(one(['EUR', 'JPY']));
        if (status === 200) sessions.push(value as Session);
      },
      async () =>
        sessions.length > 0 &&
        submitCardForm(
          one(sessions).url,
          one([CARD_NUMBERS.good, CARD_NUMBERS.good, CARD_NUMBERS.challenge, CARD_NUMBERS.declined]),
        ),
      async () => sessions.length > 0 && postFields(`${one(sessions).url}/cancel`, {}),
      async () => sessions.length > 0 && random() < 0.3 && confirmPayment(shop, customer, one(sessions).transId),
      async () => sweep(shop.services),
    ];
    for (let round = 0; round < 12; round += 1) {
      // Most faults occur while a purchase starts.
      if (round % 2 === 0) {
        customer = await createCustomer(shop, customer.store);
        sessions = [];
      }
      const running = Array.from({ length: 6 }, () => one(steps)());
      await Promise.all(running);
    }
    intercept = (_, __, run) => run();
    await sweep(shop.services);
    expect(await findLeftovers()).toEqual([]);
    // After a day no payment is open, and every charged title is owned.
    const tomorrow = new Date(Date.now() + 25 * 60 * 60 * 1000);
    await sweep(shop.services, tomorrow);
    await sweep(shop.services, tomorrow);
    const own = await openReservations();
    expect(own.filter(({ state }) => ['open', 'action_required', 'authorized'].includes(state))).toEqual([]);
    const charged = own.filter(({ state }) => state === 'captured').map(({ reference }) => reference.split('/')[1]);
    const paid = await shop.db
      .selectFrom('transactions')
      .select(['id', 'user_id'])
      .where('store_id', '=', customer.store)
      .where('status', '=', 'paid')
      .execute();
    expect(new Set(charged)).toEqual(new Set(paid.map(({ id }) => id)));
    expect(new Set(paid.map(({ user_id }) => user_id)).size, 'nobody pays twice').toBe(paid.length);
  },
);
