import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { keepCard } from '../support/cards.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { CARDS, chargesOf, pay, post } from '../support/paying.ts';
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

let trouble: Partial<PaymentPort> = {};
const troubled = (port: PaymentPort): PaymentPort => ({
  ...port,
  create: (request) => (trouble.create ?? port.create)(request),
  capture: (intentId) => (trouble.capture ?? port.capture)(intentId),
});
const silent = () => Promise.reject(new PaymentUnknown(new Error('silence')));

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ payment: troubled });
  store = await shop.store();
  await planIn(shop, store);
  await planIn(shop, store, { id: 'tried', trial_days: 14 });
  await planIn(shop, store, { id: 'yearly', period: 'year', amount_minor: 9000 });
  await planIn(shop, store, { id: 'past', active: false });
});
beforeEach(async () => {
  customer = await customerOf(shop, store);
});
afterEach(() => {
  trouble = {};
  vi.restoreAllMocks();
});
afterAll(() => shop.close());

const session = async (planId = 'monthly'): Promise<Session> => {
  const { status, value, text } = await beginSubscribing(shop, customer, planId);
  if (status !== 200) throw new Error(text);
  return value as Session;
};
const rows = () => shop.db.selectFrom('subscriptions').selectAll().where('user_id', '=', customer.id).execute();
const transactions = () => shop.db.selectFrom('transactions').selectAll().where('user_id', '=', customer.id).execute();

describe('by the gateway’s page', () => {
  test('nothing is charged before it is confirmed; then the subscription runs [S7.checkout/subscription/session] [S7.subscription/confirm]', async () => {
    const { transId, url } = await session();
    const page = await (await fetch(url)).text();
    expect(page).toContain('€9.00 every month, until you cancel.');
    const intentId = await leaveCard(url);
    expect([await rows(), await chargesOf(shop, transId)]).toEqual([[], 0]);
    const { status, value } = await confirmSubscribing(shop, customer, transId, intentId);
    expect({ status, value }).toMatchObject({ status: 200, value: { subscriptionId: transId, status: 'active', intentId } });
    expect(await chargesOf(shop, transId)).toBe(1);
    const row = await rowOf(shop, transId);
    expect(row).toMatchObject({ status: 'active', plan_id: 'monthly', amount_minor: 900, currency: 'EUR', period: 'month' });
    const days = ((row.renews_at?.getTime() ?? 0) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(27.9);
    expect(days).toBeLessThan(31.1);
  });

  test('it leads back to the page of subscribing, with the plan', async () => {
    const { transId, url } = await session('yearly');
    const back = new URL((await pay(url, CARDS.good)).headers.get('location') ?? '');
    expect(back.pathname).toBe('/subscription/purchase');
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ planid: 'yearly', subscriptionid: transId });
  });

  test('a trial is charged nothing now, and says what comes after it', async () => {
    const { transId, url } = await session('tried');
    const page = await (await fetch(url)).text();
    expect(page).toContain('Free for 14 days, then: €9.00 every month, until you cancel.');
    expect(page).toContain('€0.00');
    await confirmSubscribing(shop, customer, transId, await leaveCard(url));
    const [paid] = await transactions();
    expect(paid).toMatchObject({ status: 'paid', amount_minor: 0 });
    const row = await rowOf(shop, transId);
    expect(row.amount_minor).toBe(900);
    expect(((row.renews_at?.getTime() ?? 0) - Date.now()) / 86_400_000).toBeCloseTo(14, 1);
  });

  test('only who has never subscribed begins with a trial', async () => {
    await subscriptionOf(shop, customer, { status: 'ended' });
    const { transId } = await session('tried');
    expect(await transactions()).toMatchObject([{ id: transId, amount_minor: 900 }]);
  });

  test('a card that is declined leaves the page open, and nothing begins', async () => {
    const { transId, url } = await session();
    await pay(url, CARDS.declined);
    expect(await confirmSubscribing(shop, customer, transId, 'any')).toMatchObject({ status: 400 });
    const intent_id = (await transactions())[0]?.intent_id ?? '';
    expect(await confirmSubscribing(shop, customer, transId, intent_id)).toMatchObject({
      status: 409,
      value: { code: 'not_authorized' },
    });
    expect(await rows()).toEqual([]);
  });

  test('who cancels there has not subscribed', async () => {
    const { transId, url } = await session();
    const [page, query = ''] = url.split('?');
    await post(`${page}/cancel?${query}`, {});
    const intent_id = (await transactions())[0]?.intent_id ?? '';
    expect(await confirmSubscribing(shop, customer, transId, intent_id)).toMatchObject({
      status: 409,
      value: { code: 'cancelled' },
    });
  });
});

