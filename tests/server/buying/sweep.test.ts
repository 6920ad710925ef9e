import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { startPeriodic } from '../../../server/base/periodic.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { authorizePayment, confirmPayment } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** References requested from the gateway, and whether it responds. */
let requestedIds: string[] = [];
let isAnswered: (id: string) => boolean = () => true;
let isUp = true;
const intercept = async <Value>(id: string, run: () => Promise<Value>): Promise<Value> => {
  requestedIds.push(id);
  if (!isAnswered(id)) throw new PaymentUnknown(new Error('silence'));
  return run();
};
const intercepted = (port: PaymentPort): PaymentPort => ({
  ...port,
  isUp: async () => isUp,
  read: (id) => intercept(id, () => port.read(id)),
  readByReference: (reference) => intercept(reference, () => port.readByReference(reference)),
  capture: (id) => intercept(id, () => port.capture(id)),
  cancel: (id) => intercept(id, () => port.cancel(id)),
});

let shop: Shop;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ payment: intercepted });
});
beforeEach(async () => {
  customer = await createCustomer(shop, await shop.store());
});
afterEach(async () => {
  [requestedIds, isAnswered, isUp] = [[], () => true, true];
  await shop.db.deleteFrom('transactions').where('intent_id', 'is', null).execute();
});
afterAll(() => shop.close());

/** Inserts payments that the gateway does not have. @returns their references */
async function insertPayments(
  count: number,
  status: 'capturing' | 'pending' | 'cancelled',
  { id: user_id, store } = customer,
): Promise<string[]> {
  const rows = Array.from({ length: count }, () => ({
    store_id: store,
    id: randomUUID(),
    user_id,
    kind: 'title' as const,
    title_id: null,
    plan_id: null,
    amount_minor: 1,
    currency: 'EUR',
    status,
    provider: 'test',
    intent_id: null,
    reason: null,
  }));
  await shop.db.insertInto('transactions').values(rows).execute();
  return rows.map(({ id }) => `${store}/${id}`);
}

describe('a sweep', () => {
  test('continues past any number of confirmed payments without response', async () => {
    const silent = new Set(await insertPayments(12, 'capturing'));
    isAnswered = (id) => !silent.has(id);
    const others = await insertPayments(3, 'pending');
    await sweep(shop.services);
    expect(requestedIds).toEqual(expect.arrayContaining(others));
  });

  test('checks a share of each customer’s payments, confirmed and unconfirmed, in rotation', async () => {
    const confirmed = await insertPayments(50, 'capturing');
    const unconfirmed = await insertPayments(30, 'pending');
    await sweep(shop.services);
    expect(requestedIds.filter((id) => confirmed.includes(id))).toHaveLength(20);
    expect(requestedIds.filter((id) => unconfirmed.includes(id))).toHaveLength(20);
    for (let round = 0; round < 2; round += 1) await sweep(shop.services);
    expect(new Set(requestedIds)).toEqual(new Set([...confirmed, ...unconfirmed]));
  });

  test('checks each customer’s first payment before the second one of a customer with many', async () => {
    await insertPayments(300, 'pending');
    const others = await Promise.all([1, 2, 3].map(() => createCustomer(shop, customer.store)));
    const own = (await Promise.all(others.map((other) => insertPayments(1, 'pending', other)))).flat();
    await sweep(shop.services);
    expect(requestedIds.slice(0, 4)).toEqual(expect.arrayContaining(own));
  });

  test('releases abandoned payments before it checks the pending ones', async () => {
    await insertPayments(5, 'pending');
    await insertPayments(5, 'capturing');
    const givenUp = await insertPayments(5, 'cancelled');
    await sweep(shop.services);
    expect(new Set(requestedIds.slice(0, 5))).toEqual(new Set(givenUp));
  });

  test('stops early when the gateway is unreachable', async () => {
    await insertPayments(20, 'pending');
    isAnswered = () => false;
    isUp = false;
    await sweep(shop.services);
    expect(requestedIds).toHaveLength(5);
  });

  test('stops after the current payment when the shop stops', async () => {
    await insertPayments(20, 'pending');
    const stopping = new AbortController();
    isAnswered = () => {
      if (requestedIds.length === 3) stopping.abort();
      return true;
    };
    await sweep(shop.services, new Date(), stopping.signal);
    expect(requestedIds).toHaveLength(3);
  });

  test('checks payments hourly that were given up more than a day ago', async () => {
    const [reference = ''] = await insertPayments(1, 'pending');
    const id = reference.split('/')[1] ?? '';
    const intent = { intent_id: `pi_${id}`, status: 'cancelled' } as const;
    const now = Date.now();
    const minutesLater = (minutes: number) => sweep(shop.services, new Date(now + minutes * 60_000));
    await shop.db
      .updateTable('transactions')
      .set({ ...intent, updated_at: new Date(now - 25 * 60 * 60_000) })
      .where('id', '=', id)
      .execute();
    for (const minutes of [0, 1, 59, 60, 61]) await minutesLater(minutes);
    expect(requestedIds.filter((each) => each === reference)).toHaveLength(2);
    await shop.db.deleteFrom('transactions').where('id', '=', id).execute();
  });

  test('finishes a payment that was already booked', async () => {
    const { transId } = await authorizePayment(shop, customer, 'book');
    expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
    await shop.db.updateTable('transactions').set({ finished: false }).where('id', '=', transId).execute();
    await sweep(shop.services);
    const { finished } = await shop.db
      .selectFrom('transactions')
      .select('finished')
      .where('id', '=', transId)
      .executeTakeFirstOrThrow();
    expect(finished).toBe(true);
  });
});

describe('periodic work', () => {
  test('does not pile up behind a slow run, and is signalled to stop', async () => {
    const ticks = Promise.withResolvers<void>();
    const signals: AbortSignal[] = [];
    const stop = startPeriodic(
      (stopping) => {
        signals.push(stopping);
        return new Promise((resolve) => stopping.addEventListener('abort', resolve));
      },
      1,
      () => {},
    );
    let left = 20;
    const counting = setInterval(() => {
      left -= 1;
      if (left === 0) ticks.resolve();
    }, 1);
    await ticks.promise;
    clearInterval(counting);
    await stop();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test('continues after a failed run, and reports the error', async () => {
    const told: unknown[] = [];
    const thrice = Promise.withResolvers<void>();
    let rounds = 0;
    const stop = startPeriodic(
      async () => {
        rounds += 1;
        if (rounds === 3) thrice.resolve();
        if (rounds === 1) throw new Error('the first run fails');
      },
      1,
      (error) => told.push(error),
    );
    await thrice.promise;
    await stop();
    expect(told).toEqual([new Error('the first run fails')]);
  });
});
