import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { findLedgerFaults } from '../../../server/payment/ledger.ts';
import { handleWebhook } from '../../../server/jobs/webhook-handler.ts';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { readEmailsTo } from '../support/outbox.ts';
import { CARD_NUMBERS } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';
import {
  startSubscription,
  confirmSubscription,
  submitCard,
  insertPlan,
  selectSubscription,
  type Session,
  subscribe,
  insertSubscription,
} from '../support/subscriptions.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Milliseconds by which the clocks of the gateway and of the sweep are ahead. */
let aheadMs = 0;
const now = () => Date.now() + aheadMs;
/** Methods of the payment port that tests replace to cause faults. Emptied after each test. */
let portOverrides: Partial<PaymentPort> = {};
const createOverridablePort = (port: PaymentPort): PaymentPort => ({
  ...port,
  quoteChange: (id, change) => (portOverrides.quoteChange ?? port.quoteChange)(id, change),
  changePlan: (id, change) => (portOverrides.changePlan ?? port.changePlan)(id, change),
});
const rejectUnknown = () => Promise.reject(new PaymentUnknown(new Error('no response')));

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ gatewayNow: now, payment: createOverridablePort });
  store = await shop.store();
  await insertPlan(shop, store, { id: 'small', amount_minor: 300, credits: 1, name: 'Small' });
  await insertPlan(shop, store, {
    id: 'large',
    amount_minor: 900,
    credits: 5,
    name: 'Large',
    translations: JSON.stringify({ fr: { name: 'Grand' } }),
  });
  await insertPlan(shop, store, { id: 'yearly', amount_minor: 9000, period: 'year', credits: 60, name: 'Yearly' });
  await insertPlan(shop, store, { id: 'dollars', amount_minor: 900, currency: 'USD' });
  await insertPlan(shop, store, { id: 'gone', amount_minor: 1900, active: false });
  await insertPlan(shop, store, { id: 'tried', amount_minor: 300, trial_days: 7 });
});
beforeEach(async () => {
  customer = await createCustomer(shop, store);
});
afterEach(async () => {
  portOverrides = {};
  aheadMs = 0;
  vi.restoreAllMocks();
  expect(await findLedgerFaults(shop.db, store)).toEqual([]);
});
afterAll(() => shop.close());

type Quote = { planId: string; starts: string; due: { amount: number; currency: string }; at: string | null; quotedAt: string };
const requestQuote = ({ query }: Customer, planId: string) =>
  shop.call('quotePlanChange', '/subscription/change', { query: { ...query, planId } });
const readQuote = async (subscriber: Customer, planId: string): Promise<Quote> =>
  (await requestQuote(subscriber, planId)).value as Quote;
