import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { startPeriodic } from '../../../server/base/periodic.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { authorized, confirm } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** What is asked of the gateway, and whether it answers. */
let asked: string[] = [];
let answers: (id: string) => boolean = () => true;
let isUp = true;
const through = async <Value>(id: string, run: () => Promise<Value>): Promise<Value> => {
  asked.push(id);
  if (!answers(id)) throw new PaymentUnknown(new Error('silence'));
  return run();
};
const watched = (port: PaymentPort): PaymentPort => ({
  ...port,
  isUp: async () => isUp,
  read: (id) => through(id, () => port.read(id)),
  readByReference: (reference) => through(reference, () => port.readByReference(reference)),
  capture: (id) => through(id, () => port.capture(id)),
  cancel: (id) => through(id, () => port.cancel(id)),
});

let shop: Shop;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ payment: watched });
});
beforeEach(async () => {
  customer = await customerOf(shop, await shop.store());
});
afterEach(async () => {
  [asked, answers, isUp] = [[], () => true, true];
  await shop.db.deleteFrom('transactions').where('intent_id', 'is', null).execute();
});
afterAll(() => shop.close());

/** Writes down so many payments of which the gateway never heard. @returns their references */
async function payments(
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

describe('a round', () => {
  test('goes on behind any number of confirmed payments that get no answer', async () => {
    const silent = new Set(await payments(12, 'capturing'));
    answers = (id) => !silent.has(id);
    const others = await payments(3, 'pending');
    await sweep(shop.services);
    expect(asked).toEqual(expect.arrayContaining(others));
  });

  test('gives each customer a share, one kind of payment beside the other, and turns for each payment', async () => {
    const confirmed = await payments(50, 'capturing');
    const unconfirmed = await payments(30, 'pending');
    await sweep(shop.services);
    expect(asked.filter((id) => confirmed.includes(id))).toHaveLength(20);
    expect(asked.filter((id) => unconfirmed.includes(id))).toHaveLength(20);
    for (let round = 0; round < 2; round += 1) await sweep(shop.services);
    expect(new Set(asked)).toEqual(new Set([...confirmed, ...unconfirmed]));
  });

  test('looks at each customer’s first payment before the second of another customer who has begun many', async () => {
    await payments(300, 'pending');
    const others = await Promise.all([1, 2, 3].map(() => customerOf(shop, customer.store)));
    const own = (await Promise.all(others.map((other) => payments(1, 'pending', other)))).flat();
    await sweep(shop.services);
    expect(asked.slice(0, 4)).toEqual(expect.arrayContaining(own));
  });

  test('releases what was given up before it asks about what is under way', async () => {
    await payments(5, 'pending');
    await payments(5, 'capturing');
    const givenUp = await payments(5, 'cancelled');
    await sweep(shop.services);
    expect(new Set(asked.slice(0, 5))).toEqual(new Set(givenUp));
  });

  test('ends when the gateway is not there at all', async () => {
    await payments(20, 'pending');
    answers = () => false;
    isUp = false;
    await sweep(shop.services);
    expect(asked).toHaveLength(5);
  });

  test('ends after the payment that it is at when the shop stops', async () => {
    await payments(20, 'pending');
    const stopping = new AbortController();
    answers = () => {
      if (asked.length === 3) stopping.abort();
      return true;
    };
    await sweep(shop.services, new Date(), stopping.signal);
    expect(asked).toHaveLength(3);
  });

  test('asks hourly for what was given up more than a day ago', async () => {
    const [reference = ''] = await payments(1, 'pending');
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
    expect(asked.filter((each) => each === reference)).toHaveLength(2);
    await shop.db.deleteFrom('transactions').where('id', '=', id).execute();
  });

  test('is over with a payment that was booked before', async () => {
    const { transId } = await authorized(shop, customer, 'book');
    expect((await confirm(shop, customer, transId)).status).toBe(200);
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
  test('does not pile up behind a slow round, and is told when to stop', async () => {
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

  test('goes on after a round that failed, and tells of it', async () => {
    const told: unknown[] = [];
    const thrice = Promise.withResolvers<void>();
    let rounds = 0;
    const stop = startPeriodic(
      async () => {
        rounds += 1;
        if (rounds === 3) thrice.resolve();
        if (rounds === 1) throw new Error('the first fails');
      },
      1,
      (error) => told.push(error),
    );
    await thrice.promise;
    await stop();
    expect(told).toEqual([new Error('the first fails')]);
  });
});
