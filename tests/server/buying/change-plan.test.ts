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

let aheadMs = 0;
const now = () => Date.now() + aheadMs;
let portOverrides: Partial<PaymentPort> = {};
const overridablePort = (port: PaymentPort): PaymentPort => ({
  ...port,
  quoteChange: (id, change) => (portOverrides.quoteChange ?? port.quoteChange)(id, change),
  changePlan: (id, change) => (portOverrides.changePlan ?? port.changePlan)(id, change),
});
const rejectUnknown = () => Promise.reject(new PaymentUnknown(new Error('silence')));

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ gatewayNow: now, payment: overridablePort });
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
const quote = ({ query }: Customer, planId: string) =>
  shop.ask('quotePlanChange', '/subscription/change', { query: { ...query, planId } });
const readQuote = async (who: Customer, planId: string): Promise<Quote> => (await quote(who, planId)).value as Quote;
const switchPlan = ({ query }: Customer, upgradeplan: string, more: Record<string, string> = {}, key?: string) =>
  shop.ask('customerPortal', '/customer/portal/session', {
    query: { ...query, upgradeplan, ...more },
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });
const readOwnSubscription = async ({ query }: Customer) =>
  ((await shop.ask('ownSubscription', '/user/subscription', { query })).value as { subscription: Record<string, unknown> })
    .subscription;
const balance = async () =>
  ((await shop.ask('creditBalance', '/credits/balance', { query: customer.query })).value as { CreditBalance: number })
    .CreditBalance;
