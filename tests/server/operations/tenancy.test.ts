import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { basicAuth, type Customer, createCustomer, PASSWORD, signUpXml } from '../support/customers.ts';
import { authorizePayment, confirmPayment, countHoldings } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let [here, there] = ['', ''];
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
  here = await shop.store({ host: 'here.example' });
  there = await shop.store({ host: 'there.example', titles: [], categories: [], pages: [] });
  customer = await createCustomer(shop, here);
});
afterAll(() => shop.close());

const queryOfOtherStore = () => ({ shelfid: there, accesstoken: customer.query.accesstoken });

test('titles, categories and pages of one store are not in the other', async () => {
  expect((await shop.ask('titles', '/titles', { query: { shelfid: there } })).value).toMatchObject({ total: 0, Title: [] });
  expect((await shop.ask('categories', '/categories', { query: { shelfid: there } })).value).toEqual({ Category: [] });
  const missing = [
    ['titleById', '/titles/book'],
    ['titleByIsbn', '/titles/isbn/9780306406157'],
    ['relatedTitles', '/titles/book/related'],
    ['page', '/pages/about'],
  ] as const;
  for (const [id, path] of missing) expect((await shop.ask(id, path, { query: { shelfid: there } })).status).toBe(404);
});

test('a token is valid only in its own store', async () => {
  expect((await shop.ask('validateToken', '/user/validate', { query: customer.query })).status).toBe(200);
  expect((await shop.ask('validateToken', '/user/validate', { query: queryOfOtherStore() })).status).toBe(401);
  expect((await shop.ask('userPurchases', '/user/purchases', { query: queryOfOtherStore() })).status).toBe(401);
});

test('an e-mail address may have an account in each store, with separate passwords', async () => {
  const signUp = await shop.ask('signUp', '/user/signup', {
    query: { shelfid: there, appid: 'web' },
    headers: basicAuth(customer.email, 'another password'),
    body: signUpXml(customer.email),
  });
  expect(signUp.status).toBe(200);
  const signIn = (shelfid: string, password: string) =>
    shop.ask('signIn', '/user/signin', { query: { shelfid, appid: 'web' }, headers: basicAuth(customer.email, password) });
  expect((await signIn(here, PASSWORD)).status).toBe(200);
  expect((await signIn(there, PASSWORD)).status).toBe(401);
  expect((await signIn(there, 'another password')).status).toBe(200);
});

test('purchases and reading positions of one store are not in the other, even for titles with the same id', async () => {
  const second = await shop.store();
  const other = await createCustomer(shop, second);
  const { transId } = await authorizePayment(shop, customer, 'book');
  await confirmPayment(shop, customer, transId);
  expect((await shop.ask('userHasTitle', '/user/has-title', { query: { ...other.query, titleid: 'book' } })).value).toMatchObject(
    { hasTitle: false },
  );
  expect((await shop.ask('userTitles', '/user/titles', { query: other.query })).value).toMatchObject({ titles: [], opened: [] });
  expect((await shop.ask('sessionStatus', '/checkout/session/status', { query: { ...other.query, transId } })).status).toBe(404);
  expect(await countHoldings(shop, other, 'book')).toEqual({ purchases: 0, copies: 0, paid: 0 });
});

test('the database refuses a row that references another store', async () => {
  const stolen = sql`insert into entitlements (store_id, user_id, title_id, source, instance_id)
    values (${there}, ${customer.id}, 'book', 'purchase', 'stolen')`;
  await expect(stolen.execute(shop.db)).rejects.toMatchObject({ code: '23503' });
});
