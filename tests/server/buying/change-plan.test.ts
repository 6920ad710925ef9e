import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ledgerFaults } from '../../../server/payment/ledger.ts';
import { hear } from '../../../server/jobs/hear.ts';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { sentTo } from '../support/outbox.ts';
import { CARDS } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';
import {
  beginSubscribing,
  confirmSubscribing,
  leaveCard,
  planIn,
  rowOf,
  type Session,
  subscribe,
  subscriptionOf,
} from '../support/subscriptions.ts';

const DAY = 24 * 60 * 60_000;

let ahead = 0;
const now = () => Date.now() + ahead;
let trouble: Partial<PaymentPort> = {};
const troubled = (port: PaymentPort): PaymentPort => ({
  ...port,
  quoteChange: (id, change) => (trouble.quoteChange ?? port.quoteChange)(id, change),
  changePlan: (id, change) => (trouble.changePlan ?? port.changePlan)(id, change),
});
const silent = () => Promise.reject(new PaymentUnknown(new Error('silence')));

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ gatewayNow: now, payment: troubled });
  store = await shop.store();
  await planIn(shop, store, { id: 'small', amount_minor: 300, credits: 1, name: 'Small' });
  await planIn(shop, store, {
    id: 'large',
    amount_minor: 900,
    credits: 5,
    name: 'Large',
    translations: JSON.stringify({ fr: { name: 'Grand' } }),
  });
  await planIn(shop, store, { id: 'yearly', amount_minor: 9000, period: 'year', credits: 60, name: 'Yearly' });
  await planIn(shop, store, { id: 'dollars', amount_minor: 900, currency: 'USD' });
  await planIn(shop, store, { id: 'gone', amount_minor: 1900, active: false });
  await planIn(shop, store, { id: 'tried', amount_minor: 300, trial_days: 7 });
});
beforeEach(async () => {
  customer = await customerOf(shop, store);
});
afterEach(async () => {
  trouble = {};
  ahead = 0;
  vi.restoreAllMocks();
  expect(await ledgerFaults(shop.db, store)).toEqual([]);
});
afterAll(() => shop.close());

type Quote = { planId: string; starts: string; due: { amount: number; currency: string }; at: string | null; quotedAt: string };
const quote = ({ query }: Customer, planId: string) =>
  shop.ask('quotePlanChange', '/subscription/change', { query: { ...query, planId } });
const quoteOf = async (who: Customer, planId: string): Promise<Quote> => (await quote(who, planId)).value as Quote;
const change = ({ query }: Customer, upgradeplan: string, more: Record<string, string> = {}, key?: string) =>
  shop.ask('customerPortal', '/customer/portal/session', {
    query: { ...query, upgradeplan, ...more },
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });
const own = async ({ query }: Customer) =>
  ((await shop.ask('ownSubscription', '/user/subscription', { query })).value as { subscription: Record<string, unknown> })
    .subscription;
const balance = async () =>
  ((await shop.ask('creditBalance', '/credits/balance', { query: customer.query })).value as { CreditBalance: number })
    .CreditBalance;
