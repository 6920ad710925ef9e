import { afterAll, beforeAll, expect, test } from 'vitest';
import { basicAuth, createCustomer, PASSWORD } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

const readUserData = (accesstoken: string, shelfid = store) =>
  shop.call('userData', '/user/data', { query: { shelfid, accesstoken } });

test('customers get all their own data, no data of others, and no secrets', async () => {
  const [customer, otherCustomer] = [await createCustomer(shop, store), await createCustomer(shop, store)];
  await shop.call('signIn', '/user/signin', {
    query: { shelfid: store, appid: 'web', deviceid: 'telephone', devicename: 'Telephone' },
    headers: basicAuth(customer.email, PASSWORD),
  });
  for (const { query } of [customer, otherCustomer]) {
    await shop.call('purchaseFreeTitle', '/purchase/free', { query: { ...query, titleId: 'gratis' } });
    await shop.call('changeWishList', '/user/wishlist', {
      query,
      body: { changes: [{ titleId: 'book', isSaved: true }] },
    });
  }
  await shop.db
    .insertInto('cards')
    .values({
      store_id: store,
      id: 'c1',
      user_id: customer.id,
      gateway_card: 'secret-of-the-gateway',
      brand: 'visa',
      last4: '4242',
      exp_month: 3,
      exp_year: 2030,
    })
    .execute();
  const { status, text, value } = await readUserData(customer.query.accesstoken);
  expect(status).toBe(200);
  expect(value).toMatchObject({
    account: { userId: customer.id, email: customer.email, name: 'Ann & Co', answers: {} },
    signsInBy: [],
    devices: [{ name: 'Telephone', signedOutAt: null }],
    cards: [{ brand: 'visa', lastFour: '4242', expires: '2030-03' }],
    purchases: [{ titleId: 'gratis', kind: 'free', paid: 0, tax: 0, credits: null, refundedAt: null }],
    library: [{ titleId: 'gratis', name: 'A Free Sheet', source: 'purchase' }],
    wishes: [{ titleId: 'book' }],
    places: [],
    activity: [{ what: 'signed_up', network: '127.0.0.1' }, { what: 'signed_in' }, { what: 'signed_in' }],
  });
  for (const secret of ['secret-of-the-gateway', 'scrypt', otherCustomer.email, otherCustomer.id, customer.query.accesstoken])
    expect(text).not.toContain(secret);
});

test('an unknown token, or a token of another store, gets no data', async () => {
  const customer = await createCustomer(shop, store);
  expect((await readUserData('x'.repeat(43))).status).toBe(401);
  expect((await readUserData(customer.query.accesstoken, await shop.store())).status).toBe(401);
});
