import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { runOperation } from '../../../server/admin/operations.ts';
import { createGatewayNames } from '../../../server/payment/gateway-names.ts';
import { createStripeGateway } from '../../../server/payment/stripe/stripe-gateway.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { startCartSession, fillCart } from '../support/carts.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { makeGift, startGiftSession, createGiftStore } from '../support/gifts.ts';
import { createStripeAccess } from '../support/gateways/stripe.ts';
import { startPayment, confirmPayment, countHoldings, readSessionStatus } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { startFakeStripe, STRIPE_WEBHOOK_SECRET, type FakeStripe } from '../support/stripe/fake-stripe.ts';
import {
  startSubscription,
  confirmSubscription,
  insertPlan,
  selectSubscription,
  type Session,
} from '../support/subscriptions.ts';

const ONE_PURCHASE = { purchases: 1, copies: 1, paid: 1 };
const NO_PURCHASE = { purchases: 0, copies: 0, paid: 0 };
const DAY_MS = 24 * 60 * 60_000;
/** Request timeout in milliseconds, for two lost responses; the computer may be busy. */
const TIMEOUT_MS = 8000;
const getTomorrow = () => new Date(Date.now() + 1.1 * DAY_MS);
const selectTransaction = (shop: Shop, id: string) =>
  shop.db.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const postWebhook = (shop: Shop, path: string, payload: string, headers: Record<string, string>) =>
  shop.app.inject({ method: 'POST', url: path, headers: { 'content-type': 'application/json', ...headers }, payload });

