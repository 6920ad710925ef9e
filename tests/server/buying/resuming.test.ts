import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type PaymentPort, PaymentUnknown, type RunningSubscription } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { cancelAtEnd } from '../../../server/subscriptions/cancel.ts';
import { followSubscription } from '../../../server/subscriptions/renew.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { inDays, planIn, rowOf as rowIn, subscribe, subscriptionOf } from '../support/subscriptions.ts';

const DAY = 24 * 60 * 60_000;

/** How far the clocks of the gateway and of the sweep are ahead. */
let ahead = 0;
const now = () => Date.now() + ahead;
let trouble: Partial<PaymentPort> = {};
const silent = () => Promise.reject(new PaymentUnknown(new Error('silence')));

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  const payment = (port: PaymentPort): PaymentPort => ({
    ...port,
    get resumes() {
      return trouble.resumes ?? port.resumes;
    },
    readSubscription: (id) => (trouble.readSubscription ?? port.readSubscription)(id),
    cancelSubscription: (id, ending) => (trouble.cancelSubscription ?? port.cancelSubscription)(id, ending),
    resumeSubscription: (id) => (trouble.resumeSubscription ?? port.resumeSubscription)(id),
  });
  shop = await openShop({ gatewayNow: now, payment });
  store = await shop.store();
  await planIn(shop, store, { id: 'weekly', period: 'week' });
  await planIn(shop, store);
});
beforeEach(async () => {
  customer = await customerOf(shop, store);
  vi.spyOn(shop.services.log, 'error').mockReturnValue();
});
afterEach(() => {
  trouble = {};
  ahead = 0;
  vi.restoreAllMocks();
});
afterAll(() => shop.close());

const passes = async (days: number): Promise<void> => {
  ahead += days * DAY;
  await sweep(shop.services, new Date(now()));
};
const cancel = () => shop.ask('cancelSubscription', '/user/subscription/cancel', { query: customer.query });
const resume = ({ query } = customer) => shop.ask('resumeSubscription', '/user/subscription/resume', { query });
const own = async () =>
  ((await shop.ask('ownSubscription', '/user/subscription', { query: customer.query })).value as { subscription: object })
    .subscription;
const rowOf = (id: string) => rowIn(shop, id);
const atGateway = async (id: string) => shop.gateway.port.readSubscription((await rowOf(id)).provider_id ?? '');
const cancelled = { status: 'cancelled', resumable: true };
const active = { status: 'active', resumable: null };

describe('what was cancelled and still runs', () => {
  test('is taken up again: it is renewed as before, once each time, and again changes nothing', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    expect(await own()).toMatchObject(active);
    await cancel();
    await passes(1);
    expect(await atGateway(id)).toMatchObject({ cancelled: true });
    expect(await own()).toMatchObject(cancelled);
    const answers = await Promise.all([resume(), resume(), resume()]);
    expect(answers).toMatchObject(Array.from({ length: 3 }, () => ({ status: 200, value: { Status: 'Ok' } })));
    expect((await resume()).status).toBe(200);
    expect([await own(), await rowOf(id)]).toMatchObject([active, { cancelled_at: null, cancel_told: false, renewals: 0 }]);
    await passes(7);
    expect(await rowOf(id)).toMatchObject({ status: 'active', cancelled_at: null, renewals: 1 });
    const noted = await shop.db.selectFrom('audit_log').select('kind').where('user_id', '=', customer.id).execute();
    expect(noted.filter(({ kind }) => kind === 'subscription_resumed')).toHaveLength(1);
  });

  test('before the gateway has heard of it, too', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    await cancel();
    expect((await resume()).status).toBe(200);
    await passes(8);
    expect(await rowOf(id)).toMatchObject({ status: 'active', cancelled_at: null, renewals: 1 });
  });

  test('can be cancelled again, and the gateway hears of that', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    for (let time = 0; time < 2; time += 1) {
      await cancel();
      await passes(1);
      expect(await rowOf(id)).toMatchObject({ cancelled_at: expect.any(Date) as Date, cancel_told: true });
      expect(await atGateway(id)).toMatchObject({ cancelled: true });
      await resume();
    }
    await cancel();
    await passes(6);
    expect(await rowOf(id)).toMatchObject({ status: 'ended', renewals: 0 });
  });

  test('is taken up once the gateway answers again, however long that takes', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    await cancel();
    await passes(1);
    trouble = { resumeSubscription: silent, readSubscription: silent };
    expect((await resume()).status).toBe(200);
    await passes(1);
    expect([await own(), await atGateway(id)]).toMatchObject([active, { cancelled: true }]);
    // News that were sent before cancel it for nobody.
    await followSubscription(shop.db, await rowOf(id), (await atGateway(id)) as RunningSubscription);
    expect(await own()).toMatchObject(active);
    trouble = {};
    await passes(0);
    expect([await rowOf(id), await atGateway(id)]).toMatchObject([{ cancel_told: false }, { cancelled: false }]);
    await passes(6);
    expect(await rowOf(id)).toMatchObject({ status: 'active', renewals: 1 });
  });

  test('whose taking up has no answer though the gateway has done it, is taken up', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    await cancel();
    await passes(1);
    trouble = {
      resumeSubscription: async (own) => {
        await shop.gateway.port.resumeSubscription(own);
        return silent();
      },
    };
    expect((await resume()).status).toBe(200);
    trouble = {};
    await passes(7);
    expect(await rowOf(id)).toMatchObject({ status: 'active', cancelled_at: null, cancel_told: false, renewals: 1 });
  });

  test('can be cancelled while the gateway has not heard that it goes on', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    await cancel();
    await passes(1);
    trouble = { resumeSubscription: silent };
    await resume();
    await cancel();
    trouble = {};
    await passes(7);
    expect(await rowOf(id)).toMatchObject({ status: 'ended', renewals: 0 });
  });

  test('is what its customer said last, wherever a message of before is overtaken', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    await cancel();
    // The sweep tells the gateway that it is cancelled; before it hears the answer the customer takes it up, so that the gateway
    // is told both, the wrong way round.
    trouble = {
      cancelSubscription: async (own, ending) => {
        trouble = {};
        await resume();
        return shop.gateway.port.cancelSubscription(own, ending);
      },
    };
    await passes(0);
    expect([await own(), await atGateway(id)]).toMatchObject([active, { cancelled: true }]);
    await passes(0);
    expect([await own(), await atGateway(id)]).toMatchObject([active, { cancelled: false }]);
    // And the other way.
    trouble = {
      resumeSubscription: async (own) => {
        trouble = {};
        await cancel();
        await passes(0);
        return shop.gateway.port.resumeSubscription(own);
      },
    };
    await cancel();
    await resume();
    expect([await own(), await atGateway(id)]).toMatchObject([cancelled, { cancelled: false }]);
    await passes(0);
    expect([await own(), await atGateway(id)]).toMatchObject([cancelled, { cancelled: true }]);
    await passes(8);
    expect(await rowOf(id)).toMatchObject({ status: 'ended', renewals: 0 });
  });

  test('goes with an account that is deleted before the gateway has heard', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    await cancel();
    await passes(1);
    trouble = { resumeSubscription: silent };
    await resume();
    trouble = {};
    await shop.ask('deleteUser', '/user/delete', {
      query: { shelfid: store },
      headers: { authorization: `Bearer ${customer.query.accesstoken}` },
    });
    await passes(0);
    expect(await atGateway(id)).toMatchObject({ state: 'ended' });
  });
});

