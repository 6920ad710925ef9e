import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { operate } from '../../../server/admin/operations.ts';
import type { Given } from '../../../server/admin/given.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { inDays, planIn, subscriptionOf } from '../support/subscriptions.ts';

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
  await planIn(shop, store);
  await plans('titles', { id: 'monthly', add: 'book,sound' });
});
beforeEach(async () => {
  customer = await customerOf(shop, store);
});
afterAll(() => shop.close());

const plans = (command: string, given: Given) => operate(shop.services, `plans ${command}`, { store, ...given });
const has = async ({ query }: Customer, titleid = 'book') =>
  (await shop.ask('userHasTitle', '/user/has-title', { query: { ...query, titleid } })).value;
const take = ({ query }: Customer, titleId = 'book') =>
  shop.ask('purchaseFreeTitle', '/purchase/free', { query: { ...query, titleId } });
const library = async ({ query }: Customer) =>
  (await shop.ask('userPurchases', '/user/purchases', { query })).value as {
    Purchase: { TitleId: string; WithSubscription?: boolean }[];
    left?: number;
    leftAt?: string;
  };
const open = ({ query }: Customer, instanceid: string) =>
  shop.ask('viewerComponents', '/viewer/components', { query: { ...query, instanceid } });
const instanceOf = (value: unknown) => (value as { instanceId: string }).instanceId;
const set = (id: string, row: Record<string, unknown>) =>
  shop.db.updateTable('subscriptions').set(row).where('id', '=', id).execute();

test('a subscriber reads a title of the plan without buying it, and it stands in their library', async () => {
  await subscriptionOf(shop, customer);
  expect(await has(customer)).toEqual({ hasTitle: false, titleId: 'book', instanceId: null, withSubscription: true });
  expect(await library(customer)).toMatchObject({ total: 0 });

  const taken = await Promise.all([take(customer), take(customer), take(customer)]);
  const copies = new Set(taken.map(({ value }) => instanceOf(value)));
  expect(copies.size).toBe(1);
  const [copy = ''] = copies;
  expect(await has(customer)).toMatchObject({ hasTitle: false, instanceId: copy, withSubscription: true });
  expect((await open(customer, copy)).value).toMatchObject({ titleId: 'book', instanceId: copy, sample: false });
  expect((await library(customer)).Purchase).toMatchObject([{ TitleId: 'book', WithSubscription: true }]);
  const place = { query: { ...customer.query, titleid: 'book', contextkey: 'default' } };
  expect(
    (
      await shop.ask('saveViewerProgress', '/viewer/progress', {
        ...place,
        body: { position: { node: 'a', totalProgression: 0.4 } },
      })
    ).status,
  ).toBe(200);
});

test('who has no such subscription gets nothing', async () => {
  expect(await has(customer)).toEqual({ hasTitle: false, titleId: 'book', instanceId: null });
  expect(await take(customer)).toMatchObject({ status: 409, value: { code: 'not_free' } });
  await planIn(shop, store, { id: 'bare' });
  await subscriptionOf(shop, customer, { plan_id: 'bare' });
  expect(await take(customer)).toMatchObject({ status: 409, value: { code: 'not_free' } });
  // Nor a title that the plan does not name.
  const other = await customerOf(shop, store);
  await subscriptionOf(shop, other);
  expect(await take(other, 'film')).toMatchObject({ status: 409, value: { code: 'not_free' } });
});

test('when it ends the title leaves the library, which says so; subscribed again, it is back with its place', async () => {
  const id = await subscriptionOf(shop, customer);
  const copy = instanceOf((await take(customer)).value);
  await take(customer, 'sound');
  const endedAt = inDays(-1);
  await set(id, { status: 'ended', ended_at: endedAt });
  expect(await open(customer, copy)).toMatchObject({ status: 403, value: { code: 'not_owned' } });
  expect(await library(customer)).toMatchObject({ total: 0, left: 2, leftAt: endedAt.toISOString() });
  expect(await has(customer)).toEqual({ hasTitle: false, titleId: 'book', instanceId: null });

  await set(id, { ended_at: inDays(-31) });
  expect((await library(customer)).left).toBeUndefined();

  await subscriptionOf(shop, customer);
  expect((await library(customer)).Purchase).toHaveLength(2);
  expect((await library(customer)).left).toBeUndefined();
  expect((await open(customer, copy)).status).toBe(200);
});

