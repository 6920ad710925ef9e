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
  await runPlanOperation('titles', { id: 'monthly', add: 'book,sound' });
});
beforeEach(async () => {
  customer = await createCustomer(shop, store);
});
afterAll(() => shop.close());

const runPlanOperation = (command: string, input: OperationInput) =>
  runOperation(shop.services, `plans ${command}`, { store, ...input });
const readOwnership = async ({ query }: Customer, titleid = 'book') =>
  (await shop.call('userHasTitle', '/user/has-title', { query: { ...query, titleid } })).value;
const takeFreeTitle = ({ query }: Customer, titleId = 'book') =>
  shop.call('purchaseFreeTitle', '/purchase/free', { query: { ...query, titleId } });
const readLibrary = async ({ query }: Customer) =>
  (await shop.call('userPurchases', '/user/purchases', { query })).value as {
    Purchase: { TitleId: string; WithSubscription?: boolean }[];
    left?: number;
    leftAt?: string;
  };
const openTitle = ({ query }: Customer, instanceid: string) =>
  shop.call('viewerComponents', '/viewer/components', { query: { ...query, instanceid } });
const getInstanceId = (value: unknown) => (value as { instanceId: string }).instanceId;
const updateSubscription = (id: string, row: Record<string, unknown>) =>
  shop.db.updateTable('subscriptions').set(row).where('id', '=', id).execute();

test('a subscriber reads a title of the plan without buying it, and finds it in the library', async () => {
  await insertSubscription(shop, customer);
  expect(await readOwnership(customer)).toEqual({ hasTitle: false, titleId: 'book', instanceId: null, withSubscription: true });
  expect(await readLibrary(customer)).toMatchObject({ total: 0 });

  const responses = await Promise.all([takeFreeTitle(customer), takeFreeTitle(customer), takeFreeTitle(customer)]);
  const instanceIds = new Set(responses.map(({ value }) => getInstanceId(value)));
  expect(instanceIds.size).toBe(1);
  const [instanceId = ''] = instanceIds;
  expect(await readOwnership(customer)).toMatchObject({ hasTitle: false, instanceId, withSubscription: true });
  expect((await openTitle(customer, instanceId)).value).toMatchObject({ titleId: 'book', instanceId, sample: false });
  expect((await readLibrary(customer)).Purchase).toMatchObject([{ TitleId: 'book', WithSubscription: true }]);
  const progressRequest = { query: { ...customer.query, titleid: 'book', contextkey: 'default' } };
  expect(
    (
      await shop.call('saveViewerProgress', '/viewer/progress', {
        ...progressRequest,
        body: { position: { node: 'a', totalProgression: 0.4 } },
      })
    ).status,
  ).toBe(200);
});

test('a customer whose subscription does not open a title gets no copy of it', async () => {
  expect(await readOwnership(customer)).toEqual({ hasTitle: false, titleId: 'book', instanceId: null });
  expect(await takeFreeTitle(customer)).toMatchObject({ status: 409, value: { code: 'not_free' } });
  await insertPlan(shop, store, { id: 'bare' });
  await insertSubscription(shop, customer, { plan_id: 'bare' });
  expect(await takeFreeTitle(customer)).toMatchObject({ status: 409, value: { code: 'not_free' } });
  // A subscriber gets no title outside the plan either.
  const otherCustomer = await createCustomer(shop, store);
  await insertSubscription(shop, otherCustomer);
  expect(await takeFreeTitle(otherCustomer, 'film')).toMatchObject({ status: 409, value: { code: 'not_free' } });
});

test('a plan’s titles leave the library when the subscription ends, and return with a new subscription', async () => {
  const id = await insertSubscription(shop, customer);
  const instanceId = getInstanceId((await takeFreeTitle(customer)).value);
  await takeFreeTitle(customer, 'sound');
  const endedAt = dateInDays(-1);
  await updateSubscription(id, { status: 'ended', ended_at: endedAt });
  expect(await openTitle(customer, instanceId)).toMatchObject({ status: 403, value: { code: 'not_owned' } });
  expect(await readLibrary(customer)).toMatchObject({ total: 0, left: 2, leftAt: endedAt.toISOString() });
  expect(await readOwnership(customer)).toEqual({ hasTitle: false, titleId: 'book', instanceId: null });

  await updateSubscription(id, { ended_at: dateInDays(-31) });
  expect((await readLibrary(customer)).left).toBeUndefined();

  await insertSubscription(shop, customer);
  expect((await readLibrary(customer)).Purchase).toHaveLength(2);
  expect((await readLibrary(customer)).left).toBeUndefined();
  expect((await openTitle(customer, instanceId)).status).toBe(200);
});

