import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runOperation } from '../../../server/admin/operations.ts';
import type { OperationInput } from '../../../server/admin/operation-input.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { dateInDays, insertPlan, insertSubscription } from '../support/subscriptions.ts';

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
  await insertPlan(shop, store);
  await plans('titles', { id: 'monthly', add: 'book,sound' });
});
beforeEach(async () => {
  customer = await createCustomer(shop, store);
});
afterAll(() => shop.close());

const plans = (command: string, given: OperationInput) => runOperation(shop.services, `plans ${command}`, { store, ...given });
const ownsTitle = async ({ query }: Customer, titleid = 'book') =>
  (await shop.ask('userHasTitle', '/user/has-title', { query: { ...query, titleid } })).value;
const takeFreeTitle = ({ query }: Customer, titleId = 'book') =>
  shop.ask('purchaseFreeTitle', '/purchase/free', { query: { ...query, titleId } });
const library = async ({ query }: Customer) =>
  (await shop.ask('userPurchases', '/user/purchases', { query })).value as {
    Purchase: { TitleId: string; WithSubscription?: boolean }[];
    left?: number;
    leftAt?: string;
  };
const openTitle = ({ query }: Customer, instanceid: string) =>
  shop.ask('viewerComponents', '/viewer/components', { query: { ...query, instanceid } });
const getInstanceId = (value: unknown) => (value as { instanceId: string }).instanceId;
const updateSubscription = (id: string, row: Record<string, unknown>) =>
  shop.db.updateTable('subscriptions').set(row).where('id', '=', id).execute();

