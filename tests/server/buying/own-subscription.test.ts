import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bookCredits } from '../../../server/subscriptions/credits.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { inDays, planIn, rowOf as rowIn, subscriptionOf } from '../support/subscriptions.ts';

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
  await planIn(shop, store, {
    name: 'Everything, monthly',
    translations: JSON.stringify({ fr: { name: 'Tout, chaque mois' } }),
  });
});
beforeEach(async () => {
  customer = await customerOf(shop, store);
});
afterAll(() => shop.close());

const own = async ({ query }: Customer, headers: Record<string, string> = {}) =>
  (await shop.ask('ownSubscription', '/user/subscription', { query, headers })).value as {
    subscription: Record<string, unknown> | null;
  };
const cancel = ({ query }: Customer) => shop.ask('cancelSubscription', '/user/subscription/cancel', { query });
const status = async ({ query }: Customer) => (await shop.ask('subscriptionStatus', '/subscription/status', { query })).value;
const rowOf = (id: string) => rowIn(shop, id);

test('who never had one has none', async () => {
  expect(await own(customer)).toEqual({ subscription: null });
  expect(await cancel(customer)).toMatchObject({ status: 404, value: { Status: 'NotFound' } });
});

test('a subscription is told with its plan, in the language that is asked for', async () => {
  const until = inDays(10);
  await subscriptionOf(shop, customer, { renews_at: until });
  const told = {
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
  expect(await own(customer)).toEqual({ subscription: told });
  expect((await own(customer, { 'accept-language': 'fr' })).subscription).toMatchObject({ name: 'Tout, chaque mois' });
  expect(await own(await customerOf(shop, store))).toEqual({ subscription: null });
});

test('a plan’s own number of credits counts before the store’s, none as well', async () => {
  await planIn(shop, store, { id: 'without', credits: 0 });
  await subscriptionOf(shop, customer, { plan_id: 'without' });
  expect((await own(customer)).subscription).toMatchObject({ credits: 0 });
});

test('cancelled, it runs to the end of what is paid for; again changes nothing [S7.user/subscription/cancel]', async () => {
  const [id, neighbour] = [await subscriptionOf(shop, customer), await customerOf(shop, store)];
  await subscriptionOf(shop, neighbour);
  expect(await cancel(customer)).toMatchObject({ status: 200, value: { Status: 'Ok' } });
  const first = await rowOf(id);
  expect(first).toMatchObject({ status: 'active', ended_at: null });
  expect((await own(customer)).subscription).toMatchObject({ status: 'cancelled', until: first.renews_at?.toISOString() });
  expect(await status(customer)).toEqual({ subscribed: true, data: 'monthly' });
  const again = await Promise.all([cancel(customer), cancel(customer), cancel(customer)]);
  expect(again.map((answer) => answer.status)).toEqual([200, 200, 200]);
  expect(await rowOf(id)).toEqual(first);
  expect((await own(neighbour)).subscription).toMatchObject({ status: 'active' });
  const noted = await shop.db.selectFrom('audit_log').select('kind').where('user_id', '=', customer.id).execute();
  expect(noted.filter(({ kind }) => kind === 'subscription_cancelled')).toHaveLength(1);
});

test('when what is paid for is over, a cancelled one has ended', async () => {
  const until = inDays(-1);
  await subscriptionOf(shop, customer, { renews_at: until, cancelled_at: inDays(-5) });
  expect((await own(customer)).subscription).toMatchObject({ status: 'ended', until: until.toISOString() });
  expect(await status(customer)).toEqual({ subscribed: false, data: null });
  expect((await cancel(customer)).status).toBe(200);
});

test('one whose end nobody knows ends when it is cancelled', async () => {
  const id = await subscriptionOf(shop, customer, { renews_at: null });
  expect((await cancel(customer)).status).toBe(200);
  expect(await rowOf(id)).toMatchObject({ status: 'ended', ended_at: expect.any(Date) as Date });
  expect(await status(customer)).toEqual({ subscribed: false, data: null });
});

test('one whose payment has failed runs on for now, and can be cancelled', async () => {
  await subscriptionOf(shop, customer, { status: 'past_due' });
  expect((await own(customer)).subscription).toMatchObject({ status: 'pastDue' });
  expect((await cancel(customer)).status).toBe(200);
  expect((await own(customer)).subscription).toMatchObject({ status: 'cancelled' });
});

test('the one that runs is told before those that have ended, and the last of these where none runs', async () => {
  await subscriptionOf(shop, customer, { status: 'ended', started_at: inDays(-90), ended_at: inDays(-60) });
  await subscriptionOf(shop, customer, { status: 'ended', started_at: inDays(-40), ended_at: inDays(-3) });
  expect((await own(customer)).subscription).toMatchObject({ status: 'ended', until: expect.any(String) as string });
  await subscriptionOf(shop, customer, { started_at: inDays(-50) });
  expect((await own(customer)).subscription).toMatchObject({ status: 'active' });
});

test('nobody but its customer is told of it, or cancels it', async () => {
  const id = await subscriptionOf(shop, customer);
  const elsewhere = await shop.store();
  for (const query of [
    { shelfid: store, accesstoken: 'A'.repeat(43) },
    { shelfid: elsewhere, accesstoken: customer.query.accesstoken },
  ]) {
    expect((await shop.ask('ownSubscription', '/user/subscription', { query })).status).toBe(401);
    expect((await shop.ask('cancelSubscription', '/user/subscription/cancel', { query })).status).toBe(401);
  }
  expect((await rowOf(id)).cancelled_at).toBeNull();
});

test('an account that is deleted takes its subscription along', async () => {
  const id = await subscriptionOf(shop, customer);
  const { status: answered } = await shop.ask('deleteUser', '/user/delete', {
    query: { shelfid: store },
    headers: { authorization: `Bearer ${customer.query.accesstoken}` },
  });
  expect(answered).toBe(200);
  expect(await rowOf(id)).toMatchObject({
    status: 'ended',
    ended_at: expect.any(Date) as Date,
    cancelled_at: expect.any(Date) as Date,
  });
});

test('customers get what is kept of their subscriptions and credits, without the gateway’s names', async () => {
  await subscriptionOf(shop, customer, { provider_id: 'name-at-the-gateway' });
  await bookCredits(shop.db, { storeId: store, userId: customer.id }, { cause: 'a gift', amount: 3 });
  const { value, text } = await shop.ask('userData', '/user/data', { query: customer.query });
  expect(value).toMatchObject({
    subscriptions: [{ planId: 'monthly', status: 'active', cancelledAt: null, endedAt: null }],
    credits: [{ cause: 'a gift', amount: 3 }],
  });
  expect(text).not.toContain('name-at-the-gateway');
});
