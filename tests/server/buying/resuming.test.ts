import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type PaymentPort, PaymentUnknown, type RemoteSubscription } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { cancelAtEnd } from '../../../server/subscriptions/cancel.ts';
import { applyRemoteSubscription } from '../../../server/subscriptions/renew.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { dateInDays, insertPlan, selectSubscription as rowIn, subscribe, insertSubscription } from '../support/subscriptions.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Milliseconds by which the clocks of the gateway and of the sweep are ahead. */
let aheadMs = 0;
const now = () => Date.now() + aheadMs;
let portOverrides: Partial<PaymentPort> = {};
const rejectUnknown = () => Promise.reject(new PaymentUnknown(new Error('silence')));

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
const cancel = () => shop.ask('cancelSubscription', '/user/subscription/cancel', { query: customer.query });
const resume = ({ query } = customer) => shop.ask('resumeSubscription', '/user/subscription/resume', { query });
const readOwnSubscription = async () =>
  ((await shop.ask('ownSubscription', '/user/subscription', { query: customer.query })).value as { subscription: object })
    .subscription;
const selectSubscriptionRow = (id: string) => rowIn(shop, id);
const readAtGateway = async (id: string) =>
  shop.gateway.port.readSubscription((await selectSubscriptionRow(id)).provider_id ?? '');
const cancelled = { status: 'cancelled', resumable: true };
const active = { status: 'active', resumable: null };