describe('what cannot be taken up', () => {
  const over = { status: 409, value: { Code: 'subscription_over' } };
  const never = { status: 409, value: { Code: 'not_resumable' } };

  test('is none, what has ended, and what the gateway has ended', async () => {
    expect(await resume()).toMatchObject({ status: 404, value: { Status: 'NotFound' } });
    await subscriptionOf(shop, customer, { renews_at: inDays(-1), cancelled_at: inDays(-5), provider_id: 'x' });
    expect([await resume(), await own()]).toMatchObject([over, { status: 'ended', resumable: null }]);
    customer = await customerOf(shop, store);
    const id = await subscribe(shop, customer, 'weekly');
    await cancel();
    trouble = {
      resumeSubscription: async (own) => shop.gateway.port.cancelSubscription(own, { at: now(), atOnce: true }),
    };
    expect([await resume(), await own()]).toMatchObject([over, { status: 'ended' }]);
    expect(await rowOf(id)).toMatchObject({ status: 'ended', renewals: 0 });
  });

  test('came by a code, which nobody has cancelled', async () => {
    await subscriptionOf(shop, customer, { provider: 'code', cancelled_at: new Date(), cancel_told: true });
    expect([await own(), await resume()]).toMatchObject([{ status: 'cancelled', resumable: null }, never]);
  });

  test('is of a gateway that cannot, or of another one, and its customer is told before', async () => {
    await subscriptionOf(shop, customer, { provider: 'razorpay', provider_id: 'sub_1', cancelled_at: new Date() });
    expect([await own(), await resume()]).toMatchObject([{ resumable: false }, never]);
    customer = await customerOf(shop, store);
    await subscribe(shop, customer, 'weekly');
    await cancel();
    trouble = { resumes: false };
    expect([await own(), await resume()]).toMatchObject([{ resumable: false }, never]);
  });

  test('is what the gateway does not take up: it is cancelled as before', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    await cancel();
    await passes(1);
    trouble = { resumeSubscription: (own) => shop.gateway.port.readSubscription(own) };
    expect([await resume(), await own()]).toMatchObject([never, cancelled]);
    await passes(7);
    expect(await rowOf(id)).toMatchObject({ status: 'ended', renewals: 0 });
  });

  test('is somebody else’s', async () => {
    const id = await subscriptionOf(shop, customer, { provider_id: 'sub_x' });
    await cancelAtEnd(shop.db, { storeId: store, userId: customer.id });
    const elsewhere = await shop.store();
    const strangers = [
      { shelfid: store, accesstoken: 'A'.repeat(43) },
      { shelfid: elsewhere, accesstoken: customer.query.accesstoken },
    ];
    for (const query of strangers) expect((await resume({ ...customer, query })).status).toBe(401);
    expect((await rowOf(id)).cancelled_at).toEqual(expect.any(Date));
  });
});
