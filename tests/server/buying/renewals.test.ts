import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { computePeriodEnd } from '../../../server/gateway/subscriptions.ts';
import { applyRemoteSubscription } from '../../../server/subscriptions/renew.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { readEmailsTo } from '../support/outbox.ts';
import { CARD_NUMBERS } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';
import {
  confirmSubscription,
  submitCard,
  insertPlan,
  selectSubscription,
  type Session,
  subscribe,
} from '../support/subscriptions.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Milliseconds by which the clocks of the gateway and of the sweep are ahead. */
let aheadMs = 0;
const now = () => Date.now() + aheadMs;
/** Methods of the payment port that tests replace to cause faults. Emptied after each test. */
let portOverrides: Partial<PaymentPort> = {};
const createOverridablePort = (port: PaymentPort): PaymentPort => ({
  ...port,
  readSubscription: (id) => (portOverrides.readSubscription ?? port.readSubscription)(id),
  cancelSubscription: (id, ending) => (portOverrides.cancelSubscription ?? port.cancelSubscription)(id, ending),
});
const rejectUnknown = () => Promise.reject(new PaymentUnknown(new Error('no response')));

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ gatewayNow: now, payment: createOverridablePort });
  store = await shop.store();
  await insertPlan(shop, store, { id: 'weekly', period: 'week' });
  await insertPlan(shop, store, { id: 'own', period: 'week', credits: 5 });
  await insertPlan(shop, store, { id: 'named', period: 'week', translations: JSON.stringify({ fr: { name: 'Lecteur' } }) });
  await insertPlan(shop, store, { id: 'tried', period: 'week', trial_days: 3 });
});
beforeEach(async () => {
  customer = await createCustomer(shop, store);
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
const readBalance = async () =>
  ((await shop.call('creditBalance', '/credits/balance', { query: customer.query })).value as { CreditBalance: number })
    .CreditBalance;
const cancel = () => shop.call('cancelSubscription', '/user/subscription/cancel', { query: customer.query });
const countDaysLeft = async (id: string) =>
  Math.round(((await selectSubscription(shop, id)).renews_at?.getTime() ?? 0) / DAY_MS - now() / DAY_MS);

describe('renewals', () => {
  test('a renewal is confirmed by one e-mail, in the language of the subscription, with the plan’s name', async () => {
    const { value } = await shop.call('subscriptionSession', '/checkout/subscription/session', {
      query: { ...customer.query, planId: 'named' },
      headers: { 'accept-language': 'fr' },
    });
    const { transId, url } = value as Session;
    await confirmSubscription(shop, customer, transId, await submitCard(url));
    const [receipt] = await readEmailsTo(shop, customer.email);
    expect(receipt?.text).toMatch(/Lecteur\u202F: /);
    await advanceDays(8);
    await advanceDays(0);
    const emails = (await readEmailsTo(shop, customer.email)).slice(1);
    expect(emails.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Votre abonnement à .* a été renouvelé$/)]);
    expect(emails[0]?.text).toMatch(/Lecteur\u202F: 9,00\s€/);
    expect(emails[0]?.text).toContain('Il court jusqu’au ');
    expect(emails[0]?.text).toMatch(/\/account$/m);
    await advanceDays(7);
    expect(await readEmailsTo(shop, customer.email)).toHaveLength(3);
  });

  test('a renewal that fails is reported by one e-mail, with the last day of access', async () => {
    const id = await subscribe(shop, customer, 'weekly', CARD_NUMBERS.once);
    await advanceDays(8);
    await advanceDays(1);
    const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
    const failureEmails = (await readEmailsTo(shop, customer.email)).filter(({ subject }) =>
      subject?.startsWith('We couldn’t renew'),
    );
    expect(failureEmails).toHaveLength(1);
    expect(failureEmails[0]?.text).toContain(
      `You can go on reading until ${dateFormat.format((await selectSubscription(shop, id)).renews_at ?? 0)}.`,
    );
    expect(failureEmails[0]?.text).toContain('Amount due: €9.00');
  });

  test('a renewal extends the subscription by a period and grants its credits, once', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    expect(await readBalance()).toBe(0);
    await advanceDays(6);
    expect([await readBalance(), await countDaysLeft(id)]).toEqual([0, 1]);
    await advanceDays(2);
    expect([await readBalance(), await countDaysLeft(id)]).toEqual([2, 6]);
    await advanceDays(0);
    expect(await readBalance()).toBe(2);
  });

  test('after a long outage, a renewal is booked for each period', async () => {
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    const id = await subscribe(shop, customer, 'own');
    portOverrides = { readSubscription: rejectUnknown };
    await advanceDays(22);
    expect(await readBalance()).toBe(0);
    portOverrides = {};
    await advanceDays(0);
    expect([await readBalance(), await selectSubscription(shop, id)]).toMatchObject([15, { renewals: 3, status: 'active' }]);
  });

  test('the first renewal after a trial extends the subscription by a period and grants credits', async () => {
    const id = await subscribe(shop, customer, 'tried');
    expect(await countDaysLeft(id)).toBe(3);
    await advanceDays(4);
    expect([await readBalance(), await countDaysLeft(id)]).toEqual([2, 6]);
  });

  test('a renewal that is reported repeatedly and out of order counts once', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    const row = await selectSubscription(shop, id);
    const makeRemoteSubscription = (renewals: number) => ({
      id: row.provider_id ?? '',
      state: 'active' as const,
      renewals,
      until: now() + renewals * 7 * DAY_MS,
      cancelled: false,
    });
    await Promise.all([2, 1, 2, 3, 1].map((renewals) => applyRemoteSubscription(shop.db, row, makeRemoteSubscription(renewals))));
    await applyRemoteSubscription(shop.db, row, makeRemoteSubscription(1));
    expect([await readBalance(), await selectSubscription(shop, id)]).toMatchObject([6, { renewals: 3 }]);
  });
});