const advanceDays = async (days: number): Promise<void> => {
  aheadMs += days * DAY_MS;
  await sweep(shop.services, new Date(now()));
};
/** Ledger amounts of plan changes and renewals. */
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
  test('starts at once, charges the quoted amount, and renews at its own price with its own credits [S7.customer/portal/session]', async () => {
    const id = await subscribe(shop, customer, 'small');
    const told = await readQuote(customer, 'large');
    expect(told).toMatchObject({ planId: 'large', starts: 'now', due: { amount: 6, currency: 'EUR' }, at: told.quotedAt });
    const { status, value } = await switchPlan(customer, 'large', { due: String(told.due.amount), quotedAt: told.quotedAt });
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
    expect(await balance()).toBe(0);
    await advanceDays(32);
    expect(await readLedger(id)).toEqual([
      ['plan change 1', 600],
      ['renewal 1', 900],
    ]);
    expect(await balance()).toBe(5);
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

  test('whose response is lost is charged once, after any further request', async () => {
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    const id = await subscribe(shop, customer, 'small');
    let charged = 0;
    const port = shop.gateway.port;
    portOverrides = {
      changePlan: async (...asked) => {
        await port.changePlan(...asked);
        charged += 1;
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
    expect(charged).toBe(1);
    expect(await readOwnSubscription(customer)).toMatchObject({ planId: 'yearly', interval: 'year', next: null });
    expect(await readLedger(id)).toEqual([['plan change 1', 8700]]);
    const { provider_id } = await selectSubscription(shop, id);
    expect(await port.readSubscription(provider_id ?? '')).toMatchObject({ renewals: 0, state: 'active' });
  });

  test('whose response is lost until after its first renewal is booked at its own price', async () => {
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    const id = await subscribe(shop, customer, 'small');
    const port = shop.gateway.port;
    portOverrides = { changePlan: async (...asked) => port.changePlan(...asked).then(rejectUnknown) };
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
    expect(await balance()).toBe(5);
  });

  test('that the card does not pay changes nothing, and can be retried', async () => {
    const id = await subscribe(shop, customer, 'small', CARD_NUMBERS.once);
    expect(await switchPlan(customer, 'large')).toMatchObject({ status: 402, value: { code: 'card_declined' } });
    expect(await readOwnSubscription(customer)).toMatchObject({ planId: 'small', next: null, changeable: true });
    expect(await switchPlan(customer, 'large')).toMatchObject({ status: 402 });
    expect(await readLedger(id)).toEqual([]);
  });

  test('is charged only at the quoted price', async () => {
    const id = await subscribe(shop, customer, 'small');
    const { quotedAt } = await readQuote(customer, 'large');
    expect(await switchPlan(customer, 'large', { due: '5', quotedAt })).toMatchObject({
      status: 409,
      value: { code: 'price_changed' },
    });
    const old = new Date(Date.now() - 2 * 60 * 60_000).toISOString();
    expect(await switchPlan(customer, 'large', { quotedAt: old })).toMatchObject({
      status: 409,
      value: { code: 'price_changed' },
    });
    const ahead = new Date(Date.now() + 60_000).toISOString();
    expect(await switchPlan(customer, 'large', { quotedAt: ahead })).toMatchObject({
      status: 409,
      value: { code: 'price_changed' },
    });
    expect(await readLedger(id)).toEqual([]);
  });

  test('requested in several windows at once is charged once', async () => {
    const id = await subscribe(shop, customer, 'small');
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, window) => switchPlan(customer, 'large', {}, `the-change-in-window-${window}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 200));
    expect(await readLedger(id)).toEqual([['plan change 1', 600]]);
  });
});

describe('a cheaper plan', () => {
  test('starts with the next renewal, and charges nothing before', async () => {
    const id = await subscribe(shop, customer, 'large');
    const until = (await readOwnSubscription(customer))['until'];
    expect(await readQuote(customer, 'small')).toMatchObject({ starts: 'renewal', due: { amount: 0 }, at: until });
    expect((await switchPlan(customer, 'small')).status).toBe(200);
    const small = { planId: 'small', name: 'Small', price: { amount: 3 }, interval: 'month', changing: false };
    expect(await readOwnSubscription(customer)).toMatchObject({ planId: 'large', price: { amount: 9 }, until, next: small });
    expect(await readLedger(id)).toEqual([]);
    await advanceDays(32);
    expect(await readOwnSubscription(customer)).toMatchObject({ planId: 'small', price: { amount: 3 }, next: null });
    await advanceDays(31);
    expect(await readLedger(id)).toEqual([
      ['renewal 1', 300],
      ['renewal 2', 300],
    ]);
    expect(await balance()).toBe(2);
  });

  test('can be undone before, and replaced with another one', async () => {
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

  test('never starts when the subscription is cancelled before', async () => {
    const id = await subscribe(shop, customer, 'large');
    await switchPlan(customer, 'small');
    await shop.ask('cancelSubscription', '/user/subscription/cancel', { query: customer.query });
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
  const begun = (await startSubscription(shop, customer, 'tried')).value as Session;
  await confirmSubscription(shop, customer, begun.transId, await submitCard(begun.url));
  expect(await readQuote(customer, 'large')).toMatchObject({ starts: 'renewal', due: { amount: 0 } });
  await switchPlan(customer, 'large');
  await advanceDays(8);
  expect(await readLedger(begun.transId)).toEqual([['renewal 1', 900]]);
});

test('a change to a plan in another currency, a plan that is not sold, or the current plan is refused', async () => {
  await subscribe(shop, customer, 'small');
  expect(await quote(customer, 'dollars')).toMatchObject({ status: 409, value: { code: 'plan_unchanged' } });
  expect(await quote(customer, 'small')).toMatchObject({ status: 409, value: { code: 'plan_unchanged' } });
  for (const plan of ['gone', 'none']) expect(await quote(customer, plan)).toMatchObject({ status: 404 });
  expect((await switchPlan(customer, 'dollars')).status).toBe(409);
  expect((await switchPlan(customer, 'gone')).status).toBe(404);
});

test('a customer without a subscription, with a payment due, or subscribed by a code cannot change the plan', async () => {
  expect((await quote(customer, 'large')).status).toBe(404);
  expect((await switchPlan(customer, 'large')).status).toBe(404);
  await insertSubscription(shop, customer, { plan_id: 'small', status: 'past_due', provider_id: 'sub_x' });
  const other = await createCustomer(shop, store);
  await insertSubscription(shop, other, { plan_id: 'small', provider: 'code', cancelled_at: new Date(), amount_minor: 0 });
  for (const who of [customer, other]) {
    expect(await quote(who, 'large')).toMatchObject({ status: 409, value: { code: 'plan_unchanged' } });
    expect(await switchPlan(who, 'large')).toMatchObject({ status: 409, value: { code: 'plan_unchanged' } });
    expect(await readOwnSubscription(who)).toMatchObject({ changeable: false });
  }
});

test('a gateway without response is reported as payment_unavailable, and nothing is stored', async () => {
  vi.spyOn(shop.services.log, 'error').mockReturnValue();
  await subscribe(shop, customer, 'small');
  portOverrides = { quoteChange: rejectUnknown };
  expect(await quote(customer, 'large')).toMatchObject({ status: 502, value: { code: 'payment_unavailable' } });
  expect(await switchPlan(customer, 'large')).toMatchObject({ status: 502 });
  expect(await readOwnSubscription(customer)).toMatchObject({ next: null });
});

test('a deleted account is not charged for a pending plan change', async () => {
  vi.spyOn(shop.services.log, 'error').mockReturnValue();
  const id = await subscribe(shop, customer, 'small');
  portOverrides = { changePlan: rejectUnknown };
  await switchPlan(customer, 'large');
  portOverrides = {};
  await shop.ask('deleteUser', '/user/delete', {
    query: { shelfid: store },
    headers: { authorization: `Bearer ${customer.query.accesstoken}` },
  });
  await advanceDays(0);
  await advanceDays(0);
  expect(await selectSubscription(shop, id)).toMatchObject({ status: 'ended', plan_id: 'small', cancel_told: true });
  expect(await readLedger(id)).toEqual([]);
});