test('a subscriber reads a title of the plan without buying it, and finds it in the library', async () => {
  await insertSubscription(shop, customer);
  expect(await ownsTitle(customer)).toEqual({ hasTitle: false, titleId: 'book', instanceId: null, withSubscription: true });
  expect(await library(customer)).toMatchObject({ total: 0 });

  const taken = await Promise.all([takeFreeTitle(customer), takeFreeTitle(customer), takeFreeTitle(customer)]);
  const copies = new Set(taken.map(({ value }) => getInstanceId(value)));
  expect(copies.size).toBe(1);
  const [copy = ''] = copies;
  expect(await ownsTitle(customer)).toMatchObject({ hasTitle: false, instanceId: copy, withSubscription: true });
  expect((await openTitle(customer, copy)).value).toMatchObject({ titleId: 'book', instanceId: copy, sample: false });
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

test('a customer without such a subscription gets no copy', async () => {
  expect(await ownsTitle(customer)).toEqual({ hasTitle: false, titleId: 'book', instanceId: null });
  expect(await takeFreeTitle(customer)).toMatchObject({ status: 409, value: { code: 'not_free' } });
  await insertPlan(shop, store, { id: 'bare' });
  await insertSubscription(shop, customer, { plan_id: 'bare' });
  expect(await takeFreeTitle(customer)).toMatchObject({ status: 409, value: { code: 'not_free' } });
  // Nor does a subscriber get a title outside the plan.
  const other = await createCustomer(shop, store);
  await insertSubscription(shop, other);
  expect(await takeFreeTitle(other, 'film')).toMatchObject({ status: 409, value: { code: 'not_free' } });
});

test('a title leaves the library when the subscription ends; a new subscription restores it with its reading position', async () => {
  const id = await insertSubscription(shop, customer);
  const copy = getInstanceId((await takeFreeTitle(customer)).value);
  await takeFreeTitle(customer, 'sound');
  const endedAt = dateInDays(-1);
  await updateSubscription(id, { status: 'ended', ended_at: endedAt });
  expect(await openTitle(customer, copy)).toMatchObject({ status: 403, value: { code: 'not_owned' } });
  expect(await library(customer)).toMatchObject({ total: 0, left: 2, leftAt: endedAt.toISOString() });
  expect(await ownsTitle(customer)).toEqual({ hasTitle: false, titleId: 'book', instanceId: null });

  await updateSubscription(id, { ended_at: dateInDays(-31) });
  expect((await library(customer)).left).toBeUndefined();

  await insertSubscription(shop, customer);
  expect((await library(customer)).Purchase).toHaveLength(2);
  expect((await library(customer)).left).toBeUndefined();
  expect((await openTitle(customer, copy)).status).toBe(200);
});

test('a title stays readable during the grace period of a failed payment, and until the paid end of a cancelled subscription', async () => {
  const id = await insertSubscription(shop, customer);
  const copy = getInstanceId((await takeFreeTitle(customer)).value);
  await updateSubscription(id, { status: 'past_due' });
  expect((await openTitle(customer, copy)).status).toBe(200);
  await updateSubscription(id, { status: 'active', cancelled_at: new Date() });
  expect((await openTitle(customer, copy)).status).toBe(200);
  await updateSubscription(id, { renews_at: dateInDays(-1) });
  expect((await openTitle(customer, copy)).status).toBe(403);
});

test('a bought title stays; the subscription’s copy does not block the purchase', async () => {
  const id = await insertSubscription(shop, customer);
  const copy = getInstanceId((await takeFreeTitle(customer)).value);
  const { session, ...bought } = await buyBook();
  expect(session).toBe(200);
  expect(await ownsTitle(customer)).toEqual({ hasTitle: true, titleId: 'book', instanceId: bought.copy });
  expect((await library(customer)).Purchase).toHaveLength(1);
  expect((await library(customer)).Purchase[0]?.WithSubscription).toBeUndefined();
  await updateSubscription(id, { status: 'ended', ended_at: new Date() });
  // The address of the subscription's copy opens the bought one.
  expect((await openTitle(customer, copy)).value).toMatchObject({ instanceId: bought.copy });
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

test('a plan with all titles opens every listed title, and title pages say so', async () => {
  const own = await shop.store();
  await insertPlan(shop, own, { id: 'bare' });
  const reader = await createCustomer(shop, own);
  await insertSubscription(shop, reader, { plan_id: 'bare' });
  const told = async (id: string) => (await shop.ask('titleById', `/titles/${id}`, { query: { shelfid: own } })).value;
  expect(await told('film')).not.toHaveProperty('InSubscription');
  await runOperation(shop.services, 'plans titles', { store: own, id: 'bare', all: 'yes' });
  expect(await told('film')).toMatchObject({ InSubscription: true });
  expect((await takeFreeTitle(reader, 'film')).status).toBe(200);
  await runOperation(shop.services, 'plans withdraw', { store: own, id: 'bare' });
  expect(await told('film')).not.toHaveProperty('InSubscription');
  // A subscriber of the plan keeps its titles.
  expect((await takeFreeTitle(reader, 'sound')).status).toBe(200);
  const offered = await shop.ask('plans', '/plans', { query: { shelfid: store } });
  expect(offered.value).toMatchObject({
    Plan: expect.arrayContaining([
      expect.objectContaining({ PlanId: 'monthly', OpensTitles: 2, Titles: expect.anything() as unknown }),
    ]),
  });
});

test('the operator lists and changes the titles of a plan', async () => {
  const own = await shop.store();
  await insertPlan(shop, own);
  const titles = async (given: OperationInput) =>
    (await runOperation(shop.services, 'plans titles', { store: own, id: 'monthly', ...given })).rows;
  expect(await titles({ add: 'book,sound', dryRun: true })).toHaveLength(2);
  expect(await titles({})).toEqual([]);
  expect((await titles({ add: 'book, sound' })).map((row) => row['title'])).toEqual(['book', 'sound']);
  expect((await titles({ remove: 'book', add: 'sound,film' })).map((row) => row['title'])).toEqual(['film', 'sound']);
  const listed = await runOperation(shop.services, 'plans list', { store: own });
  expect(listed.rows).toMatchObject([{ plan: 'monthly', opens: 2 }]);
  await expect(titles({ add: 'none' })).rejects.toThrow(/has no title none/);
  await expect(titles({ add: 'book', remove: 'book' })).rejects.toThrow(/both added and removed/);
  await expect(titles({ id: 'nothing' })).rejects.toThrow(/has no plan nothing/);
  await expect(titles({ all: 'some' })).rejects.toThrow(/yes or no/);
});
