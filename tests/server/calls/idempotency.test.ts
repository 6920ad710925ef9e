import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashToken } from '../../../server/accounts/tokens.ts';
import { cleanUp } from '../../../server/jobs/clean-up.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

const takeFreeTitle = (customer: Customer, key: string, titleId = 'gratis') =>
  shop.call('purchaseFreeTitle', '/purchase/free', {
    query: { ...customer.query, titleId },
    headers: { 'idempotency-key': key },
  });

const ageKeys = (days: number) =>
  shop.db
    .updateTable('idempotency_keys')
    .set({ created_at: new Date(Date.now() - days * DAY_MS) })
    .where('store_id', '=', store)
    .execute();

/** Changes the price of the title, so that a second execution would respond differently. */
const setPrice = (amount: number) =>
  shop.db
    .updateTable('prices')
    .set({ amount_minor: amount })
    .where('store_id', '=', store)
    .where('title_id', '=', 'gratis')
    .execute();

test('a repeated call gets the first response for a day, even if it was a refusal', async () => {
  const customer = await createCustomer(shop, store);
  await setPrice(500);
  const refusal = await takeFreeTitle(customer, 'the-first-press');
  expect(refusal.status).toBe(409);
  await setPrice(0);
  const repeat = await takeFreeTitle(customer, 'the-first-press');
  expect([repeat.status, repeat.text, repeat.headers['content-type']]).toEqual([
    409,
    refusal.text,
    refusal.headers['content-type'],
  ]);
  expect((await takeFreeTitle(customer, 'another-press')).status).toBe(200);
  await ageKeys(1.1);
  expect((await takeFreeTitle(customer, 'the-first-press')).status).toBe(200);
});

test('a key still belongs to the customer after the access token is renewed', async () => {
  const customer = await createCustomer(shop, store);
  const firstResponse = await takeFreeTitle(customer, 'with-old-token');
  const token = await shop.db.selectFrom('tokens').selectAll().where('user_id', '=', customer.id).executeTakeFirstOrThrow();
  const newToken = 'r'.repeat(43);
  await shop.db
    .insertInto('tokens')
    .values({ ...token, hash: hashToken(newToken) })
    .execute();
  const repeat = await takeFreeTitle({ ...customer, query: { ...customer.query, accesstoken: newToken } }, 'with-old-token');
  expect(repeat.text).toBe(firstResponse.text);
});

test('a key that was used for another request is refused', async () => {
  const customer = await createCustomer(shop, store);
  await takeFreeTitle(customer, 'used-for-gratis');
  expect((await takeFreeTitle(customer, 'used-for-gratis', 'book')).value).toMatchObject({ status: 422, code: 'key_reused' });
});

test('two customers may use the same key', async () => {
  const [firstCustomer, secondCustomer] = [await createCustomer(shop, store), await createCustomer(shop, store)];
  const responses = [await takeFreeTitle(firstCustomer, 'shared-key'), await takeFreeTitle(secondCustomer, 'shared-key')];
  expect(responses.map((response) => response.status)).toEqual([200, 200]);
  expect(responses[0]?.text).not.toBe(responses[1]?.text);
});

test('twenty concurrent calls with one key are executed once', async () => {
  const customer = await createCustomer(shop, store);
  const responses = await Promise.all(Array.from({ length: 20 }, () => takeFreeTitle(customer, 'twenty-presses')));
  expect(new Set(responses.map((response) => response.text)).size).toBe(1);
});

test('a malformed key is refused', async () => {
  expect((await takeFreeTitle(await createCustomer(shop, store), 'a b')).status).toBe(400);
});

test('the clean-up deletes stored responses that are older than a day', async () => {
  const customer = await createCustomer(shop, store);
  await takeFreeTitle(customer, 'of-yesterday');
  await ageKeys(2);
  await takeFreeTitle(customer, 'of-this-hour');
  await cleanUp(shop.db);
  const storedKeys = await shop.db.selectFrom('idempotency_keys').selectAll().where('store_id', '=', store).execute();
  expect(storedKeys).toHaveLength(1);
});
