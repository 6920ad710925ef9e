import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { basicAuth, type Customer, createCustomer, PASSWORD, signUpXml } from '../support/customers.ts';
import { authorizePayment, confirmPayment, countHoldings } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let [firstStore, secondStore] = ['', ''];
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
  firstStore = await shop.store({ host: 'here.example' });
  secondStore = await shop.store({ host: 'there.example', titles: [], categories: [], pages: [] });
  customer = await createCustomer(shop, firstStore);
});
afterAll(() => shop.close());

const makeQueryOfSecondStore = () => ({ shelfid: secondStore, accesstoken: customer.query.accesstoken });

test('titles, categories and pages of one store are not in another store', async () => {
  expect((await shop.call('titles', '/titles', { query: { shelfid: secondStore } })).value).toMatchObject({
    total: 0,
    Title: [],
  });
  expect((await shop.call('categories', '/categories', { query: { shelfid: secondStore } })).value).toEqual({ Category: [] });
  const calls = [
    ['titleById', '/titles/book'],
    ['titleByIsbn', '/titles/isbn/9780306406157'],
    ['relatedTitles', '/titles/book/related'],
    ['page', '/pages/about'],
  ] as const;
  for (const [id, path] of calls) expect((await shop.call(id, path, { query: { shelfid: secondStore } })).status).toBe(404);
});

test('a token is valid only in its own store', async () => {
  expect((await shop.call('validateToken', '/user/validate', { query: customer.query })).status).toBe(200);
  expect((await shop.call('validateToken', '/user/validate', { query: makeQueryOfSecondStore() })).status).toBe(401);
  expect((await shop.call('userPurchases', '/user/purchases', { query: makeQueryOfSecondStore() })).status).toBe(401);
});

test('an e-mail address may have an account in each store, with separate passwords', async () => {
  const signUp = await shop.call('signUp', '/user/signup', {
    query: { shelfid: secondStore, appid: 'web' },
    headers: basicAuth(customer.email, 'another password'),
    body: signUpXml(customer.email),
  });
  expect(signUp.status).toBe(200);
  const signIn = (shelfid: string, password: string) =>
    shop.call('signIn', '/user/signin', { query: { shelfid, appid: 'web' }, headers: basicAuth(customer.email, password) });
  expect((await signIn(firstStore, PASSWORD)).status).toBe(200);
  expect((await signIn(secondStore, PASSWORD)).status).toBe(401);
  expect((await signIn(secondStore, 'another password')).status).toBe(200);
});

test('purchases and reading positions of one store are not in another, even for titles with the same id', async () => {
  const otherStore = await shop.store();
  const otherCustomer = await createCustomer(shop, otherStore);
  const { transId } = await authorizePayment(shop, customer, 'book');
  await confirmPayment(shop, customer, transId);
  expect(
    (await shop.call('userHasTitle', '/user/has-title', { query: { ...otherCustomer.query, titleid: 'book' } })).value,
  ).toMatchObject({ hasTitle: false });
  expect((await shop.call('userTitles', '/user/titles', { query: otherCustomer.query })).value).toMatchObject({
    titles: [],
    opened: [],
  });
  expect(
    (await shop.call('sessionStatus', '/checkout/session/status', { query: { ...otherCustomer.query, transId } })).status,
  ).toBe(404);
  expect(await countHoldings(shop, otherCustomer, 'book')).toEqual({ purchases: 0, copies: 0, paid: 0 });
});

test('the database refuses a row that references another store', async () => {
  const insertion = sql`insert into entitlements (store_id, user_id, title_id, source, instance_id)
    values (${secondStore}, ${customer.id}, 'book', 'purchase', 'stolen')`;
  await expect(insertion.execute(shop.db)).rejects.toMatchObject({ code: '23503' });
});