const switchPlan = ({ query }: Customer, upgradeplan: string, extraQuery: Record<string, string> = {}, idempotencyKey?: string) =>
  shop.call('customerPortal', '/customer/portal/session', {
    query: { ...query, upgradeplan, ...extraQuery },
    ...(idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
  });
const readOwnSubscription = async ({ query }: Customer) =>
  ((await shop.call('ownSubscription', '/user/subscription', { query })).value as { subscription: Record<string, unknown> })
    .subscription;
const readBalance = async () =>
  ((await shop.call('creditBalance', '/credits/balance', { query: customer.query })).value as { CreditBalance: number })
    .CreditBalance;
const advanceDays = async (days: number): Promise<void> => {
  aheadMs += days * DAY_MS;
  await sweep(shop.services, new Date(now()));
};
/** Ledger entries of a subscription in the account `gateway`, by date: cause and minor units. */
const readLedger = async (id: string) => {
  const rows = await shop.db
    .selectFrom('ledger')
    .select(['cause', 'amount'])
    .where('account', '=', 'gateway')
    .orderBy('booked_at')
    .execute();
  return rows
    .filter(({ cause }) => cause.endsWith(` of ${id}`))
    .map(({ cause, amount }) => [cause.replace(` of ${id}`, ''), Number(amount)]);
};

describe('a more expensive plan', () => {
  test('a more expensive plan starts at once, charges the quoted amount, and renews at its own price [S7.customer/portal/session]', async () => {
    const id = await subscribe(shop, customer, 'small');
    const priceQuote = await readQuote(customer, 'large');
    expect(priceQuote).toMatchObject({
      planId: 'large',
      starts: 'now',
      due: { amount: 6, currency: 'EUR' },
      at: priceQuote.quotedAt,
    });
    const { status, value } = await switchPlan(customer, 'large', {
      due: String(priceQuote.due.amount),
      quotedAt: priceQuote.quotedAt,
    });
    expect([status, (value as Session).url]).toMatchObject([
      200,
      expect.stringMatching(/^http.*\/subscription\/purchase\/success$/),
    ]);
    expect(await readOwnSubscription(customer)).toMatchObject({
      planId: 'large',
      name: 'Large',
      price: { amount: 9 },
      next: null,
      changeable: true,
    });
    expect(await readLedger(id)).toEqual([['plan change 1', 600]]);
    expect(await readBalance()).toBe(0);
    await advanceDays(32);
    expect(await readLedger(id)).toEqual([
      ['plan change 1', 600],
      ['renewal 1', 900],
    ]);
    expect(await readBalance()).toBe(5);
    const subjects = (await readEmailsTo(shop, customer.email)).map(({ subject }) => subject);
    expect(subjects).toEqual([
      expect.stringContaining('receipt'),
      expect.stringMatching(/^Your new subscription at /),
      expect.stringMatching(/has been renewed$/),
    ]);
    const message = (await readEmailsTo(shop, customer.email))[1]?.text;
    expect(message).toContain('Large: €6.00');
    expect(message).toContain('Amount paid: €6.00');
  });

  test('a plan change whose response is lost is charged once, even if further requests follow', async () => {
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    const id = await subscribe(shop, customer, 'small');
    let changeCount = 0;
    const port = shop.gateway.port;
    portOverrides = {
      changePlan: async (...args) => {
        await port.changePlan(...args);
        changeCount += 1;
        return rejectUnknown();
      },
    };
    expect(await switchPlan(customer, 'yearly')).toMatchObject({ status: 502, value: { code: 'payment_unknown' } });
    expect(await readOwnSubscription(customer)).toMatchObject({ planId: 'small', next: { planId: 'yearly', changing: true } });
    expect(await switchPlan(customer, 'large')).toMatchObject({ status: 409, value: { code: 'plan_changing' } });
    portOverrides = {};
    await Promise.all([
      switchPlan(customer, 'yearly'),
      handleWebhook(shop.services, `${store}/${id}`),
      advanceDays(0),
      handleWebhook(shop.services, `${store}/${id}`),
    ]);
    expect((await switchPlan(customer, 'yearly')).status).toBe(200);
    expect(changeCount).toBe(1);
    expect(await readOwnSubscription(customer)).toMatchObject({ planId: 'yearly', interval: 'year', next: null });
    expect(await readLedger(id)).toEqual([['plan change 1', 8700]]);
    const { provider_id } = await selectSubscription(shop, id);
    expect(await port.readSubscription(provider_id ?? '')).toMatchObject({ renewals: 0, state: 'active' });
  });

  test('a plan change whose response is lost until after the first renewal is booked at the new plan’s prices', async () => {
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    const id = await subscribe(shop, customer, 'small');
    const port = shop.gateway.port;
    portOverrides = { changePlan: async (...args) => port.changePlan(...args).then(rejectUnknown) };
    await switchPlan(customer, 'large');
    await advanceDays(33);
    portOverrides = {};
    await advanceDays(0);
    expect(await readLedger(id)).toEqual(
      expect.arrayContaining([
        ['plan change 1', 600],
        ['renewal 1', 900],
      ]),
    );
    expect(await readLedger(id)).toHaveLength(2);
    expect(await readBalance()).toBe(5);
  });

  test('a plan change that the card does not pay leaves the current plan, and can be tried again', async () => {
    const id = await subscribe(shop, customer, 'small', CARD_NUMBERS.once);
    expect(await switchPlan(customer, 'large')).toMatchObject({ status: 402, value: { code: 'card_declined' } });
    expect(await readOwnSubscription(customer)).toMatchObject({ planId: 'small', next: null, changeable: true });
    expect(await switchPlan(customer, 'large')).toMatchObject({ status: 402 });
    expect(await readLedger(id)).toEqual([]);
  });

  test('a plan change is refused at another price than the quoted one, and with a quote that is old or from the future', async () => {
    const id = await subscribe(shop, customer, 'small');
    const { quotedAt } = await readQuote(customer, 'large');
    expect(await switchPlan(customer, 'large', { due: '5', quotedAt })).toMatchObject({
      status: 409,
      value: { code: 'price_changed' },
    });
    const staleTime = new Date(Date.now() - 2 * 60 * 60_000).toISOString();
    expect(await switchPlan(customer, 'large', { quotedAt: staleTime })).toMatchObject({
      status: 409,
      value: { code: 'price_changed' },
    });
    const futureTime = new Date(Date.now() + 60_000).toISOString();
    expect(await switchPlan(customer, 'large', { quotedAt: futureTime })).toMatchObject({
      status: 409,
      value: { code: 'price_changed' },
    });
    expect(await readLedger(id)).toEqual([]);
  });

  test('a plan change requested in several windows at once is charged once', async () => {
    const id = await subscribe(shop, customer, 'small');
    const responses = await Promise.all(
      Array.from({ length: 5 }, (_, window) => switchPlan(customer, 'large', {}, `the-change-in-window-${window}`)),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 200));
    expect(await readLedger(id)).toEqual([['plan change 1', 600]]);
  });
});

