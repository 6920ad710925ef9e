import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeIn, redeemBenefit, redeemTitle, usesLeft } from '../support/codes.ts';
import { customerOf, type Customer } from '../support/customers.ts';
import { trust } from '../support/known-devices.ts';
import { inParts } from '../support/in-parts.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
beforeEach(async () => {
  customer = await customerOf(shop, store);
});
afterAll(() => shop.close());

const made = (grants: string, more: object = {}) => codeIn(shop, store, { grants, ...more });
const balanceOf = async ({ query }: Customer) =>
  ((await shop.ask('creditBalance', '/credits/balance', { query })).value as { CreditBalance: number }).CreditBalance;

test('of fifty customers at the same moment one gets what a code gives', async () => {
  const code = await made('title:book');
  const customers = [];
  for (let at = 0; at < 50; at += 1) customers.push(await customerOf(shop, store));
  for (const each of customers) await trust(shop, each);
  const answers = await Promise.all(customers.map((each) => redeemTitle(shop, each, code)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ value }) => value.Code === 'code_used')).toHaveLength(49);
  expect(await usesLeft(shop, code)).toBe(0);
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

test('a customer who uses a code in several windows at the same moment uses it once', async () => {
  const code = await made('credits:3', { uses: 5 });
  const answers = await Promise.all(Array.from({ length: 6 }, () => redeemBenefit(shop, customer, code)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  expect(await balanceOf(customer)).toBe(3);
  expect(await usesLeft(shop, code)).toBe(4);
});

describe('guessing', () => {
  const from = (remoteAddress: string, code: string, accesstoken?: string) =>
    shop.app.inject({
      url: `/api/redeem/apply?${new URLSearchParams({ shelfid: store, code, ...(accesstoken ? { accesstoken } : {}) }).toString()}`,
      remoteAddress,
    });

  test('ends after twelve wrong codes of a network’s visitors within a minute, for good codes too, and goes on afterwards', async () => {
    const code = await made('title:book');
    const guesses = Array.from({ length: 12 }, (_, at) => () => from('192.0.2.40', `WRONG${at}`));
    expect((await inParts(guesses)).map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 12 }, () => 404));
    const refused = await from('192.0.2.40', code);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await from('192.0.2.41', code)).statusCode).toBe(200);
    await trust(shop, customer);
    // A customer is not held up by strangers in the same network.
    expect((await from('192.0.2.40', code, customer.query.accesstoken)).statusCode).toBe(200);
    await shop.db
      .updateTable('rate_limit_counters')
      .set({ window_ends_at: sql<Date>`window_ends_at - interval '61 seconds'` })
      .where('store_id', '=', store)
      .execute();
    expect((await from('192.0.2.40', code)).statusCode).toBe(200);
  });

  test('from many networks ends for an account, also by using codes', async () => {
    for (let at = 0; at < 6; at += 1) {
      const query = { ...customer.query, code: `WRONG${at}` };
      expect((await shop.ask('redeemFreeTitle', '/redeem/title', { query })).status).toBe(404);
    }
    expect((await from('192.0.2.43', 'WRONG', customer.query.accesstoken)).statusCode).toBe(429);
  });

  test('by a new or unverified account is also counted under its network', async () => {
    const guesses = Array.from({ length: 12 }, (_, at) => () => from('192.0.2.45', `WRONG${at}`));
    await inParts(guesses);
    const { accesstoken } = customer.query;
    expect((await from('192.0.2.45', 'WRONG', accesstoken)).statusCode).toBe(429);
    await trust(shop, customer);
    expect((await from('192.0.2.45', 'WRONG', accesstoken)).statusCode).toBe(404);
  });

  test('calls that were refused leave room again when good codes are taken back', async () => {
    const code = await made('title:book');
    const answers = await Promise.all(Array.from({ length: 60 }, () => from('192.0.2.46', code)));
    expect(answers.some(({ statusCode }) => statusCode === 200)).toBe(true);
    expect((await from('192.0.2.46', code)).statusCode).toBe(200);
  });

  test('good codes cost nothing', async () => {
    const code = await made('title:book');
    for (let at = 0; at < 20; at += 1) expect((await from('192.0.2.44', code)).statusCode).toBe(200);
  });
});
