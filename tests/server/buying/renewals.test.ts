import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { endOf } from '../../../server/gateway/subscriptions.ts';
import { followSubscription } from '../../../server/subscriptions/renew.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { sentTo } from '../support/outbox.ts';
import { CARDS } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { confirmSubscribing, leaveCard, planIn, rowOf, type Session, subscribe } from '../support/subscriptions.ts';

const DAY = 24 * 60 * 60_000;

/** How far the clocks of the gateway and of the sweep are ahead. */
let ahead = 0;
const now = () => Date.now() + ahead;
let trouble: Partial<PaymentPort> = {};
const troubled = (port: PaymentPort): PaymentPort => ({
  ...port,
  readSubscription: (id) => (trouble.readSubscription ?? port.readSubscription)(id),
  cancelSubscription: (id, ending) => (trouble.cancelSubscription ?? port.cancelSubscription)(id, ending),
});
const silent = () => Promise.reject(new PaymentUnknown(new Error('silence')));

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ gatewayNow: now, payment: troubled });
  store = await shop.store();
  await planIn(shop, store, { id: 'weekly', period: 'week' });
  await planIn(shop, store, { id: 'own', period: 'week', credits: 5 });
  await planIn(shop, store, { id: 'named', period: 'week', translations: JSON.stringify({ fr: { name: 'Lecteur' } }) });
  await planIn(shop, store, { id: 'tried', period: 'week', trial_days: 3 });
});
beforeEach(async () => {
  customer = await customerOf(shop, store);
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
const balance = async () =>
  ((await shop.ask('creditBalance', '/credits/balance', { query: customer.query })).value as { CreditBalance: number })
    .CreditBalance;
const cancel = () => shop.ask('cancelSubscription', '/user/subscription/cancel', { query: customer.query });
const daysLeft = async (id: string) => Math.round(((await rowOf(shop, id)).renews_at?.getTime() ?? 0) / DAY - now() / DAY);

describe('a renewal', () => {
  test('is written to its customer, each once, in the language in which it was subscribed to, with the plan’s name in it', async () => {
    const { value } = await shop.ask('subscriptionSession', '/checkout/subscription/session', {
      query: { ...customer.query, planId: 'named' },
      headers: { 'accept-language': 'fr' },
    });
    const { transId, url } = value as Session;
    await confirmSubscribing(shop, customer, transId, await leaveCard(url));
    const [receipt] = await sentTo(shop, customer.email);
    expect(receipt?.text).toMatch(/Lecteur\u202F: /);
    await passes(8);
    await passes(0);
    const letters = (await sentTo(shop, customer.email)).slice(1);
    expect(letters.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Votre abonnement à .* a été renouvelé$/)]);
    expect(letters[0]?.text).toMatch(/Lecteur\u202F: 9,00\s€/);
    expect(letters[0]?.text).toContain('Il court jusqu’au ');
    expect(letters[0]?.text).toMatch(/\/account$/m);
    await passes(7);
    expect(await sentTo(shop, customer.email)).toHaveLength(3);
  });

  test('that fails is written once, with the day until which reading goes on', async () => {
    const id = await subscribe(shop, customer, 'weekly', CARDS.once);
    await passes(8);
    await passes(1);
    const until = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });
    const failed = (await sentTo(shop, customer.email)).filter(({ subject }) => subject?.startsWith('We couldn’t renew'));
    expect(failed).toHaveLength(1);
    expect(failed[0]?.text).toContain(`You can go on reading until ${until.format((await rowOf(shop, id)).renews_at ?? 0)}.`);
    expect(failed[0]?.text).toContain('Amount due: €9.00');
  });

  test('goes on for another period and brings its credits, once', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    expect(await balance()).toBe(0);
    await passes(6);
    expect([await balance(), await daysLeft(id)]).toEqual([0, 1]);
    await passes(2);
    expect([await balance(), await daysLeft(id)]).toEqual([2, 6]);
    await passes(0);
    expect(await balance()).toBe(2);
  });

  test('those of a long silence are all booked', async () => {
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    const id = await subscribe(shop, customer, 'own');
    trouble = { readSubscription: silent };
    await passes(22);
    expect(await balance()).toBe(0);
    trouble = {};
    await passes(0);
    expect([await balance(), await rowOf(shop, id)]).toMatchObject([15, { renewals: 3, status: 'active' }]);
  });

  test('of a trial is the first payment', async () => {
    const id = await subscribe(shop, customer, 'tried');
    expect(await daysLeft(id)).toBe(3);
    await passes(4);
    expect([await balance(), await daysLeft(id)]).toEqual([2, 6]);
  });

  test('told in any order, and more than once, counts once', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    const row = await rowOf(shop, id);
    const told = (renewals: number) => ({
      id: row.provider_id ?? '',
      state: 'active' as const,
      renewals,
      until: now() + renewals * 7 * DAY,
      cancelled: false,
    });
    await Promise.all([2, 1, 2, 3, 1].map((renewals) => followSubscription(shop.db, row, told(renewals))));
    await followSubscription(shop.db, row, told(1));
    expect([await balance(), await rowOf(shop, id)]).toMatchObject([6, { renewals: 3 }]);
  });
});

