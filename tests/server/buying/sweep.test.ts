import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { startPeriodic } from '../../../server/base/periodic.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { authorizePayment, confirmPayment } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** Ids and references of the payments about which the shop has called the gateway. */
let requestedIds: string[] = [];
/** Whether the gateway responds to a request about a payment. */
let isAnswered: (id: string) => boolean = () => true;
/** Whether the gateway is reachable at all. */
let isUp = true;
const intercept = async <Value>(id: string, run: () => Promise<Value>): Promise<Value> => {
  requestedIds.push(id);
  if (!isAnswered(id)) throw new PaymentUnknown(new Error('no response'));
  return run();
};
const createInterceptedPort = (port: PaymentPort): PaymentPort => ({
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
  shop = await openShop({ payment: createInterceptedPort });
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

describe('sweeps', () => {
  test('a sweep continues past twelve confirmed payments without response', async () => {
    const unansweredIds = new Set(await insertPayments(12, 'capturing'));
    isAnswered = (id) => !unansweredIds.has(id);
    const otherIds = await insertPayments(3, 'pending');
    await sweep(shop.services);
    expect(requestedIds).toEqual(expect.arrayContaining(otherIds));
  });

  test('a sweep checks a share of each customer’s payments, confirmed and unconfirmed, in rotation', async () => {
    const confirmedIds = await insertPayments(50, 'capturing');
    const unconfirmedIds = await insertPayments(30, 'pending');
    await sweep(shop.services);
    expect(requestedIds.filter((id) => confirmedIds.includes(id))).toHaveLength(20);
    expect(requestedIds.filter((id) => unconfirmedIds.includes(id))).toHaveLength(20);
    for (let round = 0; round < 2; round += 1) await sweep(shop.services);
    expect(new Set(requestedIds)).toEqual(new Set([...confirmedIds, ...unconfirmedIds]));
  });

  test('a sweep checks each customer’s first payment before the second one of a customer with many', async () => {
    await insertPayments(300, 'pending');
    const otherCustomers = await Promise.all([1, 2, 3].map(() => createCustomer(shop, customer.store)));
    const firstPaymentIds = (
      await Promise.all(otherCustomers.map((otherCustomer) => insertPayments(1, 'pending', otherCustomer)))
    ).flat();
    await sweep(shop.services);
    expect(requestedIds.slice(0, 4)).toEqual(expect.arrayContaining(firstPaymentIds));
  });

  test('a sweep releases abandoned payments before it checks the pending ones', async () => {
    await insertPayments(5, 'pending');
    await insertPayments(5, 'capturing');
    const abandonedIds = await insertPayments(5, 'cancelled');
    await sweep(shop.services);
    expect(new Set(requestedIds.slice(0, 5))).toEqual(new Set(abandonedIds));
  });

  test('a sweep stops after five payments when the gateway is unreachable', async () => {
    await insertPayments(20, 'pending');
    isAnswered = () => false;
    isUp = false;
    await sweep(shop.services);
    expect(requestedIds).toHaveLength(5);
  });

  test('a sweep stops after the current payment when the shop stops', async () => {
    await insertPayments(20, 'pending');
    const abortController = new AbortController();
    isAnswered = () => {
      if (requestedIds.length === 3) abortController.abort();
      return true;
    };
    await sweep(shop.services, new Date(), abortController.signal);
    expect(requestedIds).toHaveLength(3);
  });

  test('payments that were abandoned more than a day ago are checked hourly', async () => {
    const [reference = ''] = await insertPayments(1, 'pending');
    const id = reference.split('/')[1] ?? '';
    const intent = { intent_id: `pi_${id}`, status: 'cancelled' } as const;
    const now = Date.now();
    const sweepAfter = (minutes: number) => sweep(shop.services, new Date(now + minutes * 60_000));
    await shop.db
      .updateTable('transactions')
      .set({ ...intent, updated_at: new Date(now - 25 * 60 * 60_000) })
      .where('id', '=', id)
      .execute();
    for (const minutes of [0, 1, 59, 60, 61]) await sweepAfter(minutes);
    expect(requestedIds.filter((requestedId) => requestedId === reference)).toHaveLength(2);
    await shop.db.deleteFrom('transactions').where('id', '=', id).execute();
  });

  test('a sweep finishes a payment that was already booked', async () => {
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

describe('periodic jobs', () => {
  test('a periodic job does not start again during a slow run, and is signalled to stop', async () => {
    const ticksPassed = Promise.withResolvers<void>();
    const signals: AbortSignal[] = [];
    const stop = startPeriodic(
      (signal) => {
        signals.push(signal);
        return new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
      1,
      () => {},
    );
    let ticksLeft = 20;
    const interval = setInterval(() => {
      ticksLeft -= 1;
      if (ticksLeft === 0) ticksPassed.resolve();
    }, 1);
    await ticksPassed.promise;
    clearInterval(interval);
    await stop();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test('a periodic job continues after a failed run, and reports the error', async () => {
    const reportedErrors: unknown[] = [];
    const thirdRun = Promise.withResolvers<void>();
    let runCount = 0;
    const stop = startPeriodic(
      async () => {
        runCount += 1;
        if (runCount === 3) thirdRun.resolve();
        if (runCount === 1) throw new Error('the first run fails');
      },
      1,
      (error) => reportedErrors.push(error),
    );
    await thirdRun.promise;
    await stop();
    expect(reportedErrors).toEqual([new Error('the first run fails')]);
  });
});
