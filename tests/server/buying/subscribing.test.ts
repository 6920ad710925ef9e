import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { saveCard } from '../support/cards.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { CARD_NUMBERS, countCharges, submitCardForm, postFields } from '../support/paying.ts';
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

/** Methods of the payment port that tests replace to cause faults. Emptied after each test. */
let portOverrides: Partial<PaymentPort> = {};
const createOverridablePort = (port: PaymentPort): PaymentPort => ({
  ...port,
  create: (request) => (portOverrides.create ?? port.create)(request),
  capture: (intentId) => (portOverrides.capture ?? port.capture)(intentId),
});
const rejectUnknown = () => Promise.reject(new PaymentUnknown(new Error('no response')));

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ payment: createOverridablePort });
  store = await shop.store();
  await insertPlan(shop, store);
  await insertPlan(shop, store, { id: 'tried', trial_days: 14 });
  await insertPlan(shop, store, { id: 'yearly', period: 'year', amount_minor: 9000 });
  await insertPlan(shop, store, { id: 'past', active: false });
});
beforeEach(async () => {
  customer = await createCustomer(shop, store);
});
afterEach(() => {
  portOverrides = {};
  vi.restoreAllMocks();
});
afterAll(() => shop.close());

const startSession = async (planId = 'monthly'): Promise<Session> => {
  const { status, value, text } = await startSubscription(shop, customer, planId);
  if (status !== 200) throw new Error(`No session for the plan ${planId}: HTTP ${status} ${text}`);
  return value as Session;
};
const selectSubscriptions = () => shop.db.selectFrom('subscriptions').selectAll().where('user_id', '=', customer.id).execute();
const selectTransactions = () => shop.db.selectFrom('transactions').selectAll().where('user_id', '=', customer.id).execute();

