import { afterAll, beforeAll, expect, test } from 'vitest';
import { basic, customerOf, PASSWORD, signUpDocument, type Customer } from './support/customers.ts';
import { sentTo } from './support/outbox.ts';
import { openShop, type Shop } from './support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

const remove = (token: string, shelfid = store) =>
  shop.ask('deleteUser', '/user/delete', { query: { shelfid }, headers: { authorization: `Bearer ${token}` } });
const tokenOf = ({ query }: Customer) => query.accesstoken;
const userRow = ({ id }: Customer) => shop.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
const signIn = async ({ email }: Customer) =>
  (await shop.ask('signIn', '/user/signin', { query: { shelfid: store, appid: 'web' }, headers: basic(email, PASSWORD) })).status;

test('an account goes with all that is personal, and its address is free again [S7.user/delete] [S6.delete-header]', async () => {
  const customer = await customerOf(shop, store);
  await shop.ask('changeWishList', '/user/wishlist', {
    query: customer.query,
    body: { changes: [{ titleId: 'book', isSaved: true }] },
  });
  expect(await remove(tokenOf(customer))).toMatchObject({ status: 200, value: { Status: 'Ok' } });
  const row = await userRow(customer);
  expect(row).toMatchObject({ email: '', email_key: '', name: '', fields: {}, password_hash: null });
  expect(row?.deleted_at).not.toBeNull();
  for (const table of ['tokens', 'devices', 'wishes', 'progress', 'cards'] as const)
    expect(await shop.db.selectFrom(table).selectAll().where('user_id', '=', customer.id).execute(), table).toEqual([]);
  expect(await signIn(customer)).toBe(401);
  const again = await shop.ask('signUp', '/user/signup', {
    query: { shelfid: store, appid: 'web' },
    headers: basic(customer.email, PASSWORD),
    body: signUpDocument(customer.email),
  });
  expect(again.status).toBe(200);
});

test('who is gone is told by a letter, the last one', async () => {
  const customer = await customerOf(shop, store);
  await remove(tokenOf(customer));
  const letters = await sentTo(shop, customer.email);
  expect(letters.map(({ subject }) => subject)).toEqual([`Your account at Books <of> ${store} has been deleted`]);
});

test('what was bought stays in the books', async () => {
  const customer = await customerOf(shop, store);
  const { status } = await shop.ask('purchaseFreeTitle', '/purchase/free', { query: { ...customer.query, titleId: 'gratis' } });
  expect(status).toBe(200);
  expect((await remove(tokenOf(customer))).status).toBe(200);
  expect(await shop.db.selectFrom('purchases').selectAll().where('user_id', '=', customer.id).execute()).toHaveLength(1);
});

test('a token that is older than ten minutes deletes nothing', async () => {
  const customer = await customerOf(shop, store);
  await shop.db
    .updateTable('tokens')
    .set({ created_at: new Date(Date.now() - 11 * 60_000) })
    .where('user_id', '=', customer.id)
    .execute();
  expect(await remove(tokenOf(customer))).toMatchObject({ status: 409, value: { Code: 'sign_in_again' } });
  expect((await userRow(customer))?.deleted_at).toBeNull();
});

test.each([
  ['a made-up token', () => 'A'.repeat(43)],
  ['no token', () => ''],
])('%s deletes nothing', async (_what, token) => {
  expect((await remove(token())).status).toBeGreaterThanOrEqual(400);
});

test('another store’s token deletes nothing', async () => {
  const customer = await customerOf(shop, store);
  expect((await remove(tokenOf(customer), await shop.store())).status).toBe(401);
});

test('a purchase that is not paid is given up; one that is being charged is waited for', async () => {
  const customer = await customerOf(shop, store);
  const begun = await shop.ask('paymentSession', '/payment/session', { query: { ...customer.query, titleId: 'book' } });
  expect(begun.status).toBe(200);
  const ofCustomer = () => shop.db.selectFrom('transactions').select('status').where('user_id', '=', customer.id).execute();
  await shop.db.updateTable('transactions').set({ status: 'capturing' }).where('user_id', '=', customer.id).execute();
  expect(await remove(tokenOf(customer))).toMatchObject({ status: 409, value: { Code: 'payment_open' } });
  expect((await userRow(customer))?.deleted_at).toBeNull();
  await shop.db.updateTable('transactions').set({ status: 'pending' }).where('user_id', '=', customer.id).execute();
  expect((await remove(tokenOf(customer))).status).toBe(200);
  expect(await ofCustomer()).toEqual([{ status: 'cancelled' }]);
});
