import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bookCredits } from '../../../server/subscriptions/credits.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';
import {
  dateInDays,
  insertPlan,
  selectSubscription as selectSubscriptionOf,
  insertSubscription,
} from '../support/subscriptions.ts';

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
  await insertPlan(shop, store, {
    name: 'Everything, monthly',
    translations: JSON.stringify({ fr: { name: 'Tout, chaque mois' } }),
  });
});
beforeEach(async () => {
  customer = await createCustomer(shop, store);
});
afterAll(() => shop.close());

const readOwnSubscription = async ({ query }: Customer, headers: Record<string, string> = {}) =>
  (await shop.call('ownSubscription', '/user/subscription', { query, headers })).value as {
    subscription: Record<string, unknown> | null;
  };
const cancel = ({ query }: Customer) => shop.call('cancelSubscription', '/user/subscription/cancel', { query });
const readStatus = async ({ query }: Customer) =>
  (await shop.call('subscriptionStatus', '/subscription/status', { query })).value;
const selectSubscriptionRow = (id: string) => selectSubscriptionOf(shop, id);

test('a customer who never subscribed has no subscription', async () => {
  expect(await readOwnSubscription(customer)).toEqual({ subscription: null });
  expect(await cancel(customer)).toMatchObject({ status: 404, value: { Status: 'NotFound' } });
});

test('a subscription is returned with its plan, in the requested language', async () => {
  const until = dateInDays(10);
  await insertSubscription(shop, customer, { renews_at: until });
  const expectedSubscription = {
    planId: 'monthly',
    name: 'Everything, monthly',
    status: 'active',
    price: { amount: 9, currency: 'EUR', symbol: '€' },
    interval: 'month',
    credits: 2,
    until: until.toISOString(),
    resumable: null,
    changeable: false,
    next: null,
    refunded: null,
  };
  expect(await readOwnSubscription(customer)).toEqual({ subscription: expectedSubscription });
  expect((await readOwnSubscription(customer, { 'accept-language': 'fr' })).subscription).toMatchObject({
    name: 'Tout, chaque mois',
  });
  expect(await readOwnSubscription(await createCustomer(shop, store))).toEqual({ subscription: null });
});

test('a plan’s own number of credits overrides the store’s, even when it is 0', async () => {
  await insertPlan(shop, store, { id: 'without', credits: 0 });
  await insertSubscription(shop, customer, { plan_id: 'without' });
  expect((await readOwnSubscription(customer)).subscription).toMatchObject({ credits: 0 });
});

test('a cancelled subscription runs to its paid end; cancelling is idempotent [S7.user/subscription/cancel]', async () => {
  const [id, otherCustomer] = [await insertSubscription(shop, customer), await createCustomer(shop, store)];
  await insertSubscription(shop, otherCustomer);
  expect(await cancel(customer)).toMatchObject({ status: 200, value: { Status: 'Ok' } });
  const cancelledRow = await selectSubscriptionRow(id);
  expect(cancelledRow).toMatchObject({ status: 'active', ended_at: null });
  expect((await readOwnSubscription(customer)).subscription).toMatchObject({
    status: 'cancelled',
    until: cancelledRow.renews_at?.toISOString(),
  });
  expect(await readStatus(customer)).toEqual({ subscribed: true, data: 'monthly' });
  const repeatedResponses = await Promise.all([cancel(customer), cancel(customer), cancel(customer)]);
  expect(repeatedResponses.map((response) => response.status)).toEqual([200, 200, 200]);
  expect(await selectSubscriptionRow(id)).toEqual(cancelledRow);
  expect((await readOwnSubscription(otherCustomer)).subscription).toMatchObject({ status: 'active' });
  const auditEntries = await shop.db.selectFrom('audit_log').select('kind').where('user_id', '=', customer.id).execute();
  expect(auditEntries.filter(({ kind }) => kind === 'subscription_cancelled')).toHaveLength(1);
});

test('a cancelled subscription has the status ended after its paid end', async () => {
  const until = dateInDays(-1);
  await insertSubscription(shop, customer, { renews_at: until, cancelled_at: dateInDays(-5) });
  expect((await readOwnSubscription(customer)).subscription).toMatchObject({ status: 'ended', until: until.toISOString() });
  expect(await readStatus(customer)).toEqual({ subscribed: false, data: null });
  expect((await cancel(customer)).status).toBe(200);
});

test('a subscription without a known end ends when it is cancelled', async () => {
  const id = await insertSubscription(shop, customer, { renews_at: null });
  expect((await cancel(customer)).status).toBe(200);
  expect(await selectSubscriptionRow(id)).toMatchObject({ status: 'ended', ended_at: expect.any(Date) as Date });
  expect(await readStatus(customer)).toEqual({ subscribed: false, data: null });
});

test('a subscription with a failed payment is past due, and can be cancelled', async () => {
  await insertSubscription(shop, customer, { status: 'past_due' });
  expect((await readOwnSubscription(customer)).subscription).toMatchObject({ status: 'pastDue' });
  expect((await cancel(customer)).status).toBe(200);
  expect((await readOwnSubscription(customer)).subscription).toMatchObject({ status: 'cancelled' });
});

test('a running subscription is returned rather than an ended one', async () => {
  await insertSubscription(shop, customer, { status: 'ended', started_at: dateInDays(-90), ended_at: dateInDays(-60) });
  await insertSubscription(shop, customer, { status: 'ended', started_at: dateInDays(-40), ended_at: dateInDays(-3) });
  expect((await readOwnSubscription(customer)).subscription).toMatchObject({
    status: 'ended',
    until: expect.any(String) as string,
  });
  await insertSubscription(shop, customer, { started_at: dateInDays(-50) });
  expect((await readOwnSubscription(customer)).subscription).toMatchObject({ status: 'active' });
});

test('a subscription can be neither read nor cancelled with a made-up token, or in another store', async () => {
  const id = await insertSubscription(shop, customer);
  const otherStore = await shop.store();
  for (const query of [
    { shelfid: store, accesstoken: 'A'.repeat(43) },
    { shelfid: otherStore, accesstoken: customer.query.accesstoken },
  ]) {
    expect((await shop.call('ownSubscription', '/user/subscription', { query })).status).toBe(401);
    expect((await shop.call('cancelSubscription', '/user/subscription/cancel', { query })).status).toBe(401);
  }
  expect((await selectSubscriptionRow(id)).cancelled_at).toBeNull();
});

test('deleting an account ends and cancels its subscription', async () => {
  const id = await insertSubscription(shop, customer);
  const { status: deletionStatus } = await shop.call('deleteUser', '/user/delete', {
    query: { shelfid: store },
    headers: { authorization: `Bearer ${customer.query.accesstoken}` },
  });
  expect(deletionStatus).toBe(200);
  expect(await selectSubscriptionRow(id)).toMatchObject({
    status: 'ended',
    ended_at: expect.any(Date) as Date,
    cancelled_at: expect.any(Date) as Date,
  });
});

test('a customer’s data has their subscriptions and credits, without the gateway’s ids', async () => {
  await insertSubscription(shop, customer, { provider_id: 'name-at-the-gateway' });
  await bookCredits(shop.db, { storeId: store, userId: customer.id }, { cause: 'a gift', amount: 3 });
  const { value, text } = await shop.call('userData', '/user/data', { query: customer.query });
  expect(value).toMatchObject({
    subscriptions: [{ planId: 'monthly', status: 'active', cancelledAt: null, endedAt: null }],
    credits: [{ cause: 'a gift', amount: 3 }],
  });
  expect(text).not.toContain('name-at-the-gateway');
});