describe('subscribing on the gateway’s page', () => {
  test('a subscription is charged and started only by its confirmation [S7.checkout/subscription/session] [S7.subscription/confirm]', async () => {
    const { transId, url } = await startSession();
    const page = await (await fetch(url)).text();
    expect(page).toContain('€9.00 every month, until you cancel.');
    const intentId = await submitCard(url);
    expect([await selectSubscriptions(), await countCharges(shop, transId)]).toEqual([[], 0]);
    const { status, value } = await confirmSubscription(shop, customer, transId, intentId);
    expect({ status, value }).toMatchObject({ status: 200, value: { subscriptionId: transId, status: 'active', intentId } });
    expect(await countCharges(shop, transId)).toBe(1);
    const row = await selectSubscription(shop, transId);
    expect(row).toMatchObject({ status: 'active', plan_id: 'monthly', amount_minor: 900, currency: 'EUR', period: 'month' });
    const days = ((row.renews_at?.getTime() ?? 0) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(27.9);
    expect(days).toBeLessThan(31.1);
  });

  test('the gateway’s page returns to the subscription page, with the plan', async () => {
    const { transId, url } = await startSession('yearly');
    const returnUrl = new URL((await submitCardForm(url, CARD_NUMBERS.good)).headers.get('location') ?? '');
    expect(returnUrl.pathname).toBe('/subscription/purchase');
    expect(Object.fromEntries(returnUrl.searchParams)).toMatchObject({ planid: 'yearly', subscriptionid: transId });
  });

  test('a subscription with a trial charges nothing at first, and its payment page shows the later price', async () => {
    const { transId, url } = await startSession('tried');
    const page = await (await fetch(url)).text();
    expect(page).toContain('Free for 14 days, then: €9.00 every month, until you cancel.');
    expect(page).toContain('€0.00');
    await confirmSubscription(shop, customer, transId, await submitCard(url));
    const [transaction] = await selectTransactions();
    expect(transaction).toMatchObject({ status: 'paid', amount_minor: 0 });
    const row = await selectSubscription(shop, transId);
    expect(row.amount_minor).toBe(900);
    expect(((row.renews_at?.getTime() ?? 0) - Date.now()) / 86_400_000).toBeCloseTo(14, 1);
  });

  test('a plan’s trial applies only to customers who never subscribed', async () => {
    await insertSubscription(shop, customer, { status: 'ended' });
    const { transId } = await startSession('tried');
    expect(await selectTransactions()).toMatchObject([{ id: transId, amount_minor: 900 }]);
  });

  test('a declined card starts no subscription', async () => {
    const { transId, url } = await startSession();
    await submitCardForm(url, CARD_NUMBERS.declined);
    expect(await confirmSubscription(shop, customer, transId, 'any')).toMatchObject({ status: 400 });
    const intent_id = (await selectTransactions())[0]?.intent_id ?? '';
    expect(await confirmSubscription(shop, customer, transId, intent_id)).toMatchObject({
      status: 409,
      value: { code: 'not_authorized' },
    });
    expect(await selectSubscriptions()).toEqual([]);
  });

  test('a payment cancelled on the gateway’s page starts no subscription', async () => {
    const { transId, url } = await startSession();
    const [page, query = ''] = url.split('?');
    await postFields(`${page}/cancel?${query}`, {});
    const intent_id = (await selectTransactions())[0]?.intent_id ?? '';
    expect(await confirmSubscription(shop, customer, transId, intent_id)).toMatchObject({
      status: 409,
      value: { code: 'cancelled' },
    });
  });
});

describe('subscribing exactly once', () => {
  test('twenty confirmations of a subscription charge once and start one subscription', async () => {
    const { transId, url } = await startSession();
    const intentId = await submitCard(url);
    const responses = await Promise.all(Array.from({ length: 20 }, () => confirmSubscription(shop, customer, transId, intentId)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect([await countCharges(shop, transId), (await selectSubscriptions()).length]).toEqual([1, 1]);
  });

  test('two windows share one payment of a subscription; choosing another plan replaces it', async () => {
    const sessions = await Promise.all([startSession(), startSession()]);
    expect(new Set(sessions.map(({ transId }) => transId)).size).toBe(1);
    const yearlySession = await startSession('yearly');
    expect(yearlySession.transId).not.toBe(sessions[0].transId);
    const statuses = new Map((await selectTransactions()).map(({ id, status, reason }) => [id, { status, reason }]));
    expect(statuses).toEqual(
      new Map([
        [sessions[0].transId, { status: 'cancelled', reason: 'plan_changed' }],
        [yearlySession.transId, { status: 'pending', reason: null }],
      ]),
    );
  });

  test('a subscriber cannot start or confirm another subscription, and is not charged', async () => {
    const { transId, url } = await startSession();
    const intentId = await submitCard(url);
    await insertSubscription(shop, customer);
    expect(await confirmSubscription(shop, customer, transId, intentId)).toMatchObject({
      status: 409,
      value: { code: 'already_subscribed' },
    });
    expect(await countCharges(shop, transId)).toBe(0);
    expect(await startSubscription(shop, customer)).toMatchObject({ status: 409, value: { code: 'already_subscribed' } });
  });

  test('a customer whose cancelled subscription is over can subscribe again', async () => {
    const endedId = await insertSubscription(shop, customer, {
      cancelled_at: new Date(Date.now() - 2000),
      renews_at: new Date(Date.now() - 1000),
    });
    const newId = await subscribe(shop, customer);
    expect(await selectSubscription(shop, endedId)).toMatchObject({ status: 'ended' });
    expect(await selectSubscription(shop, newId)).toMatchObject({ status: 'active' });
  });

  test('the sweep starts a subscription whose charge got no response', async () => {
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    const { transId, url } = await startSession();
    const intentId = await submitCard(url);
    portOverrides = {
      capture: async (id) => {
        await shop.gateway.port.capture(id);
        return rejectUnknown();
      },
    };
    expect(await confirmSubscription(shop, customer, transId, intentId)).toMatchObject({
      status: 502,
      value: { code: 'payment_unknown' },
    });
    expect(await selectSubscriptions()).toEqual([]);
    portOverrides = {};
    await sweep(shop.services);
    expect(await selectSubscription(shop, transId)).toMatchObject({ status: 'active' });
    expect((await confirmSubscription(shop, customer, transId, intentId)).status).toBe(200);
    expect(await countCharges(shop, transId)).toBe(1);
  });

  test('a subscription whose session got no response of the gateway continues with the same transaction', async () => {
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    portOverrides = { create: rejectUnknown };
    expect(await startSubscription(shop, customer)).toMatchObject({ status: 502, value: { code: 'payment_unavailable' } });
    portOverrides = {};
    expect((await startSubscription(shop, customer)).status).toBe(200);
    expect(await selectTransactions()).toHaveLength(1);
  });
});

describe('subscribing with a saved card', () => {
  const purchase = (cardId: string, planId = 'monthly') =>
    shop.call('purchaseSubscription', '/subscription/purchase', { query: { ...customer.query, planId, cardId } });

  test('a subscription by saved card is authorised first, and charged by its confirmation [S7.subscription/purchase]', async () => {
    const { status, value } = await purchase(await saveCard(shop, customer));
    expect({ status, value }).toMatchObject({ status: 200, value: { status: 'actionRequired', url: null } });
    const { subscriptionId, intentId } = value as { subscriptionId: string; intentId: string };
    expect([await selectSubscriptions(), await countCharges(shop, subscriptionId)]).toEqual([[], 0]);
    expect((await confirmSubscription(shop, customer, subscriptionId, intentId)).value).toMatchObject({ status: 'active' });
    expect(await countCharges(shop, subscriptionId)).toBe(1);
  });

  test('a subscription by saved card leads to the gateway’s page when the bank requires approval', async () => {
    const { value } = await purchase(await saveCard(shop, customer, CARD_NUMBERS.challenge));
    expect(value).toMatchObject({ status: 'actionRequired', url: expect.stringContaining('/pay/') as string });
  });

  test('a subscription by another customer’s card is refused', async () => {
    const cardId = await saveCard(shop, await createCustomer(shop, store));
    expect((await purchase(cardId)).status).toBe(404);
    expect(await selectTransactions()).toEqual([]);
  });
});

test.each([
  ['a discontinued plan', 'past', 404],
  ['an unknown plan', 'none', 404],
])('a subscription to %s is refused', async (_, planId, status) => {
  expect((await startSubscription(shop, customer, planId)).status).toBe(status);
  expect(await selectTransactions()).toEqual([]);
});

test('a subscription is refused in a store without subscriptions, and with an invalid code', async () => {
  const storeWithoutSubscriptions = await shop.store({ properties: { EnableSubscription: false } });
  await insertPlan(shop, storeWithoutSubscriptions);
  expect(await startSubscription(shop, await createCustomer(shop, storeWithoutSubscriptions))).toMatchObject({
    status: 409,
    value: { code: 'not_for_sale' },
  });
  const query = { ...customer.query, planId: 'monthly', code: 'HALF-PRICE' };
  expect((await shop.call('subscriptionSession', '/checkout/subscription/session', { query })).value).toMatchObject({
    status: 409,
    code: 'code_misfit',
  });
});

test('a customer cannot confirm another customer’s subscription, nor the payment of a title as a subscription', async () => {
  const { transId, url } = await startSession();
  const intentId = await submitCard(url);
  const stranger = await createCustomer(shop, store);
  expect((await confirmSubscription(shop, stranger, transId, intentId)).status).toBe(404);
  const sessionResponse = await shop.call('paymentSession', '/payment/session', {
    query: { ...customer.query, titleId: 'book' },
  });
  const { transId: titleTransId } = sessionResponse.value as Session;
  expect((await confirmSubscription(shop, customer, titleTransId, intentId)).status).toBe(404);
});
