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

const press = (customer: Customer, key: string, titleId = 'gratis') =>
  shop.ask('purchaseFreeTitle', '/purchase/free', { query: { ...customer.query, titleId }, headers: { 'idempotency-key': key } });

const ageKeys = (days: number) =>
  shop.db
    .updateTable('idempotency_keys')
    .set({ created_at: new Date(Date.now() - days * DAY_MS) })
    .where('store_id', '=', store)
    .execute();

/** A price change would make a second execution respond differently. */
const raisePrice = (amount: number) =>
  shop.db
    .updateTable('prices')
    .set({ amount_minor: amount })
    .where('store_id', '=', store)
    .where('title_id', '=', 'gratis')
    .execute();

test('a repeated call gets the first response for a day, also a refusal', async () => {
  const customer = await createCustomer(shop, store);
  await raisePrice(500);
  const refused = await press(customer, 'the-first-press');
  expect(refused.status).toBe(409);
  await raisePrice(0);
  const repeated = await press(customer, 'the-first-press');
  expect([repeated.status, repeated.text, repeated.headers['content-type']]).toEqual([
    409,
    refused.text,
    refused.headers['content-type'],
  ]);
  expect((await press(customer, 'another-press')).status).toBe(200);
  await ageKeys(1.1);
  expect((await press(customer, 'the-first-press')).status).toBe(200);
});

test('a key still belongs to the customer after the access token was renewed', async () => {
  const customer = await createCustomer(shop, store);
  const first = await press(customer, 'with-old-token');
  const token = await shop.db.selectFrom('tokens').selectAll().where('user_id', '=', customer.id).executeTakeFirstOrThrow();
  const renewed = 'r'.repeat(43);
  await shop.db
    .insertInto('tokens')
    .values({ ...token, hash: hashToken(renewed) })
    .execute();
  const again = await press({ ...customer, query: { ...customer.query, accesstoken: renewed } }, 'with-old-token');
  expect(again.text).toBe(first.text);
});

test('a key is valid for one request only', async () => {
  const customer = await createCustomer(shop, store);
  await press(customer, 'used-for-gratis');
  expect((await press(customer, 'used-for-gratis', 'book')).value).toMatchObject({ status: 422, code: 'key_reused' });
});

test('two customers may use the same key', async () => {
  const [one, two] = [await createCustomer(shop, store), await createCustomer(shop, store)];
  const answers = [await press(one, 'everybodys-key'), await press(two, 'everybodys-key')];
  expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
  expect(answers[0]?.text).not.toBe(answers[1]?.text);
});

test('twenty concurrent calls with one key are executed once', async () => {
  const customer = await createCustomer(shop, store);
  const answers = await Promise.all(Array.from({ length: 20 }, () => press(customer, 'twenty-presses')));
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
});

test('a malformed key is refused', async () => {
  expect((await press(await createCustomer(shop, store), 'a b')).status).toBe(400);
});

test('stored responses older than a day are deleted, younger ones kept', async () => {
  const customer = await createCustomer(shop, store);
  await press(customer, 'of-yesterday');
  await ageKeys(2);
  await press(customer, 'of-this-hour');
  await cleanUp(shop.db);
  const kept = await shop.db.selectFrom('idempotency_keys').selectAll().where('store_id', '=', store).execute();
  expect(kept).toHaveLength(1);
});
