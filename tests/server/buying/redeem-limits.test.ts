import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertCode, redeemBenefit, redeemTitle, readUsesLeft } from '../support/codes.ts';
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

const makeCode = (grants: string, options: object = {}) => insertCode(shop, store, { grants, ...options });
const readBalance = async ({ query }: Customer) =>
  ((await shop.call('creditBalance', '/credits/balance', { query })).value as { CreditBalance: number }).CreditBalance;

test('of fifty customers who redeem a code for one use at once, one gets its title', async () => {
  const code = await makeCode('title:book');
  const customers = [];
  for (let index = 0; index < 50; index += 1) customers.push(await createCustomer(shop, store));
  for (const redeemer of customers) await markUserTrusted(shop, redeemer);
  const responses = await Promise.all(customers.map((redeemer) => redeemTitle(shop, redeemer, code)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(responses.filter(({ value }) => value.Code === 'code_used')).toHaveLength(49);
  expect(await readUsesLeft(shop, code)).toBe(0);
  const entitlements = await shop.db
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
  expect(entitlements.count).toBe(1);
});

test('a code that a customer redeems in several windows at once is granted once and counts as one use', async () => {
  const code = await makeCode('credits:3', { uses: 5 });
  const responses = await Promise.all(Array.from({ length: 6 }, () => redeemBenefit(shop, customer, code)));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  expect(await readBalance(customer)).toBe(3);
  expect(await readUsesLeft(shop, code)).toBe(4);
});

describe('guessing codes', () => {
  const lookUpFrom = (remoteAddress: string, code: string, accesstoken?: string) =>
    shop.app.inject({
      url: `/api/redeem/apply?${new URLSearchParams({ shelfid: store, code, ...(accesstoken ? { accesstoken } : {}) }).toString()}`,
      remoteAddress,
    });

  test('twelve wrong codes in a minute block a network’s visitors, for good codes too, until the window ends', async () => {
    const code = await makeCode('title:book');
    const guesses = Array.from({ length: 12 }, (_, index) => () => lookUpFrom('192.0.2.40', `WRONG${index}`));
    expect((await inBatches(guesses)).map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 12 }, () => 404));
    const refusal = await lookUpFrom('192.0.2.40', code);
    expect(refusal.statusCode).toBe(429);
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refusal.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await lookUpFrom('192.0.2.41', code)).statusCode).toBe(200);
    await markUserTrusted(shop, customer);
    // Visitors in the same network do not block a trusted customer.
    expect((await lookUpFrom('192.0.2.40', code, customer.query.accesstoken)).statusCode).toBe(200);
    await shop.db
      .updateTable('rate_limit_counters')
      .set({ window_ends_at: sql<Date>`window_ends_at - interval '61 seconds'` })
      .where('store_id', '=', store)
      .execute();
    expect((await lookUpFrom('192.0.2.40', code)).statusCode).toBe(200);
  });

  test('six redemptions of wrong codes also block the account’s look-ups in another network', async () => {
    for (let index = 0; index < 6; index += 1) {
      const query = { ...customer.query, code: `WRONG${index}` };
      expect((await shop.call('redeemFreeTitle', '/redeem/title', { query })).status).toBe(404);
    }
    expect((await lookUpFrom('192.0.2.43', 'WRONG', customer.query.accesstoken)).statusCode).toBe(429);
  });

  test('wrong codes of a network’s visitors also block its new accounts, but no trusted account', async () => {
    const guesses = Array.from({ length: 12 }, (_, index) => () => lookUpFrom('192.0.2.45', `WRONG${index}`));
    await inBatches(guesses);
    const { accesstoken } = customer.query;
    expect((await lookUpFrom('192.0.2.45', 'WRONG', accesstoken)).statusCode).toBe(429);
    await markUserTrusted(shop, customer);
    expect((await lookUpFrom('192.0.2.45', 'WRONG', accesstoken)).statusCode).toBe(404);
  });

  test('sixty look-ups of a good code at once do not use up the network’s limit', async () => {
    const code = await makeCode('title:book');
    const responses = await Promise.all(Array.from({ length: 60 }, () => lookUpFrom('192.0.2.46', code)));
    expect(responses.some(({ statusCode }) => statusCode === 200)).toBe(true);
    expect((await lookUpFrom('192.0.2.46', code)).statusCode).toBe(200);
  });

  test('look-ups of good codes are not counted as guesses', async () => {
    const code = await makeCode('title:book');
    for (let attempt = 0; attempt < 20; attempt += 1) expect((await lookUpFrom('192.0.2.44', code)).statusCode).toBe(200);
  });
});
