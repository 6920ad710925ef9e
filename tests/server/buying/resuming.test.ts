import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type PaymentPort, PaymentUnknown, type RemoteSubscription } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { cancelAtEnd } from '../../../server/subscriptions/cancel.ts';
import { applyRemoteSubscription } from '../../../server/subscriptions/renew.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';
import {
  dateInDays,
  insertPlan,
  selectSubscription as selectSubscriptionOf,
  subscribe,
  insertSubscription,
} from '../support/subscriptions.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Milliseconds by which the clocks of the gateway and of the sweep are ahead. */
let aheadMs = 0;
const now = () => Date.now() + aheadMs;
/** Methods of the payment port that tests replace to cause faults. Emptied after each test. */
let portOverrides: Partial<PaymentPort> = {};
const rejectUnknown = () => Promise.reject(new PaymentUnknown(new Error('no response')));

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  const payment = (port: PaymentPort): PaymentPort => ({
    ...port,
    get resumes() {
      return portOverrides.resumes ?? port.resumes;
    },
    readSubscription: (id) => (portOverrides.readSubscription ?? port.readSubscription)(id),
    cancelSubscription: (id, ending) => (portOverrides.cancelSubscription ?? port.cancelSubscription)(id, ending),
    resumeSubscription: (id) => (portOverrides.resumeSubscription ?? port.resumeSubscription)(id),
  });
  shop = await openShop({ gatewayNow: now, payment });
  store = await shop.store();
  await insertPlan(shop, store, { id: 'weekly', period: 'week' });
  await insertPlan(shop, store);
});
beforeEach(async () => {
  customer = await createCustomer(shop, store);
  vi.spyOn(shop.services.log, 'error').mockReturnValue();
});
afterEach(() => {
  portOverrides = {};
  aheadMs = 0;
  vi.restoreAllMocks();
});
afterAll(() => shop.close());

const advanceDays = async (days: number): Promise<void> => {
  aheadMs += days * DAY_MS;
  await sweep(shop.services, new Date(now()));
};
const cancel = () => shop.call('cancelSubscription', '/user/subscription/cancel', { query: customer.query });
const resume = ({ query } = customer) => shop.call('resumeSubscription', '/user/subscription/resume', { query });
const readOwnSubscription = async () =>
  ((await shop.call('ownSubscription', '/user/subscription', { query: customer.query })).value as { subscription: object })
    .subscription;
const selectSubscriptionRow = (id: string) => selectSubscriptionOf(shop, id);
const readAtGateway = async (id: string) =>
  shop.gateway.port.readSubscription((await selectSubscriptionRow(id)).provider_id ?? '');
const cancelledSubscription = { status: 'cancelled', resumable: true };
const activeSubscription = { status: 'active', resumable: null };