describe('a shop with Stripe', () => {
  let fakeStripe: FakeStripe;
  let shop: Shop;
  let store: string;
  let customer: Customer;
  beforeAll(async () => {
    fakeStripe = await startFakeStripe();
    shop = await openShop({
      gateway: (db) =>
        createStripeGateway({ ...createStripeAccess(fakeStripe.at), timeout: TIMEOUT_MS }, createGatewayNames(db, 'stripe test')),
    });
    store = await shop.store();
    await insertPlan(shop, store, { id: 'weekly', period: 'week' });
  });
  beforeEach(async () => {
    customer = await createCustomer(shop, store);
  });
  afterEach(() => {
    fakeStripe.gatewayState.clockOffsetMs = 0;
    vi.restoreAllMocks();
    expect(fakeStripe.unknownRequests).toEqual([]);
  });
  afterAll(async () => {
    await shop.close();
    await fakeStripe.close();
  });

  const sendWebhook = (payload: string, secret = STRIPE_WEBHOOK_SECRET) =>
    postWebhook(shop, '/webhooks/stripe', payload, {
      'stripe-signature': new Stripe('sk_test_1').webhooks.generateTestHeaderString({ payload, secret }),
    });
  const startPaidSession = async () => {
    const session = await startPayment(shop, customer, 'book');
    return { ...session, returnUrl: new URL(fakeStripe.gatewayState.pay(session.url, 'good') ?? '') };
  };
  const toReference = (transId: string) => `${store}/${transId}`;

  test('a title is bought: the page redirects with the intent, and the confirmation charges once', async () => {
    const { transId, provider, returnUrl } = await startPaidSession();
    expect(provider).toBe('stripe');
    const { intent_id: intent } = await selectTransaction(shop, transId);
    expect([returnUrl.pathname, Object.fromEntries(returnUrl.searchParams)]).toEqual([
      '/checkout/complete',
      { transId, intentId: intent },
    ]);
    expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'authorized' });
    expect(fakeStripe.gatewayState.countCharges(toReference(transId))).toBe(0);
    const confirmations = await Promise.all(Array.from({ length: 5 }, () => confirmPayment(shop, customer, transId)));
    expect(confirmations.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(fakeStripe.gatewayState.countCharges(toReference(transId))).toBe(1);
    expect(await countHoldings(shop, customer, 'book')).toEqual(ONE_PURCHASE);
  });

  test('a cart and a gift paid by wallet are charged once', async () => {
    const giver = await createCustomer(shop, await createGiftStore(shop));
    await fillCart(shop, giver, ['book', 'film']);
    const cart = (await startCartSession(shop, giver, { method: 'wallet' })).value as Session;
    const gift = (await startGiftSession(shop, giver, makeGift(), { method: 'wallet' })).value as Session;
    for (const { transId, url } of [cart, gift]) {
      fakeStripe.gatewayState.pay(url, 'good');
      const confirmations = await Promise.all(Array.from({ length: 3 }, () => confirmPayment(shop, giver, transId)));
      expect(confirmations.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(fakeStripe.gatewayState.countCharges(`${giver.store}/${transId}`)).toBe(1);
    }
  });

  test('a title requested in five windows at once has one payment', async () => {
    const sessions = await Promise.all(Array.from({ length: 5 }, () => startPayment(shop, customer, 'book')));
    expect(new Set(sessions.map(({ url }) => url)).size).toBe(1);
    const selectNames = shop.db
      .selectFrom('gateway_names')
      .selectAll()
      .where('name', '=', toReference(sessions[0]?.transId ?? ''));
    expect(await selectNames.execute()).toMatchObject([{ gateway: 'stripe test', kind: 'payment' }]);
  });

  test('a capture whose response is lost is booked by the sweep, and charged once', async () => {
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    const { transId } = await startPaidSession();
    fakeStripe.failNext('POST /v1/payment_intents/:id/capture', 'lost');
    expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ status: 502, code: 'payment_unknown' });
    await sweep(shop.services);
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'paid', finished: true });
    expect(fakeStripe.gatewayState.countCharges(toReference(transId))).toBe(1);
    expect(await countHoldings(shop, customer, 'book')).toEqual(ONE_PURCHASE);
  });

  test('an abandoned payment is released after a day', async () => {
    const { transId } = await startPaidSession();
    await sweep(shop.services, getTomorrow());
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'cancelled', finished: true });
    expect(
      [...fakeStripe.gatewayState.payments.values()].find(({ metadata }) => metadata['reference'] === toReference(transId))
        ?.status,
    ).toBe('canceled');
  });

  test('a card that the customer chose to save is saved, and pays at once', async () => {
    const { transId, url } = await startPayment(shop, customer, 'book');
    fakeStripe.gatewayState.pay(url, 'good', true);
    await confirmPayment(shop, customer, transId);
    const { id: cardId } = await shop.db
      .selectFrom('cards')
      .select('id')
      .where('user_id', '=', customer.id)
      .executeTakeFirstOrThrow();
    const { value } = await shop.call('purchaseTitle', '/purchase/title', {
      query: { ...customer.query, cardId, titleId: 'sound' },
    });
    expect(value).toMatchObject({ status: 'paid', titleId: 'sound' });
    expect(await countHoldings(shop, customer, 'sound')).toEqual(ONE_PURCHASE);
  });

  test('webhooks trigger a status request, also late and repeated ones, and are never trusted by themselves', async () => {
    const { transId } = await startPaidSession();
    const webhook = fakeStripe.event('checkout.session.completed', {
      metadata: { reference: toReference(transId) },
      payment_status: 'paid',
    });
    expect((await sendWebhook(webhook)).statusCode).toBe(200);
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'authorized' });
    await confirmPayment(shop, customer, transId);
    for (let time = 0; time < 2; time += 1) expect((await sendWebhook(webhook)).statusCode).toBe(200);
    expect(await countHoldings(shop, customer, 'book')).toEqual(ONE_PURCHASE);
    // This webhook claims that another payment is paid, which Stripe does not confirm.
    const session = await startPayment(shop, customer, 'sound');
    await sendWebhook(
      fakeStripe.event('payment_intent.succeeded', {
        status: 'succeeded',
        metadata: { reference: toReference(session.transId) },
      }),
    );
    expect(await countHoldings(shop, customer, 'sound')).toEqual(NO_PURCHASE);
    for (const unknownReference of ['', 'x', `${store}/none`, '/', `none/${transId}`])
      expect(
        (await sendWebhook(fakeStripe.event('charge.refunded', { metadata: { reference: unknownReference } }))).statusCode,
        unknownReference,
      ).toBe(200);
  });

  test('a partial refund on Stripe’s dashboard is booked, and a full one revokes the title, once', async () => {
    const { transId } = await startPaidSession();
    await confirmPayment(shop, customer, transId);
    const payment = [...fakeStripe.gatewayState.payments.values()].find(
      ({ metadata }) => metadata['reference'] === toReference(transId),
    );
    if (!payment) throw new Error(`Stripe has no payment with the reference ${toReference(transId)}.`);
    const webhook = fakeStripe.event('charge.refunded', { object: 'charge', metadata: payment.metadata });
    fakeStripe.gatewayState.refund(payment, 90);
    for (let time = 0; time < 2; time += 1) expect((await sendWebhook(webhook)).statusCode).toBe(200);
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'paid', refunded_minor: 90 });
    expect(await countHoldings(shop, customer, 'book')).toEqual(ONE_PURCHASE);
    fakeStripe.gatewayState.refund(payment);
    for (let time = 0; time < 2; time += 1) expect((await sendWebhook(webhook)).statusCode).toBe(200);
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'refunded', refunded_minor: 990 });
    expect(await countHoldings(shop, customer, 'book')).toEqual({ purchases: 1, copies: 0, paid: 0 });
    expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'paid' });
  });

  test('an operator’s refund without a response is completed by the sweep, and made once at Stripe', async () => {
    const { transId } = await startPaidSession();
    await confirmPayment(shop, customer, transId);
    fakeStripe.failNext('POST /v1/refunds', 'lost');
    await runOperation(shop.services, 'purchases refund', { store, order: transId });
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'refunding' });
    await sweep(shop.services);
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'refunded' });
    expect(fakeStripe.gatewayState.sumRefunds(toReference(transId))).toBe(990);
  });

  test('webhooks that are unsigned, too old or too long are refused, and change nothing', async () => {
    const { transId } = await startPaidSession();
    const webhook = fakeStripe.event('payment_intent.amount_capturable_updated', {
      metadata: { reference: toReference(transId) },
    });
    const requestCount = fakeStripe.callNames.length;
    expect((await sendWebhook(webhook, 'whsec_another')).statusCode).toBe(400);
    expect((await postWebhook(shop, '/webhooks/stripe', webhook, {})).statusCode).toBe(400);
    const signature = new Stripe('sk_test_1').webhooks.generateTestHeaderString({
      payload: webhook,
      secret: STRIPE_WEBHOOK_SECRET,
    });
    expect((await postWebhook(shop, '/webhooks/stripe', `${webhook} `, { 'stripe-signature': signature })).statusCode).toBe(400);
    const timestamp = Math.floor(Date.now() / 1000) - 600;
    const oldSignature = new Stripe('sk_test_1').webhooks.generateTestHeaderString({
      payload: webhook,
      secret: STRIPE_WEBHOOK_SECRET,
      timestamp,
    });
    expect((await postWebhook(shop, '/webhooks/stripe', webhook, { 'stripe-signature': oldSignature })).statusCode).toBe(400);
    expect((await sendWebhook('x'.repeat(300_000))).statusCode).toBe(413);
    expect(fakeStripe.callNames).toHaveLength(requestCount);
  });

  test('webhooks that cannot be processed now are answered 503, so that Stripe retries them', async () => {
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    const { transId } = await startPaidSession();
    fakeStripe.failNext('GET /v1/checkout/sessions/:id', 'silent');
    expect(
      (await sendWebhook(fakeStripe.event('payment_intent.created', { metadata: { reference: toReference(transId) } })))
        .statusCode,
    ).toBe(503);
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'pending' });
  });

  test('a subscription starts at its confirmation, is renewed by webhook, and ends after a cancellation', async () => {
    const { transId, url } = (await startSubscription(shop, customer, 'weekly')).value as Session;
    const returnUrl = new URL(fakeStripe.gatewayState.pay(url, 'good') ?? '');
    expect(fakeStripe.gatewayState.subscriptions.size).toBe(0);
    expect(
      (await confirmSubscription(shop, customer, transId, returnUrl.searchParams.get('intentId') ?? '')).value,
    ).toMatchObject({
      status: 'active',
    });
    fakeStripe.gatewayState.clockOffsetMs = 8 * DAY_MS;
    const invoice = { parent: { subscription_details: { metadata: { reference: toReference(transId) } } } };
    for (let time = 0; time < 2; time += 1) await sendWebhook(fakeStripe.event('invoice.paid', invoice));
    expect(await selectSubscription(shop, transId)).toMatchObject({ status: 'active', renewals: 1 });
    const balance = await shop.call('creditBalance', '/credits/balance', { query: customer.query });
    expect(balance.value).toMatchObject({ CreditBalance: 2 });
    await shop.db
      .updateTable('subscriptions')
      .set({ cancelled_at: new Date(Date.now() + 8 * DAY_MS) })
      .where('id', '=', transId)
      .execute();
    await sweep(shop.services, new Date(Date.now() + 8 * DAY_MS));
    expect(await selectSubscription(shop, transId)).toMatchObject({ status: 'active', cancel_told: true });
    fakeStripe.gatewayState.clockOffsetMs = 15 * DAY_MS;
    await sweep(shop.services, new Date(Date.now() + 15 * DAY_MS));
    expect(await selectSubscription(shop, transId)).toMatchObject({ status: 'ended', renewals: 1 });
  });

  test('Razorpay’s signature check is not implemented with Stripe', async () => {
    const query = { ...customer.query, paymentId: 'pay_1', subscriptionId: 'sub_1', sign: 'x' };
    expect((await shop.call('verifyRazorpay', '/razorpay/verify', { query })).status).toBe(501);
  });
});