describe('unpaid renewals', () => {
  test('an unpaid renewal leaves a week of grace, then the subscription ends', async () => {
    const id = await subscribe(shop, customer, 'weekly', CARD_NUMBERS.once);
    await advanceDays(8);
    expect(await selectSubscription(shop, id)).toMatchObject({ status: 'past_due' });
    expect(await countDaysLeft(id)).toBe(6);
    await advanceDays(7);
    expect(await selectSubscription(shop, id)).toMatchObject({ status: 'ended', ended_at: expect.any(Date) as Date });
    expect(await readBalance()).toBe(0);
    const { value } = await shop.call('subscriptionStatus', '/subscription/status', { query: customer.query });
    expect(value).toEqual({ subscribed: false, data: null });
  });
});

describe('cancelled subscriptions', () => {
  test('a cancelled subscription runs to its end, is not renewed, and is cancelled at the gateway', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    expect((await cancel()).status).toBe(200);
    await advanceDays(1);
    expect(await selectSubscription(shop, id)).toMatchObject({ status: 'active', cancel_told: true });
    await advanceDays(7);
    expect(await selectSubscription(shop, id)).toMatchObject({ status: 'ended', renewals: 0 });
    expect(await readBalance()).toBe(0);
    expect(await subscribe(shop, customer, 'weekly')).not.toBe(id);
  });

  test('a cancelled subscription is not charged again, however late the gateway receives the cancellation', async () => {
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    const id = await subscribe(shop, customer, 'weekly');
    portOverrides = { cancelSubscription: rejectUnknown, readSubscription: rejectUnknown };
    await cancel();
    await advanceDays(10);
    expect(await selectSubscription(shop, id)).toMatchObject({ cancel_told: false });
    portOverrides = {};
    await advanceDays(0);
    expect(await selectSubscription(shop, id)).toMatchObject({ status: 'ended', renewals: 0, cancel_told: true });
    expect(await readBalance()).toBe(0);
  });

  test('a subscription ends at the gateway when its account is deleted', async () => {
    const id = await subscribe(shop, customer, 'weekly');
    const { status } = await shop.call('deleteUser', '/user/delete', {
      query: { shelfid: store },
      headers: { authorization: `Bearer ${customer.query.accesstoken}` },
    });
    expect(status).toBe(200);
    await advanceDays(0);
    const { provider_id, cancel_told } = await selectSubscription(shop, id);
    expect(cancel_told).toBe(true);
    expect(await shop.gateway.port.readSubscription(provider_id ?? '')).toMatchObject({ state: 'ended', cancelled: true });
  });
});

test('subscription periods are counted from the first day, and end on the last day of a shorter month', () => {
  const start = Date.UTC(2027, 0, 31, 8);
  const endDates = [1, 2, 3, 13].map((number) => new Date(computePeriodEnd(start, 'month', number)).toISOString().slice(0, 10));
  expect(endDates).toEqual(['2027-02-28', '2027-03-31', '2027-04-30', '2028-02-29']);
  expect(new Date(computePeriodEnd(Date.UTC(2028, 1, 29), 'year', 1)).toISOString().slice(0, 10)).toBe('2029-02-28');
  expect(new Date(computePeriodEnd(start, 'quarter', 1)).toISOString()).toBe('2027-04-30T08:00:00.000Z');
  expect(computePeriodEnd(start, 'week', 2) - start).toBe(14 * DAY_MS);
});