describe('exactly once', () => {
  test('twenty confirmations charge once and begin one subscription', async () => {
    const { transId, url } = await session();
    const intentId = await leaveCard(url);
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirmSubscribing(shop, customer, transId, intentId)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect([await chargesOf(shop, transId), (await rows()).length]).toEqual([1, 1]);
  });

  test('two windows share one payment; another plan takes its place', async () => {
    const both = await Promise.all([session(), session()]);
    expect(new Set(both.map(({ transId }) => transId)).size).toBe(1);
    const other = await session('yearly');
    expect(other.transId).not.toBe(both[0].transId);
    const statusOf = new Map((await transactions()).map(({ id, status, reason }) => [id, { status, reason }]));
    expect(statusOf).toEqual(
      new Map([
        [both[0].transId, { status: 'cancelled', reason: 'plan_changed' }],
        [other.transId, { status: 'pending', reason: null }],
      ]),
    );
  });

  test('who has subscribed is refused before anything is charged', async () => {
    const { transId, url } = await session();
    const intentId = await leaveCard(url);
    await subscriptionOf(shop, customer);
    expect(await confirmSubscribing(shop, customer, transId, intentId)).toMatchObject({
      status: 409,
      value: { code: 'already_subscribed' },
    });
    expect(await chargesOf(shop, transId)).toBe(0);
    expect(await beginSubscribing(shop, customer)).toMatchObject({ status: 409, value: { code: 'already_subscribed' } });
  });

  test('one that was cancelled and is over makes room for another', async () => {
    const over = await subscriptionOf(shop, customer, {
      cancelled_at: new Date(Date.now() - 2000),
      renews_at: new Date(Date.now() - 1000),
    });
    const next = await subscribe(shop, customer);
    expect(await rowOf(shop, over)).toMatchObject({ status: 'ended' });
    expect(await rowOf(shop, next)).toMatchObject({ status: 'active' });
  });

  test('a charge whose answer was lost is booked by the sweep', async () => {
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    const { transId, url } = await session();
    const intentId = await leaveCard(url);
    trouble = {
      capture: async (id) => {
        await shop.gateway.port.capture(id);
        return silent();
      },
    };
    expect(await confirmSubscribing(shop, customer, transId, intentId)).toMatchObject({
      status: 502,
      value: { code: 'payment_unknown' },
    });
    expect(await rows()).toEqual([]);
    trouble = {};
    await sweep(shop.services);
    expect(await rowOf(shop, transId)).toMatchObject({ status: 'active' });
    expect((await confirmSubscribing(shop, customer, transId, intentId)).status).toBe(200);
    expect(await chargesOf(shop, transId)).toBe(1);
  });

  test('a gateway that is silent has charged nothing', async () => {
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    trouble = { create: silent };
    expect(await beginSubscribing(shop, customer)).toMatchObject({ status: 502, value: { code: 'payment_unavailable' } });
    trouble = {};
    expect((await beginSubscribing(shop, customer)).status).toBe(200);
    expect(await transactions()).toHaveLength(1);
  });
});

describe('by a kept card', () => {
  const purchase = (cardId: string, planId = 'monthly') =>
    shop.ask('purchaseSubscription', '/subscription/purchase', { query: { ...customer.query, planId, cardId } });

  test('it is authorised, then confirmed [S7.subscription/purchase]', async () => {
    const { status, value } = await purchase(await keepCard(shop, customer));
    expect({ status, value }).toMatchObject({ status: 200, value: { status: 'actionRequired', url: null } });
    const { subscriptionId, intentId } = value as { subscriptionId: string; intentId: string };
    expect([await rows(), await chargesOf(shop, subscriptionId)]).toEqual([[], 0]);
    expect((await confirmSubscribing(shop, customer, subscriptionId, intentId)).value).toMatchObject({ status: 'active' });
    expect(await chargesOf(shop, subscriptionId)).toBe(1);
  });

  test('one whose bank asks leads to the gateway’s page', async () => {
    const { value } = await purchase(await keepCard(shop, customer, CARDS.challenge));
    expect(value).toMatchObject({ status: 'actionRequired', url: expect.stringContaining('/pay/') as string });
  });

  test('another customer’s card is none', async () => {
    const cardId = await keepCard(shop, await customerOf(shop, store));
    expect((await purchase(cardId)).status).toBe(404);
    expect(await transactions()).toEqual([]);
  });
});

test.each([
  ['a plan that is no longer offered', 'past', 404],
  ['a plan that never was', 'none', 404],
])('%s is refused', async (_, planId, status) => {
  expect((await beginSubscribing(shop, customer, planId)).status).toBe(status);
  expect(await transactions()).toEqual([]);
});

test('a store that sells none refuses, and a code that is none is not passed over', async () => {
  const closed = await shop.store({ properties: { EnableSubscription: false } });
  await planIn(shop, closed);
  expect(await beginSubscribing(shop, await customerOf(shop, closed))).toMatchObject({
    status: 409,
    value: { code: 'not_for_sale' },
  });
  const query = { ...customer.query, planId: 'monthly', code: 'HALF-PRICE' };
  expect((await shop.ask('subscriptionSession', '/checkout/subscription/session', { query })).value).toMatchObject({
    status: 409,
    code: 'code_misfit',
  });
});

test('nobody confirms another’s subscription, or a payment for something else', async () => {
  const { transId, url } = await session();
  const intentId = await leaveCard(url);
  const stranger = await customerOf(shop, store);
  expect((await confirmSubscribing(shop, stranger, transId, intentId)).status).toBe(404);
  const begun = await shop.ask('paymentSession', '/payment/session', { query: { ...customer.query, titleId: 'book' } });
  const { transId: other } = begun.value as Session;
  expect((await confirmSubscribing(shop, customer, other, intentId)).status).toBe(404);
});
