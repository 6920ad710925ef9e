import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeCodeIn, redeemBenefit, redeemTitle, readUsesLeft } from '../support/codes.ts';
import { createCustomer, type Customer } from '../support/customers.ts';
import { markUserTrusted } from '../support/known-devices.ts';
import { inBatches } from '../support/in-batches.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
beforeEach(async () => {
  customer = await createCustomer(shop, store);
});
afterAll(() => shop.close());

const makeCode = (grants: string, more: object = {}) => makeCodeIn(shop, store, { grants, ...more });
const readBalance = async ({ query }: Customer) =>
  ((await shop.ask('creditBalance', '/credits/balance', { query })).value as { CreditBalance: number }).CreditBalance;

test('fifty customers use a code at once: one gets its benefit', async () => {
  const code = await makeCode('title:book');
  const customers = [];
  for (let at = 0; at < 50; at += 1) customers.push(await createCustomer(shop, store));
  for (const each of customers) await markUserTrusted(shop, each);
  const answers = await Promise.all(customers.map((each) => redeemTitle(shop, each, code)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ value }) => value.Code === 'code_used')).toHaveLength(49);
  expect(await readUsesLeft(shop, code)).toBe(0);
  const counted = await shop.db
    .selectFrom('entitlements')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('store_id', '=', store)
    .where('source', '=', 'code')
    .where(
      'user_id',
      'in',
      customers.map(({ id }) => id),
    )
    .executeTakeFirstOrThrow();
  expect(counted.count).toBe(1);
});

test('a customer who uses a code in several windows at once uses it once', async () => {
  const code = await makeCode('credits:3', { uses: 5 });
  const answers = await Promise.all(Array.from({ length: 6 }, () => redeemBenefit(shop, customer, code)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  expect(await readBalance(customer)).toBe(3);
  expect(await readUsesLeft(shop, code)).toBe(4);
});

describe('guessing codes', () => {
  const from = (remoteAddress: string, code: string, accesstoken?: string) =>
    shop.app.inject({
      url: `/api/redeem/apply?${new URLSearchParams({ shelfid: store, code, ...(accesstoken ? { accesstoken } : {}) }).toString()}`,
      remoteAddress,
    });

  test('is blocked after twelve wrong codes a minute from a network’s visitors, for good codes too, until the window ends', async () => {
    const code = await makeCode('title:book');
    const guesses = Array.from({ length: 12 }, (_, at) => () => from('192.0.2.40', `WRONG${at}`));
    expect((await inBatches(guesses)).map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 12 }, () => 404));
    const refused = await from('192.0.2.40', code);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await from('192.0.2.41', code)).statusCode).toBe(200);
    await markUserTrusted(shop, customer);
    // Strangers in the same network do not block a customer.
    expect((await from('192.0.2.40', code, customer.query.accesstoken)).statusCode).toBe(200);
    await shop.db
      .updateTable('rate_limit_counters')
      .set({ window_ends_at: sql<Date>`window_ends_at - interval '61 seconds'` })
      .where('store_id', '=', store)
      .execute();
    expect((await from('192.0.2.40', code)).statusCode).toBe(200);
  });

  test('from many networks is blocked for an account, also when it redeems codes', async () => {
    for (let at = 0; at < 6; at += 1) {
      const query = { ...customer.query, code: `WRONG${at}` };
      expect((await shop.ask('redeemFreeTitle', '/redeem/title', { query })).status).toBe(404);
    }
    expect((await from('192.0.2.43', 'WRONG', customer.query.accesstoken)).statusCode).toBe(429);
  });

  test('by a new or unverified account also counts for its network', async () => {
    const guesses = Array.from({ length: 12 }, (_, at) => () => from('192.0.2.45', `WRONG${at}`));
    await inBatches(guesses);
    const { accesstoken } = customer.query;
    expect((await from('192.0.2.45', 'WRONG', accesstoken)).statusCode).toBe(429);
    await markUserTrusted(shop, customer);
    expect((await from('192.0.2.45', 'WRONG', accesstoken)).statusCode).toBe(404);
  });

  test('sixty good codes at once leave the limit of the network free', async () => {
    const code = await makeCode('title:book');
    const answers = await Promise.all(Array.from({ length: 60 }, () => from('192.0.2.46', code)));
    expect(answers.some(({ statusCode }) => statusCode === 200)).toBe(true);
    expect((await from('192.0.2.46', code)).statusCode).toBe(200);
  });

  test('good codes are not counted', async () => {
    const code = await makeCode('title:book');
    for (let at = 0; at < 20; at += 1) expect((await from('192.0.2.44', code)).statusCode).toBe(200);
  });
});