const passes = async (days: number): Promise<void> => {
  ahead += days * DAY;
  await sweep(shop.services, new Date(now()));
};
/** What was taken for changes of plans, and for renewals. */
const booked = async (id: string) => {
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

describe('a dearer plan', () => {
  test('begins at once, charges what was quoted, and renews at its own price with its own credits [S7.customer/portal/session]', async () => {
    const id = await subscribe(shop, customer, 'small');
    const told = await quoteOf(customer, 'large');
    expect(told).toMatchObject({ planId: 'large', starts: 'now', due: { amount: 6, currency: 'EUR' }, at: told.quotedAt });
    const { status, value } = await change(customer, 'large', { due: String(told.due.amount), quotedAt: told.quotedAt });
    expect([status, (value as Session).url]).toMatchObject([
      200,
      expect.stringMatching(/^http.*\/subscription\/purchase\/success$/),
    ]);
    expect(await own(customer)).toMatchObject({
      planId: 'large',
      name: 'Large',
      price: { amount: 9 },
      next: null,
      changeable: true,
    });
    expect(await booked(id)).toEqual([['plan change 1', 600]]);
    expect(await balance()).toBe(0);
    await passes(32);
    expect(await booked(id)).toEqual([
      ['plan change 1', 600],
      ['renewal 1', 900],
    ]);
    expect(await balance()).toBe(5);
    const subjects = (await sentTo(shop, customer.email)).map(({ subject }) => subject);
    expect(subjects).toEqual([
      expect.stringContaining('receipt'),
      expect.stringMatching(/^Your new subscription at /),
      expect.stringMatching(/has been renewed$/),
    ]);
    const letter = (await sentTo(shop, customer.email))[1]?.text;
    expect(letter).toContain('Large: €6.00');
    expect(letter).toContain('Amount paid: €6.00');
  });

  test('whose answer is lost is charged once, whoever asks again', async () => {
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    const id = await subscribe(shop, customer, 'small');
    let charged = 0;
    const port = shop.gateway.port;
    trouble = {
      changePlan: async (...asked) => {
        await port.changePlan(...asked);
        charged += 1;
        return silent();
      },
    };
    expect(await change(customer, 'yearly')).toMatchObject({ status: 502, value: { code: 'payment_unknown' } });
    expect(await own(customer)).toMatchObject({ planId: 'small', next: { planId: 'yearly', changing: true } });
    expect(await change(customer, 'large')).toMatchObject({ status: 409, value: { code: 'plan_changing' } });
    trouble = {};
    await Promise.all([
      change(customer, 'yearly'),
      hear(shop.services, `${store}/${id}`),
      passes(0),
      hear(shop.services, `${store}/${id}`),
    ]);
    expect((await change(customer, 'yearly')).status).toBe(200);
    expect(charged).toBe(1);
    expect(await own(customer)).toMatchObject({ planId: 'yearly', interval: 'year', next: null });
    expect(await booked(id)).toEqual([['plan change 1', 8700]]);
    const { provider_id } = await rowOf(shop, id);
    expect(await port.readSubscription(provider_id ?? '')).toMatchObject({ renewals: 0, state: 'active' });
  });

  test('whose answer is lost until after its first renewal is booked at its own price', async () => {
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    const id = await subscribe(shop, customer, 'small');
    const port = shop.gateway.port;
    trouble = { changePlan: async (...asked) => port.changePlan(...asked).then(silent) };
    await change(customer, 'large');
    await passes(33);
    trouble = {};
    await passes(0);
    expect(await booked(id)).toEqual(
      expect.arrayContaining([
        ['plan change 1', 600],
        ['renewal 1', 900],
      ]),
    );
    expect(await booked(id)).toHaveLength(2);
    expect(await balance()).toBe(5);
  });

  test('that the card does not pay changes nothing, and can be tried again', async () => {
    const id = await subscribe(shop, customer, 'small', CARDS.once);
    expect(await change(customer, 'large')).toMatchObject({ status: 402, value: { code: 'card_declined' } });
    expect(await own(customer)).toMatchObject({ planId: 'small', next: null, changeable: true });
    expect(await change(customer, 'large')).toMatchObject({ status: 402 });
    expect(await booked(id)).toEqual([]);
  });

  test('is not charged at another price than was shown', async () => {
    const id = await subscribe(shop, customer, 'small');
    const { quotedAt } = await quoteOf(customer, 'large');
    expect(await change(customer, 'large', { due: '5', quotedAt })).toMatchObject({
      status: 409,
      value: { code: 'price_changed' },
    });
    const old = new Date(Date.now() - 2 * 60 * 60_000).toISOString();
    expect(await change(customer, 'large', { quotedAt: old })).toMatchObject({ status: 409, value: { code: 'price_changed' } });
    const ahead = new Date(Date.now() + 60_000).toISOString();
    expect(await change(customer, 'large', { quotedAt: ahead })).toMatchObject({ status: 409, value: { code: 'price_changed' } });
    expect(await booked(id)).toEqual([]);
  });

  test('pressed in several windows at once is charged once', async () => {
    const id = await subscribe(shop, customer, 'small');
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, window) => change(customer, 'large', {}, `the-change-in-window-${window}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 200));
    expect(await booked(id)).toEqual([['plan change 1', 600]]);
  });
});

describe('a cheaper plan', () => {
  test('begins with the next renewal, and charges nothing before', async () => {
    const id = await subscribe(shop, customer, 'large');
    const until = (await own(customer))['until'];
    expect(await quoteOf(customer, 'small')).toMatchObject({ starts: 'renewal', due: { amount: 0 }, at: until });
    expect((await change(customer, 'small')).status).toBe(200);
    const small = { planId: 'small', name: 'Small', price: { amount: 3 }, interval: 'month', changing: false };
    expect(await own(customer)).toMatchObject({ planId: 'large', price: { amount: 9 }, until, next: small });
    expect(await booked(id)).toEqual([]);
    await passes(32);
    expect(await own(customer)).toMatchObject({ planId: 'small', price: { amount: 3 }, next: null });
    await passes(31);
    expect(await booked(id)).toEqual([
      ['renewal 1', 300],
      ['renewal 2', 300],
    ]);
    expect(await balance()).toBe(2);
  });

  test('can be taken back before, and gives way to another one', async () => {
    const id = await subscribe(shop, customer, 'large');
    await change(customer, 'small');
    expect(await quoteOf(customer, 'large')).toMatchObject({ starts: 'renewal', due: { amount: 0 } });
    expect(await quoteOf(customer, 'yearly')).toMatchObject({ starts: 'renewal', due: { amount: 0 } });
    expect((await change(customer, 'large')).status).toBe(200);
    expect(await own(customer)).toMatchObject({ planId: 'large', next: null });
    await change(customer, 'small');
    await change(customer, 'yearly');
    expect(await own(customer)).toMatchObject({ planId: 'large', next: { planId: 'yearly' } });
    await passes(32);
    expect(await booked(id)).toEqual([['renewal 1', 9000]]);
    expect(await own(customer)).toMatchObject({ planId: 'yearly', interval: 'year' });
  });

  test('never begins where the subscription is cancelled before', async () => {
    const id = await subscribe(shop, customer, 'large');
    await change(customer, 'small');
    await shop.ask('cancelSubscription', '/user/subscription/cancel', { query: customer.query });
    expect(await own(customer)).toMatchObject({ planId: 'large', status: 'cancelled', next: null, changeable: false });
    await passes(32);
    expect(await rowOf(shop, id)).toMatchObject({ status: 'ended', plan_id: 'large', renewals: 0 });
    expect(await booked(id)).toEqual([]);
  });
});

test('while days cost nothing every plan waits for the first payment', async () => {
  const begun = (await beginSubscribing(shop, customer, 'tried')).value as Session;
  await confirmSubscribing(shop, customer, begun.transId, await leaveCard(begun.url));
  expect(await quoteOf(customer, 'large')).toMatchObject({ starts: 'renewal', due: { amount: 0 } });
  await change(customer, 'large');
  await passes(8);
  expect(await booked(begun.transId)).toEqual([['renewal 1', 900]]);
});

test('a plan in another currency, one that is not sold, and the own one are none to change to', async () => {
  await subscribe(shop, customer, 'small');
  expect(await quote(customer, 'dollars')).toMatchObject({ status: 409, value: { code: 'plan_unchanged' } });
  expect(await quote(customer, 'small')).toMatchObject({ status: 409, value: { code: 'plan_unchanged' } });
  for (const plan of ['gone', 'none']) expect(await quote(customer, plan)).toMatchObject({ status: 404 });
  expect((await change(customer, 'dollars')).status).toBe(409);
  expect((await change(customer, 'gone')).status).toBe(404);
});

test('who has none, whose payment is due, and who has it by a code changes nothing', async () => {
  expect((await quote(customer, 'large')).status).toBe(404);
  expect((await change(customer, 'large')).status).toBe(404);
  await subscriptionOf(shop, customer, { plan_id: 'small', status: 'past_due', provider_id: 'sub_x' });
  const other = await customerOf(shop, store);
  await subscriptionOf(shop, other, { plan_id: 'small', provider: 'code', cancelled_at: new Date(), amount_minor: 0 });
  for (const who of [customer, other]) {
    expect(await quote(who, 'large')).toMatchObject({ status: 409, value: { code: 'plan_unchanged' } });
    expect(await change(who, 'large')).toMatchObject({ status: 409, value: { code: 'plan_unchanged' } });
    expect(await own(who)).toMatchObject({ changeable: false });
  }
});

test('a gateway that does not answer is said, and nothing is written down', async () => {
  vi.spyOn(shop.services.log, 'error').mockReturnValue();
  await subscribe(shop, customer, 'small');
  trouble = { quoteChange: silent };
  expect(await quote(customer, 'large')).toMatchObject({ status: 502, value: { code: 'payment_unavailable' } });
  expect(await change(customer, 'large')).toMatchObject({ status: 502 });
  expect(await own(customer)).toMatchObject({ next: null });
});

test('an account that is deleted pays for no change that is still open', async () => {
  vi.spyOn(shop.services.log, 'error').mockReturnValue();
  const id = await subscribe(shop, customer, 'small');
  trouble = { changePlan: silent };
  await change(customer, 'large');
  trouble = {};
  await shop.ask('deleteUser', '/user/delete', {
    query: { shelfid: store },
    headers: { authorization: `Bearer ${customer.query.accesstoken}` },
  });
  await passes(0);
  await passes(0);
  expect(await rowOf(shop, id)).toMatchObject({ status: 'ended', plan_id: 'small', cancel_told: true });
  expect(await booked(id)).toEqual([]);
});