describe('a renewal that is not paid', () => {
  test('leaves a week of grace, then the subscription ends and is not renewed', async () => {
    const id = await subscribe(shop, customer, 'weekly', CARDS.once);
    await passes(8);
    expect(await rowOf(shop, id)).toMatchObject({ status: 'past_due' });
    expect(await daysLeft(id)).toBe(6);
    await passes(7);
    expect(await rowOf(shop, id)).toMatchObject({ status: 'ended', ended_at: expect.any(Date) as Date });
    expect(await balance()).toBe(0);
    const { value } = await shop.ask('subscriptionStatus', '/subscription/status', { query: customer.query });
    expect(value).toEqual({ subscribed: false, data: null });
  });
});

describe('what is cancelled', () => {
  test('runs to its end, is renewed no more, and the gateway knows', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    expect((await cancel()).status).toBe(200);
    await passes(1);
    expect(await rowOf(shop, id)).toMatchObject({ status: 'active', cancel_told: true });
    await passes(7);
    expect(await rowOf(shop, id)).toMatchObject({ status: 'ended', renewals: 0 });
    expect(await balance()).toBe(0);
    expect(await subscribe(shop, customer, 'weekly')).not.toBe(id);
  });

  test('is not charged again, however late the gateway hears of it', async () => {
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    const id = await subscribe(shop, customer, 'weekly');
    trouble = { cancelSubscription: silent, readSubscription: silent };
    await cancel();
    await passes(10);
    expect(await rowOf(shop, id)).toMatchObject({ cancel_told: false });
    trouble = {};
    await passes(0);
    expect(await rowOf(shop, id)).toMatchObject({ status: 'ended', renewals: 0, cancel_told: true });
    expect(await balance()).toBe(0);
  });

  test('goes with its account at once', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    const { status } = await shop.ask('deleteUser', '/user/delete', {
      query: { shelfid: store },
      headers: { authorization: `Bearer ${customer.query.accesstoken}` },
    });
    expect(status).toBe(200);
    await passes(0);
    const { provider_id, cancel_told } = await rowOf(shop, id);
    expect(cancel_told).toBe(true);
    expect(await shop.gateway.port.readSubscription(provider_id ?? '')).toMatchObject({ state: 'ended', cancelled: true });
  });
});

test('periods are counted from the first day: a month ends on its last day where it is shorter', () => {
  const start = Date.UTC(2027, 0, 31, 8);
  const ends = [1, 2, 3, 13].map((number) => new Date(endOf(start, 'month', number)).toISOString().slice(0, 10));
  expect(ends).toEqual(['2027-02-28', '2027-03-31', '2027-04-30', '2028-02-29']);
  expect(new Date(endOf(Date.UTC(2028, 1, 29), 'year', 1)).toISOString().slice(0, 10)).toBe('2029-02-28');
  expect(new Date(endOf(start, 'quarter', 1)).toISOString()).toBe('2027-04-30T08:00:00.000Z');
  expect(endOf(start, 'week', 2) - start).toBe(14 * DAY);
});