test('a plan’s title stays readable during the grace period of a failed payment, and until the paid end of a cancelled subscription', async () => {
  const id = await insertSubscription(shop, customer);
  const instanceId = getInstanceId((await takeFreeTitle(customer)).value);
  await updateSubscription(id, { status: 'past_due' });
  expect((await openTitle(customer, instanceId)).status).toBe(200);
  await updateSubscription(id, { status: 'active', cancelled_at: new Date() });
  expect((await openTitle(customer, instanceId)).status).toBe(200);
  await updateSubscription(id, { renews_at: dateInDays(-1) });
  expect((await openTitle(customer, instanceId)).status).toBe(403);
});

test('a subscriber can buy a title of the plan, and keeps it after the subscription', async () => {
  const id = await insertSubscription(shop, customer);
  const instanceId = getInstanceId((await takeFreeTitle(customer)).value);
  const { sessionStatus, boughtInstanceId } = await buyBook();
  expect(sessionStatus).toBe(200);
  expect(await readOwnership(customer)).toEqual({ hasTitle: true, titleId: 'book', instanceId: boughtInstanceId });
  expect((await readLibrary(customer)).Purchase).toHaveLength(1);
  expect((await readLibrary(customer)).Purchase[0]?.WithSubscription).toBeUndefined();
  await updateSubscription(id, { status: 'ended', ended_at: new Date() });
  // The instance id of the subscription's copy opens the bought copy.
  expect((await openTitle(customer, instanceId)).value).toMatchObject({ instanceId: boughtInstanceId });
  expect((await readLibrary(customer)).left).toBeUndefined();
});

/** Starts a payment for the book, and grants a bought copy directly. */
async function buyBook() {
  const session = await shop.call('paymentSession', '/payment/session', {
    query: { ...customer.query, titleId: 'book', method: 'card' },
  });
  const boughtInstanceId = 'bought-copy-of-the-book';
  await shop.db
    .insertInto('entitlements')
    .values({
      store_id: store,
      user_id: customer.id,
      title_id: 'book',
      source: 'purchase',
      instance_id: boughtInstanceId,
      purchase_id: null,
      expires_at: null,
    })
    .execute();
  return { sessionStatus: session.status, boughtInstanceId };
}

test('a plan with all titles opens every listed title, and the title’s response says so while the plan is sold', async () => {
  const ownStore = await shop.store();
  await insertPlan(shop, ownStore, { id: 'bare' });
  const reader = await createCustomer(shop, ownStore);
  await insertSubscription(shop, reader, { plan_id: 'bare' });
  const readTitle = async (id: string) => (await shop.call('titleById', `/titles/${id}`, { query: { shelfid: ownStore } })).value;
  expect(await readTitle('film')).not.toHaveProperty('InSubscription');
  await runOperation(shop.services, 'plans titles', { store: ownStore, id: 'bare', all: 'yes' });
  expect(await readTitle('film')).toMatchObject({ InSubscription: true });
  expect((await takeFreeTitle(reader, 'film')).status).toBe(200);
  await runOperation(shop.services, 'plans withdraw', { store: ownStore, id: 'bare' });
  expect(await readTitle('film')).not.toHaveProperty('InSubscription');
  // A subscriber of the plan keeps its titles.
  expect((await takeFreeTitle(reader, 'sound')).status).toBe(200);
  const plansResponse = await shop.call('plans', '/plans', { query: { shelfid: store } });
  expect(plansResponse.value).toMatchObject({
    Plan: expect.arrayContaining([
      expect.objectContaining({ PlanId: 'monthly', OpensTitles: 2, Titles: expect.anything() as unknown }),
    ]),
  });
});

test('the operator lists and changes the titles of a plan', async () => {
  const ownStore = await shop.store();
  await insertPlan(shop, ownStore);
  const changeTitles = async (input: OperationInput) =>
    (await runOperation(shop.services, 'plans titles', { store: ownStore, id: 'monthly', ...input })).rows;
  expect(await changeTitles({ add: 'book,sound', dryRun: true })).toHaveLength(2);
  expect(await changeTitles({})).toEqual([]);
  expect((await changeTitles({ add: 'book, sound' })).map((row) => row['title'])).toEqual(['book', 'sound']);
  expect((await changeTitles({ remove: 'book', add: 'sound,film' })).map((row) => row['title'])).toEqual(['film', 'sound']);
  const planList = await runOperation(shop.services, 'plans list', { store: ownStore });
  expect(planList.rows).toMatchObject([{ plan: 'monthly', opens: 2 }]);
  await expect(changeTitles({ add: 'none' })).rejects.toThrow(/has no title none/);
  await expect(changeTitles({ add: 'book', remove: 'book' })).rejects.toThrow(/both added and removed/);
  await expect(changeTitles({ id: 'nothing' })).rejects.toThrow(/has no plan nothing/);
  await expect(changeTitles({ all: 'some' })).rejects.toThrow(/yes or no/);
});