describe('reactivations', () => {
  test('a reactivated subscription renews as before, once per period, and reactivating is idempotent', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    expect(await readOwnSubscription()).toMatchObject(activeSubscription);
    await cancel();
    await advanceDays(1);
    expect(await readAtGateway(id)).toMatchObject({ cancelled: true });
    expect(await readOwnSubscription()).toMatchObject(cancelledSubscription);
    const responses = await Promise.all([resume(), resume(), resume()]);
    expect(responses).toMatchObject(Array.from({ length: 3 }, () => ({ status: 200, value: { Status: 'Ok' } })));
    expect((await resume()).status).toBe(200);
    expect([await readOwnSubscription(), await selectSubscriptionRow(id)]).toMatchObject([
      activeSubscription,
      { cancelled_at: null, cancel_told: false, renewals: 0 },
    ]);
    await advanceDays(7);
    expect(await selectSubscriptionRow(id)).toMatchObject({ status: 'active', cancelled_at: null, renewals: 1 });
    const auditEntries = await shop.db.selectFrom('audit_log').select('kind').where('user_id', '=', customer.id).execute();
    expect(auditEntries.filter(({ kind }) => kind === 'subscription_resumed')).toHaveLength(1);
  });

  test('a subscription can be reactivated before the gateway has received the cancellation', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    await cancel();
    expect((await resume()).status).toBe(200);
    await advanceDays(8);
    expect(await selectSubscriptionRow(id)).toMatchObject({ status: 'active', cancelled_at: null, renewals: 1 });
  });

  test('a reactivated subscription can be cancelled again, and the gateway receives each cancellation', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    for (let repetition = 0; repetition < 2; repetition += 1) {
      await cancel();
      await advanceDays(1);
      expect(await selectSubscriptionRow(id)).toMatchObject({ cancelled_at: expect.any(Date) as Date, cancel_told: true });
      expect(await readAtGateway(id)).toMatchObject({ cancelled: true });
      await resume();
    }
    await cancel();
    await advanceDays(6);
    expect(await selectSubscriptionRow(id)).toMatchObject({ status: 'ended', renewals: 0 });
  });

  test('a reactivation completes when the gateway responds again', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    await cancel();
    await advanceDays(1);
    portOverrides = { resumeSubscription: rejectUnknown, readSubscription: rejectUnknown };
    expect((await resume()).status).toBe(200);
    await advanceDays(1);
    expect([await readOwnSubscription(), await readAtGateway(id)]).toMatchObject([activeSubscription, { cancelled: true }]);
    // A webhook sent before the reactivation does not cancel it.
    await applyRemoteSubscription(shop.db, await selectSubscriptionRow(id), (await readAtGateway(id)) as RemoteSubscription);
    expect(await readOwnSubscription()).toMatchObject(activeSubscription);
    portOverrides = {};
    await advanceDays(0);
    expect([await selectSubscriptionRow(id), await readAtGateway(id)]).toMatchObject([
      { cancel_told: false },
      { cancelled: false },
    ]);
    await advanceDays(6);
    expect(await selectSubscriptionRow(id)).toMatchObject({ status: 'active', renewals: 1 });
  });

  test('a reactivation completes when only the gateway’s response was lost', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    await cancel();
    await advanceDays(1);
    portOverrides = {
      resumeSubscription: async (gatewayId) => {
        await shop.gateway.port.resumeSubscription(gatewayId);
        return rejectUnknown();
      },
    };
    expect((await resume()).status).toBe(200);
    portOverrides = {};
    await advanceDays(7);
    expect(await selectSubscriptionRow(id)).toMatchObject({
      status: 'active',
      cancelled_at: null,
      cancel_told: false,
      renewals: 1,
    });
  });

  test('a reactivated subscription can be cancelled before the gateway has received the reactivation', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    await cancel();
    await advanceDays(1);
    portOverrides = { resumeSubscription: rejectUnknown };
    await resume();
    await cancel();
    portOverrides = {};
    await advanceDays(7);
    expect(await selectSubscriptionRow(id)).toMatchObject({ status: 'ended', renewals: 0 });
  });

  test('a subscription follows the customer’s last request when messages to the gateway overtake each other', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    await cancel();
    // The sweep sends the cancellation to the gateway; the customer reactivates before its response
    // arrives, so that the gateway receives both in the wrong order.
    portOverrides = {
      cancelSubscription: async (gatewayId, ending) => {
        portOverrides = {};
        await resume();
        return shop.gateway.port.cancelSubscription(gatewayId, ending);
      },
    };
    await advanceDays(0);
    expect([await readOwnSubscription(), await readAtGateway(id)]).toMatchObject([activeSubscription, { cancelled: true }]);
    await advanceDays(0);
    expect([await readOwnSubscription(), await readAtGateway(id)]).toMatchObject([activeSubscription, { cancelled: false }]);
    // The customer cancels before the response to the reactivation arrives.
    portOverrides = {
      resumeSubscription: async (gatewayId) => {
        portOverrides = {};
        await cancel();
        await advanceDays(0);
        return shop.gateway.port.resumeSubscription(gatewayId);
      },
    };
    await cancel();
    await resume();
    expect([await readOwnSubscription(), await readAtGateway(id)]).toMatchObject([cancelledSubscription, { cancelled: false }]);
    await advanceDays(0);
    expect([await readOwnSubscription(), await readAtGateway(id)]).toMatchObject([cancelledSubscription, { cancelled: true }]);
    await advanceDays(8);
    expect(await selectSubscriptionRow(id)).toMatchObject({ status: 'ended', renewals: 0 });
  });

  test('a deleted account’s subscription ends although the gateway has not received its reactivation', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    await cancel();
    await advanceDays(1);
    portOverrides = { resumeSubscription: rejectUnknown };
    await resume();
    portOverrides = {};
    await shop.call('deleteUser', '/user/delete', {
      query: { shelfid: store },
      headers: { authorization: `Bearer ${customer.query.accesstoken}` },
    });
    await advanceDays(0);
    expect(await readAtGateway(id)).toMatchObject({ state: 'ended' });
  });
});