describe('a cheaper plan', () => {
  test('a cheaper plan starts with the next renewal and charges nothing before', async () => {
    const id = await subscribe(shop, customer, 'large');
    const until = (await readOwnSubscription(customer))['until'];
    expect(await readQuote(customer, 'small')).toMatchObject({ starts: 'renewal', due: { amount: 0 }, at: until });
    expect((await switchPlan(customer, 'small')).status).toBe(200);
    const nextPlan = { planId: 'small', name: 'Small', price: { amount: 3 }, interval: 'month', changing: false };
    expect(await readOwnSubscription(customer)).toMatchObject({ planId: 'large', price: { amount: 9 }, until, next: nextPlan });
    expect(await readLedger(id)).toEqual([]);
    await advanceDays(32);
    expect(await readOwnSubscription(customer)).toMatchObject({ planId: 'small', price: { amount: 3 }, next: null });
    await advanceDays(31);
    expect(await readLedger(id)).toEqual([
      ['renewal 1', 300],
      ['renewal 2', 300],
    ]);
    expect(await readBalance()).toBe(2);
  });

  test('a change to a cheaper plan can be undone or replaced before it starts', async () => {
    const id = await subscribe(shop, customer, 'large');
    await switchPlan(customer, 'small');
    expect(await readQuote(customer, 'large')).toMatchObject({ starts: 'renewal', due: { amount: 0 } });
    expect(await readQuote(customer, 'yearly')).toMatchObject({ starts: 'renewal', due: { amount: 0 } });
    expect((await switchPlan(customer, 'large')).status).toBe(200);
    expect(await readOwnSubscription(customer)).toMatchObject({ planId: 'large', next: null });
    await switchPlan(customer, 'small');
    await switchPlan(customer, 'yearly');
    expect(await readOwnSubscription(customer)).toMatchObject({ planId: 'large', next: { planId: 'yearly' } });
    await advanceDays(32);
    expect(await readLedger(id)).toEqual([['renewal 1', 9000]]);
    expect(await readOwnSubscription(customer)).toMatchObject({ planId: 'yearly', interval: 'year' });
  });

  test('a change to a cheaper plan never starts when the subscription is cancelled first', async () => {
    const id = await subscribe(shop, customer, 'large');
    await switchPlan(customer, 'small');
    await shop.call('cancelSubscription', '/user/subscription/cancel', { query: customer.query });
    expect(await readOwnSubscription(customer)).toMatchObject({
      planId: 'large',
      status: 'cancelled',
      next: null,
      changeable: false,
    });
    await advanceDays(32);
    expect(await selectSubscription(shop, id)).toMatchObject({ status: 'ended', plan_id: 'large', renewals: 0 });
    expect(await readLedger(id)).toEqual([]);
  });
});

