import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { runOperation } from '../../../server/admin/operations.ts';
import { createGatewayNames } from '../../../server/payment/gateway-names.ts';
import { createStripeGateway } from '../../../server/payment/stripe/stripe-gateway.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { startCartSession, fillCart } from '../support/carts.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { makeGift, startGiftSession, createGiftStore } from '../support/gifts.ts';
import { stripeAccess } from '../support/gateways/stripe.ts';
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
/** Milliseconds until one of the two lost responses times out; a machine may be busy. */
const TIMEOUT_MS = 8000;
const tomorrow = () => new Date(Date.now() + 1.1 * DAY_MS);
const selectTransaction = (shop: Shop, id: string) =>
  shop.db.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const postWebhook = (shop: Shop, path: string, payload: string, headers: Record<string, string>) =>
  shop.app.inject({ method: 'POST', url: path, headers: { 'content-type': 'application/json', ...headers }, payload });

describe('a shop with Stripe', () => {
  let standIn: FakeStripe;
  let shop: Shop;
  let store: string;
  let customer: Customer;
  beforeAll(async () => {
    standIn = await startFakeStripe();
    shop = await openShop({
      gateway: (db) =>
        createStripeGateway({ ...stripeAccess(standIn.at), timeout: TIMEOUT_MS }, createGatewayNames(db, 'stripe test')),
    });
    store = await shop.store();
    await insertPlan(shop, store, { id: 'weekly', period: 'week' });
  });
  beforeEach(async () => {
    customer = await createCustomer(shop, store);
  });
  afterEach(() => {
    standIn.book.ahead = 0;
    vi.restoreAllMocks();
    expect(standIn.unknown).toEqual([]);
  });
  afterAll(async () => {
    await shop.close();
    await standIn.close();
  });

  const tell = (payload: string, secret = STRIPE_WEBHOOK_SECRET) =>
    postWebhook(shop, '/webhooks/stripe', payload, {
      'stripe-signature': new Stripe('sk_test_1').webhooks.generateTestHeaderString({ payload, secret }),
    });
  const paid = async () => {
    const session = await startPayment(shop, customer, 'book');
    return { ...session, home: new URL(standIn.book.pay(session.url, 'good') ?? '') };
  };
  const reference = (transId: string) => `${store}/${transId}`;

  test('a title is bought: the page redirects with the intent, and the confirmation charges once', async () => {
    const { transId, provider, home } = await paid();
    expect(provider).toBe('stripe');
    const { intent_id: intent } = await selectTransaction(shop, transId);
    expect([home.pathname, Object.fromEntries(home.searchParams)]).toEqual(['/checkout/complete', { transId, intentId: intent }]);
    expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'authorized' });
    expect(standIn.book.charges(reference(transId))).toBe(0);
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirmPayment(shop, customer, transId)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(standIn.book.charges(reference(transId))).toBe(1);
    expect(await countHoldings(shop, customer, 'book')).toEqual(ONE_PURCHASE);
  });

  test('a cart and a gift paid by wallet are charged once', async () => {
    const giver = await createCustomer(shop, await createGiftStore(shop));
    await fillCart(shop, giver, ['book', 'film']);
    const cart = (await startCartSession(shop, giver, { method: 'wallet' })).value as Session;
    const gift = (await startGiftSession(shop, giver, makeGift(), { method: 'wallet' })).value as Session;
    for (const { transId, url } of [cart, gift]) {
      standIn.book.pay(url, 'good');
      const answers = await Promise.all(Array.from({ length: 3 }, () => confirmPayment(shop, giver, transId)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(standIn.book.charges(`${giver.store}/${transId}`)).toBe(1);
    }
  });

  test('requested in five windows at once it is one payment', async () => {
    const sessions = await Promise.all(Array.from({ length: 5 }, () => startPayment(shop, customer, 'book')));
    expect(new Set(sessions.map(({ url }) => url)).size).toBe(1);
    const names = shop.db
      .selectFrom('gateway_names')
      .selectAll()
      .where('name', '=', reference(sessions[0]?.transId ?? ''));
    expect(await names.execute()).toMatchObject([{ gateway: 'stripe test', kind: 'payment' }]);
  });

  test('a capture without response is booked by the sweep', async () => {
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    const { transId } = await paid();
    standIn.trouble('POST /v1/payment_intents/:id/capture', 'lost');
    expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ status: 502, code: 'payment_unknown' });
    await sweep(shop.services);
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'paid', finished: true });
    expect(standIn.book.charges(reference(transId))).toBe(1);
    expect(await countHoldings(shop, customer, 'book')).toEqual(ONE_PURCHASE);
  });

  test('an abandoned payment is released after a day', async () => {
    const { transId } = await paid();
    await sweep(shop.services, tomorrow());
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'cancelled', finished: true });
    expect([...standIn.book.payments.values()].find(({ metadata }) => metadata['reference'] === reference(transId))?.status).toBe(
      'canceled',
    );
  });

  test('a card that the customer chose to save is saved, and pays at once', async () => {
    const { transId, url } = await startPayment(shop, customer, 'book');
    standIn.book.pay(url, 'good', true);
    await confirmPayment(shop, customer, transId);
    const { id: cardId } = await shop.db
      .selectFrom('cards')
      .select('id')
      .where('user_id', '=', customer.id)
      .executeTakeFirstOrThrow();
    const { value } = await shop.ask('purchaseTitle', '/purchase/title', {
      query: { ...customer.query, cardId, titleId: 'sound' },
    });
    expect(value).toMatchObject({ status: 'paid', titleId: 'sound' });
    expect(await countHoldings(shop, customer, 'sound')).toEqual(ONE_PURCHASE);
  });

  test('webhooks trigger a status request, also late and repeated ones, and are never trusted by themselves', async () => {
    const { transId } = await paid();
    const webhooks = standIn.event('checkout.session.completed', {
      metadata: { reference: reference(transId) },
      payment_status: 'paid',
    });
    expect((await tell(webhooks)).statusCode).toBe(200);
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'authorized' });
    await confirmPayment(shop, customer, transId);
    for (let time = 0; time < 2; time += 1) expect((await tell(webhooks)).statusCode).toBe(200);
    expect(await countHoldings(shop, customer, 'book')).toEqual(ONE_PURCHASE);
    // It claims that another payment is paid, which Stripe does not confirm.
    const open = await startPayment(shop, customer, 'sound');
    await tell(
      standIn.event('payment_intent.succeeded', { status: 'succeeded', metadata: { reference: reference(open.transId) } }),
    );
    expect(await countHoldings(shop, customer, 'sound')).toEqual(NO_PURCHASE);
    for (const nobody of ['', 'x', `${store}/none`, '/', `none/${transId}`])
      expect((await tell(standIn.event('charge.refunded', { metadata: { reference: nobody } }))).statusCode, nobody).toBe(200);
  });

  test('a refund on Stripe’s dashboard is received: a part is booked, all of it revokes the title, once', async () => {
    const { transId } = await paid();
    await confirmPayment(shop, customer, transId);
    const payment = [...standIn.book.payments.values()].find(({ metadata }) => metadata['reference'] === reference(transId));
    if (!payment) throw new Error('Stripe has no payment with this reference.');
    const webhooks = standIn.event('charge.refunded', { object: 'charge', metadata: payment.metadata });
    standIn.book.refund(payment, 90);
    for (let time = 0; time < 2; time += 1) expect((await tell(webhooks)).statusCode).toBe(200);
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'paid', refunded_minor: 90 });
    expect(await countHoldings(shop, customer, 'book')).toEqual(ONE_PURCHASE);
    standIn.book.refund(payment);
    for (let time = 0; time < 2; time += 1) expect((await tell(webhooks)).statusCode).toBe(200);
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'refunded', refunded_minor: 990 });
    expect(await countHoldings(shop, customer, 'book')).toEqual({ purchases: 1, copies: 0, paid: 0 });
    expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'paid' });
  });

  test('an operator’s refund without response is completed by the sweep, and made once at Stripe', async () => {
    const { transId } = await paid();
    await confirmPayment(shop, customer, transId);
    standIn.trouble('POST /v1/refunds', 'lost');
    await runOperation(shop.services, 'purchases refund', { store, order: transId });
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'refunding' });
    await sweep(shop.services);
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'refunded' });
    expect(standIn.book.refunded(reference(transId))).toBe(990);
  });

  test('webhooks that are unsigned, too old or too long are refused and change nothing', async () => {
    const { transId } = await paid();
    const webhooks = standIn.event('payment_intent.amount_capturable_updated', { metadata: { reference: reference(transId) } });
    const asked = standIn.asked.length;
    expect((await tell(webhooks, 'whsec_another')).statusCode).toBe(400);
    expect((await postWebhook(shop, '/webhooks/stripe', webhooks, {})).statusCode).toBe(400);
    const signature = new Stripe('sk_test_1').webhooks.generateTestHeaderString({
      payload: webhooks,
      secret: STRIPE_WEBHOOK_SECRET,
    });
    expect((await postWebhook(shop, '/webhooks/stripe', `${webhooks} `, { 'stripe-signature': signature })).statusCode).toBe(400);
    const timestamp = Math.floor(Date.now() / 1000) - 600;
    const old = new Stripe('sk_test_1').webhooks.generateTestHeaderString({
      payload: webhooks,
      secret: STRIPE_WEBHOOK_SECRET,
      timestamp,
    });
    expect((await postWebhook(shop, '/webhooks/stripe', webhooks, { 'stripe-signature': old })).statusCode).toBe(400);
    expect((await tell('x'.repeat(300_000))).statusCode).toBe(413);
    expect(standIn.asked).toHaveLength(asked);
  });

  test('webhooks that cannot be processed now are answered 503, so that Stripe retries them', async () => {
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    const { transId } = await paid();
    standIn.trouble('GET /v1/checkout/sessions/:id', 'silent');
    expect(
      (await tell(standIn.event('payment_intent.created', { metadata: { reference: reference(transId) } }))).statusCode,
    ).toBe(503);
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'pending' });
  });

  test('a subscription starts at its confirmation, is renewed by webhook, and ends after its customer has cancelled', async () => {
    const { transId, url } = (await startSubscription(shop, customer, 'weekly')).value as Session;
    const home = new URL(standIn.book.pay(url, 'good') ?? '');
    expect(standIn.book.subscriptions.size).toBe(0);
    expect((await confirmSubscription(shop, customer, transId, home.searchParams.get('intentId') ?? '')).value).toMatchObject({
      status: 'active',
    });
    standIn.book.ahead = 8 * DAY_MS;
    const invoice = { parent: { subscription_details: { metadata: { reference: reference(transId) } } } };
    for (let time = 0; time < 2; time += 1) await tell(standIn.event('invoice.paid', invoice));
    expect(await selectSubscription(shop, transId)).toMatchObject({ status: 'active', renewals: 1 });
    const balance = await shop.ask('creditBalance', '/credits/balance', { query: customer.query });
    expect(balance.value).toMatchObject({ CreditBalance: 2 });
    await shop.db
      .updateTable('subscriptions')
      .set({ cancelled_at: new Date(Date.now() + 8 * DAY_MS) })
      .where('id', '=', transId)
      .execute();
    await sweep(shop.services, new Date(Date.now() + 8 * DAY_MS));
    expect(await selectSubscription(shop, transId)).toMatchObject({ status: 'active', cancel_told: true });
    standIn.book.ahead = 15 * DAY_MS;
    await sweep(shop.services, new Date(Date.now() + 15 * DAY_MS));
    expect(await selectSubscription(shop, transId)).toMatchObject({ status: 'ended', renewals: 1 });
  });

  test('Razorpay’s signature check is not implemented with Stripe', async () => {
    const query = { ...customer.query, paymentId: 'pay_1', subscriptionId: 'sub_1', sign: 'x' };
    expect((await shop.ask('verifyRazorpay', '/razorpay/verify', { query })).status).toBe(501);
  });
});