describe('reactivating a cancelled subscription that still runs', () => {
  test('renews it as before, once per period, and is idempotent', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    expect(await readOwnSubscription()).toMatchObject(active);
    await cancel();
    await advanceDays(1);
    expect(await readAtGateway(id)).toMatchObject({ cancelled: true });
    expect(await readOwnSubscription()).toMatchObject(cancelled);
    const answers = await Promise.all([resume(), resume(), resume()]);
    expect(answers).toMatchObject(Array.from({ length: 3 }, () => ({ status: 200, value: { Status: 'Ok' } })));
    expect((await resume()).status).toBe(200);
    expect([await readOwnSubscription(), await selectSubscriptionRow(id)]).toMatchObject([
      active,
      { cancelled_at: null, cancel_told: false, renewals: 0 },
    ]);
    await advanceDays(7);
    expect(await selectSubscriptionRow(id)).toMatchObject({ status: 'active', cancelled_at: null, renewals: 1 });
    const noted = await shop.db.selectFrom('audit_log').select('kind').where('user_id', '=', customer.id).execute();
    expect(noted.filter(({ kind }) => kind === 'subscription_resumed')).toHaveLength(1);
  });

  test('works before the gateway has received the cancellation, too', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    await cancel();
    expect((await resume()).status).toBe(200);
    await advanceDays(8);
    expect(await selectSubscriptionRow(id)).toMatchObject({ status: 'active', cancelled_at: null, renewals: 1 });
  });

  test('can be followed by another cancellation, which the gateway receives', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    for (let time = 0; time < 2; time += 1) {
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

  test('completes when the gateway responds again, however long that takes', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    await cancel();
    await advanceDays(1);
    portOverrides = { resumeSubscription: rejectUnknown, readSubscription: rejectUnknown };
    expect((await resume()).status).toBe(200);
    await advanceDays(1);
    expect([await readOwnSubscription(), await readAtGateway(id)]).toMatchObject([active, { cancelled: true }]);
    // A webhook sent before the reactivation does not cancel it.
    await applyRemoteSubscription(shop.db, await selectSubscriptionRow(id), (await readAtGateway(id)) as RemoteSubscription);
    expect(await readOwnSubscription()).toMatchObject(active);
    portOverrides = {};
    await advanceDays(0);
    expect([await selectSubscriptionRow(id), await readAtGateway(id)]).toMatchObject([
      { cancel_told: false },
      { cancelled: false },
    ]);
    await advanceDays(6);
    expect(await selectSubscriptionRow(id)).toMatchObject({ status: 'active', renewals: 1 });
  });

  test('completes when the gateway did it but its response was lost', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    await cancel();
    await advanceDays(1);
    portOverrides = {
      resumeSubscription: async (own) => {
        await shop.gateway.port.resumeSubscription(own);
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

  test('can be cancelled before the gateway has received the reactivation', async () => {
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

  test('follows the customer’s last request when messages to the gateway overtake each other', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    await cancel();
    // The sweep sends the cancellation to the gateway; the customer reactivates before its response
    // arrives, so that the gateway receives both in the wrong order.
    portOverrides = {
      cancelSubscription: async (own, ending) => {
        portOverrides = {};
        await resume();
        return shop.gateway.port.cancelSubscription(own, ending);
      },
    };
    await advanceDays(0);
    expect([await readOwnSubscription(), await readAtGateway(id)]).toMatchObject([active, { cancelled: true }]);
    await advanceDays(0);
    expect([await readOwnSubscription(), await readAtGateway(id)]).toMatchObject([active, { cancelled: false }]);
    // The same in the opposite order.
    portOverrides = {
      resumeSubscription: async (own) => {
        portOverrides = {};
        await cancel();
        await advanceDays(0);
        return shop.gateway.port.resumeSubscription(own);
      },
    };
    await cancel();
    await resume();
    expect([await readOwnSubscription(), await readAtGateway(id)]).toMatchObject([cancelled, { cancelled: false }]);
    await advanceDays(0);
    expect([await readOwnSubscription(), await readAtGateway(id)]).toMatchObject([cancelled, { cancelled: true }]);
    await advanceDays(8);
    expect(await selectSubscriptionRow(id)).toMatchObject({ status: 'ended', renewals: 0 });
  });

  test('does not survive a deletion of the account before the gateway has received it', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    await cancel();
    await advanceDays(1);
    portOverrides = { resumeSubscription: rejectUnknown };
    await resume();
    portOverrides = {};
    await shop.ask('deleteUser', '/user/delete', {
      query: { shelfid: store },
      headers: { authorization: `Bearer ${customer.query.accesstoken}` },
    });
    await advanceDays(0);
    expect(await readAtGateway(id)).toMatchObject({ state: 'ended' });
  });
});

describe('reactivating is refused', () => {
  const over = { status: 409, value: { Code: 'subscription_over' } };
  const never = { status: 409, value: { Code: 'not_resumable' } };

  test('without a subscription, after its end, and after the gateway has ended it', async () => {
    expect(await resume()).toMatchObject({ status: 404, value: { Status: 'NotFound' } });
    await insertSubscription(shop, customer, { renews_at: dateInDays(-1), cancelled_at: dateInDays(-5), provider_id: 'x' });
    expect([await resume(), await readOwnSubscription()]).toMatchObject([over, { status: 'ended', resumable: null }]);
    customer = await createCustomer(shop, store);
    const id = await subscribe(shop, customer, 'weekly');
    await cancel();
    portOverrides = {
      resumeSubscription: async (own) => shop.gateway.port.cancelSubscription(own, { at: now(), atOnce: true }),
    };
    expect([await resume(), await readOwnSubscription()]).toMatchObject([over, { status: 'ended' }]);
    expect(await selectSubscriptionRow(id)).toMatchObject({ status: 'ended', renewals: 0 });
  });

  test('for a subscription from a code, which was never cancelled', async () => {
    await insertSubscription(shop, customer, { provider: 'code', cancelled_at: new Date(), cancel_told: true });
    expect([await readOwnSubscription(), await resume()]).toMatchObject([{ status: 'cancelled', resumable: null }, never]);
  });

  test('at a gateway that cannot do it, and at another gateway, and the account says so beforehand', async () => {
    await insertSubscription(shop, customer, { provider: 'razorpay', provider_id: 'sub_1', cancelled_at: new Date() });
    expect([await readOwnSubscription(), await resume()]).toMatchObject([{ resumable: false }, never]);
    customer = await createCustomer(shop, store);
    await subscribe(shop, customer, 'weekly');
    await cancel();
    portOverrides = { resumes: false };
    expect([await readOwnSubscription(), await resume()]).toMatchObject([{ resumable: false }, never]);
  });

  test('when the gateway refuses: the subscription stays cancelled', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    await cancel();
    await advanceDays(1);
    portOverrides = { resumeSubscription: (own) => shop.gateway.port.readSubscription(own) };
    expect([await resume(), await readOwnSubscription()]).toMatchObject([never, cancelled]);
    await advanceDays(7);
    expect(await selectSubscriptionRow(id)).toMatchObject({ status: 'ended', renewals: 0 });
  });

  test('for another customer’s subscription', async () => {
    const id = await insertSubscription(shop, customer, { provider_id: 'sub_x' });
    await cancelAtEnd(shop.db, { storeId: store, userId: customer.id });
    const elsewhere = await shop.store();
    const strangers = [
      { shelfid: store, accesstoken: 'A'.repeat(43) },
      { shelfid: elsewhere, accesstoken: customer.query.accesstoken },
    ];
    for (const query of strangers) expect((await resume({ ...customer, query })).status).toBe(401);
    expect((await selectSubscriptionRow(id)).cancelled_at).toEqual(expect.any(Date));
  });
});