describe('refused reactivations', () => {
  const overResponse = { status: 409, value: { Code: 'subscription_over' } };
  const notResumableResponse = { status: 409, value: { Code: 'not_resumable' } };

  test('a subscription that does not exist cannot be reactivated, nor one after its end or after the gateway has ended it', async () => {
    expect(await resume()).toMatchObject({ status: 404, value: { Status: 'NotFound' } });
    await insertSubscription(shop, customer, { renews_at: dateInDays(-1), cancelled_at: dateInDays(-5), provider_id: 'x' });
    expect([await resume(), await readOwnSubscription()]).toMatchObject([overResponse, { status: 'ended', resumable: null }]);
    customer = await createCustomer(shop, store);
    const id = await subscribe(shop, customer, 'weekly');
    await cancel();
    portOverrides = {
      resumeSubscription: async (gatewayId) => shop.gateway.port.cancelSubscription(gatewayId, { at: now(), atOnce: true }),
    };
    expect([await resume(), await readOwnSubscription()]).toMatchObject([overResponse, { status: 'ended' }]);
    expect(await selectSubscriptionRow(id)).toMatchObject({ status: 'ended', renewals: 0 });
  });

  test('a subscription from a code cannot be reactivated', async () => {
    await insertSubscription(shop, customer, { provider: 'code', cancelled_at: new Date(), cancel_told: true });
    expect([await readOwnSubscription(), await resume()]).toMatchObject([
      { status: 'cancelled', resumable: null },
      notResumableResponse,
    ]);
  });

  test('a subscription of a gateway without reactivation, or of another gateway, cannot be reactivated, and the account shows this', async () => {
    await insertSubscription(shop, customer, { provider: 'razorpay', provider_id: 'sub_1', cancelled_at: new Date() });
    expect([await readOwnSubscription(), await resume()]).toMatchObject([{ resumable: false }, notResumableResponse]);
    customer = await createCustomer(shop, store);
    await subscribe(shop, customer, 'weekly');
    await cancel();
    portOverrides = { resumes: false };
    expect([await readOwnSubscription(), await resume()]).toMatchObject([{ resumable: false }, notResumableResponse]);
  });

  test('a subscription stays cancelled when the gateway refuses to reactivate it', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    await cancel();
    await advanceDays(1);
    portOverrides = { resumeSubscription: (gatewayId) => shop.gateway.port.readSubscription(gatewayId) };
    expect([await resume(), await readOwnSubscription()]).toMatchObject([notResumableResponse, cancelledSubscription]);
    await advanceDays(7);
    expect(await selectSubscriptionRow(id)).toMatchObject({ status: 'ended', renewals: 0 });
  });

  test('a visitor, or a customer of another store, cannot reactivate a subscription', async () => {
    const id = await insertSubscription(shop, customer, { provider_id: 'sub_x' });
    await cancelAtEnd(shop.db, { storeId: store, userId: customer.id });
    const otherStore = await shop.store();
    const strangerQueries = [
      { shelfid: store, accesstoken: 'A'.repeat(43) },
      { shelfid: otherStore, accesstoken: customer.query.accesstoken },
    ];
    for (const query of strangerQueries) expect((await resume({ ...customer, query })).status).toBe(401);
    expect((await selectSubscriptionRow(id)).cancelled_at).toEqual(expect.any(Date));
  });
});