test('it is read through a failed payment’s days of grace, and to the end of what a cancelled one has paid for', async () => {
  const id = await subscriptionOf(shop, customer);
  const copy = instanceOf((await take(customer)).value);
  await set(id, { status: 'past_due' });
  expect((await open(customer, copy)).status).toBe(200);
  await set(id, { status: 'active', cancelled_at: new Date() });
  expect((await open(customer, copy)).status).toBe(200);
  await set(id, { renews_at: inDays(-1) });
  expect((await open(customer, copy)).status).toBe(403);
});

test('what is bought stays; the copy of the subscription does not keep anybody from buying', async () => {
  const id = await subscriptionOf(shop, customer);
  const copy = instanceOf((await take(customer)).value);
  const { session, ...bought } = await buyBook();
  expect(session).toBe(200);
  expect(await has(customer)).toEqual({ hasTitle: true, titleId: 'book', instanceId: bought.copy });
  expect((await library(customer)).Purchase).toHaveLength(1);
  expect((await library(customer)).Purchase[0]?.WithSubscription).toBeUndefined();
  await set(id, { status: 'ended', ended_at: new Date() });
  // An address of the subscription's copy opens what is owned.
  expect((await open(customer, copy)).value).toMatchObject({ instanceId: bought.copy });
  expect((await library(customer)).left).toBeUndefined();
});

async function buyBook() {
  const session = await shop.ask('paymentSession', '/payment/session', {
    query: { ...customer.query, titleId: 'book', method: 'card' },
  });
  const copy = 'bought-copy-of-the-book';
  await shop.db
    .insertInto('entitlements')
    .values({
      store_id: store,
      user_id: customer.id,
      title_id: 'book',
      source: 'purchase',
      instance_id: copy,
      purchase_id: null,
      expires_at: null,
    })
    .execute();
  return { session: session.status, copy };
}

test('a plan that opens all opens what is listed; pages of titles say what a subscription opens', async () => {
  const own = await shop.store();
  await planIn(shop, own, { id: 'bare' });
  const reader = await customerOf(shop, own);
  await subscriptionOf(shop, reader, { plan_id: 'bare' });
  const told = async (id: string) => (await shop.ask('titleById', `/titles/${id}`, { query: { shelfid: own } })).value;
  expect(await told('film')).not.toHaveProperty('InSubscription');
  await operate(shop.services, 'plans titles', { store: own, id: 'bare', all: 'yes' });
  expect(await told('film')).toMatchObject({ InSubscription: true });
  expect((await take(reader, 'film')).status).toBe(200);
  await operate(shop.services, 'plans withdraw', { store: own, id: 'bare' });
  expect(await told('film')).not.toHaveProperty('InSubscription');
  // Who has the plan keeps what it gives.
  expect((await take(reader, 'sound')).status).toBe(200);
  const offered = await shop.ask('plans', '/plans', { query: { shelfid: store } });
  expect(offered.value).toMatchObject({
    Plan: expect.arrayContaining([
      expect.objectContaining({ PlanId: 'monthly', OpensTitles: 2, Titles: expect.anything() as unknown }),
    ]),
  });
});

test('the operator says which titles a plan opens', async () => {
  const own = await shop.store();
  await planIn(shop, own);
  const titles = async (given: Given) =>
    (await operate(shop.services, 'plans titles', { store: own, id: 'monthly', ...given })).rows;
  expect(await titles({ add: 'book,sound', dryRun: true })).toHaveLength(2);
  expect(await titles({})).toEqual([]);
  expect((await titles({ add: 'book, sound' })).map((row) => row['title'])).toEqual(['book', 'sound']);
  expect((await titles({ remove: 'book', add: 'sound,film' })).map((row) => row['title'])).toEqual(['film', 'sound']);
  const listed = await operate(shop.services, 'plans list', { store: own });
  expect(listed.rows).toMatchObject([{ plan: 'monthly', opens: 2 }]);
  await expect(titles({ add: 'none' })).rejects.toThrow(/has no title none/);
  await expect(titles({ add: 'book', remove: 'book' })).rejects.toThrow(/both added and removed/);
  await expect(titles({ id: 'nothing' })).rejects.toThrow(/has no plan nothing/);
  await expect(titles({ all: 'some' })).rejects.toThrow(/yes or no/);
});