test('a plan chosen during the trial starts with the first payment', async () => {
  const session = (await startSubscription(shop, customer, 'tried')).value as Session;
  await confirmSubscription(shop, customer, session.transId, await submitCard(session.url));
  expect(await readQuote(customer, 'large')).toMatchObject({ starts: 'renewal', due: { amount: 0 } });
  await switchPlan(customer, 'large');
  await advanceDays(8);
  expect(await readLedger(session.transId)).toEqual([['renewal 1', 900]]);
});

test('a change to a plan in another currency, a plan that is not sold, or the current plan is refused', async () => {
  await subscribe(shop, customer, 'small');
  expect(await requestQuote(customer, 'dollars')).toMatchObject({ status: 409, value: { code: 'plan_unchanged' } });
  expect(await requestQuote(customer, 'small')).toMatchObject({ status: 409, value: { code: 'plan_unchanged' } });
  for (const plan of ['gone', 'none']) expect(await requestQuote(customer, plan)).toMatchObject({ status: 404 });
  expect((await switchPlan(customer, 'dollars')).status).toBe(409);
  expect((await switchPlan(customer, 'gone')).status).toBe(404);
});

test('a customer without a subscription, with a payment due, or subscribed by a code cannot change the plan', async () => {
  expect((await requestQuote(customer, 'large')).status).toBe(404);
  expect((await switchPlan(customer, 'large')).status).toBe(404);
  await insertSubscription(shop, customer, { plan_id: 'small', status: 'past_due', provider_id: 'sub_x' });
  const otherCustomer = await createCustomer(shop, store);
  await insertSubscription(shop, otherCustomer, {
    plan_id: 'small',
    provider: 'code',
    cancelled_at: new Date(),
    amount_minor: 0,
  });
  for (const subscriber of [customer, otherCustomer]) {
    expect(await requestQuote(subscriber, 'large')).toMatchObject({ status: 409, value: { code: 'plan_unchanged' } });
    expect(await switchPlan(subscriber, 'large')).toMatchObject({ status: 409, value: { code: 'plan_unchanged' } });
    expect(await readOwnSubscription(subscriber)).toMatchObject({ changeable: false });
  }
});

test('a plan change without a response of the gateway is reported as payment_unavailable, and nothing is stored', async () => {
  vi.spyOn(shop.services.log, 'error').mockReturnValue();
  await subscribe(shop, customer, 'small');
  portOverrides = { quoteChange: rejectUnknown };
  expect(await requestQuote(customer, 'large')).toMatchObject({ status: 502, value: { code: 'payment_unavailable' } });
  expect(await switchPlan(customer, 'large')).toMatchObject({ status: 502 });
  expect(await readOwnSubscription(customer)).toMatchObject({ next: null });
});

test('a deleted account is not charged for a pending plan change', async () => {
  vi.spyOn(shop.services.log, 'error').mockReturnValue();
  const id = await subscribe(shop, customer, 'small');
  portOverrides = { changePlan: rejectUnknown };
  await switchPlan(customer, 'large');
  portOverrides = {};
  await shop.call('deleteUser', '/user/delete', {
    query: { shelfid: store },
    headers: { authorization: `Bearer ${customer.query.accesstoken}` },
  });
  await advanceDays(0);
  await advanceDays(0);
  expect(await selectSubscription(shop, id)).toMatchObject({ status: 'ended', plan_id: 'small', cancel_told: true });
  expect(await readLedger(id)).toEqual([]);
});
