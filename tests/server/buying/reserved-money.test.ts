import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seeded } from '../../../machines/paths/walk.ts';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { authorized, begin, CARDS, confirm, pay, post, type Session } from '../support/paying.ts';
import { journalOf } from '../support/gateway-journal.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** Runs around every call to the gateway, until a test takes it away. */
let around: <Value>(call: keyof PaymentPort, id: string, run: () => Promise<Value>) => Promise<Value> = (_, __, run) => run();
const watched = (port: PaymentPort): PaymentPort => ({
  ...port,
  create: (request) => around('create', request.reference, () => port.create(request)),
  read: (id) => around('read', id, () => port.read(id)),
  readByReference: (reference) => around('readByReference', reference, () => port.readByReference(reference)),
  capture: (id) => around('capture', id, () => port.capture(id)),
  cancel: (id) => around('cancel', id, () => port.cancel(id)),
});

let shop: Shop;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ payment: watched });
});
beforeEach(async () => {
  customer = await customerOf(shop, await shop.store());
});
afterEach(() => {
  around = (_, __, run) => run();
});
afterAll(() => shop.close());

type Held = { reference: string; state: string };

/** The gateway's own book: each payment of the test's store as it stands. */
const ledger = async (): Promise<Held[]> =>
  [...(await journalOf(shop.gateway.folder))]
    .filter(([reference]) => reference.startsWith(`${customer.store}/`))
    .map(([reference, states]) => ({ reference, state: states.at(-1) ?? '' }));

/** Payments that hold a customer's money, or may still, and that the shop has given up. */
async function leftBehind(): Promise<Held[]> {
  const open = await shop.db
    .selectFrom('transactions')
    .selectAll()
    .where('status', 'in', ['pending', 'authorized', 'capturing'])
    .execute();
  const known = new Set(open.map(({ store_id, id }) => `${store_id}/${id}`));
  return (await ledger()).filter(
    ({ reference, state }) => ['open', 'action_required', 'authorized'].includes(state) && !known.has(reference),
  );
}

const inCurrency = (currency: string) =>
  shop.ask('paymentSession', '/payment/session', {
    query: { ...customer.query, titleId: 'book', currency, price: currency === 'JPY' ? 1500 : 9.9 },
  });

/** Holds the first call of a kind until `let` is called. */
function held(call: keyof PaymentPort) {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let first = true;
  around = async (name, _, run) => {
    if (name === call && first) {
      first = false;
      reached.resolve();
      await released.promise;
    }
    return run();
  };
  return { reached: reached.promise, let: released.resolve };
}

test('two windows that buy in two currencies leave one payment alive, and hand out no page of a dead one', async () => {
  const create = held('create');
  const euros = inCurrency('EUR');
  await create.reached;
  const yen = await inCurrency('JPY');
  create.let();
  const sessions = [await euros, yen].filter(({ status }) => status === 200).map(({ value }) => value as Session);
  expect(sessions).toHaveLength(1);
  const { url, transId } = sessions[0] ?? { url: '', transId: '' };
  expect(await leftBehind()).toEqual([]);
  expect((await pay(url, CARDS.good)).headers.get('location')).toContain('intentId=');
  expect((await confirm(shop, customer, transId)).status).toBe(200);
});

test('money that was reserved for a purchase given up in the shop is released by the next sweep', async () => {
  const { transId } = await authorized(shop, customer, 'book');
  // The process ended before it could tell the gateway.
  await shop.db
    .updateTable('transactions')
    .set({ status: 'cancelled', reason: 'price_changed' })
    .where('id', '=', transId)
    .execute();
  expect(await leftBehind()).toHaveLength(1);
  await sweep(shop.services);
  expect(await leftBehind()).toEqual([]);
});

test('a payment that the gateway made and the shop never heard of is released too', async () => {
  around = async (name, _, run) => {
    const answer = await run();
    if (name === 'create') throw new PaymentUnknown(new Error('the answer is lost'));
    return answer;
  };
  expect((await inCurrency('EUR')).status).toBe(502);
  around = (_, __, run) => run();
  await inCurrency('JPY');
  await sweep(shop.services);
  expect(await leftBehind()).toEqual([]);
});

describe('the sweep', () => {
  test('goes on behind payments that the gateway gives no answer about', async () => {
    const broken = await Promise.all(['book', 'sound'].map((title) => begin(shop, customer, title)));
    const other = await customerOf(shop, customer.store);
    const { transId } = await authorized(shop, other, 'book');
    await shop.db.updateTable('transactions').set({ status: 'capturing' }).where('id', '=', transId).execute();
    const ids = new Set(broken.map(({ url }) => url.split('/').pop()));
    around = (_, id, run) => (ids.has(id) ? Promise.reject(new PaymentUnknown(new Error('HTTP 500'))) : run());
    const dead = await authorized(shop, other, 'sound');
    await shop.db.updateTable('transactions').set({ status: 'cancelled' }).where('id', '=', dead.transId).execute();
    await sweep(shop.services);
    expect(await leftBehind()).toEqual([]);
  });
});

// Whatever customers do in whatever order, and wherever answers are lost or late.
test.each([1, 2, 3, 4, 5, 6])(
  'after any order of events no money stays reserved that nobody will charge (seed %i)',
  async (seed) => {
    const random = seeded(seed);
    const one = <Value>(of: readonly Value[]): Value => of[Math.floor(random() * of.length)] as Value;
    around = async (_, __, run) => {
      const luck = random();
      if (luck < 0.06) throw new PaymentUnknown(new Error('never arrived'));
      for (let turns = Math.floor(random() ** 2 * 60); turns > 0; turns -= 1) await new Promise(setImmediate);
      const answer = await run();
      if (luck < 0.12) throw new PaymentUnknown(new Error('the answer is lost'));
      return answer;
    };
    let sessions: Session[] = [];
    const steps = [
      async () => {
        const { status, value } = await inCurrency(one(['EUR', 'JPY']));
        if (status === 200) sessions.push(value as Session);
      },
      async () => sessions.length > 0 && pay(one(sessions).url, one([CARDS.good, CARDS.good, CARDS.challenge, CARDS.declined])),
      async () => sessions.length > 0 && post(`${one(sessions).url}/cancel`, {}),
      async () => sessions.length > 0 && random() < 0.3 && confirm(shop, customer, one(sessions).transId),
      async () => sweep(shop.services),
    ];
    for (let round = 0; round < 12; round += 1) {
      // Most goes wrong while a purchase begins.
      if (round % 2 === 0) {
        customer = await customerOf(shop, customer.store);
        sessions = [];
      }
      const running = Array.from({ length: 6 }, () => one(steps)());
      await Promise.all(running);
    }
    around = (_, __, run) => run();
    await sweep(shop.services);
    expect(await leftBehind()).toEqual([]);
    // After a day nothing is open at all, and what was charged is owned.
    const tomorrow = new Date(Date.now() + 25 * 60 * 60 * 1000);
    await sweep(shop.services, tomorrow);
    await sweep(shop.services, tomorrow);
    const own = await ledger();
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
