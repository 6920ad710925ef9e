import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { operate } from '../../../server/admin/operations.ts';
import { gatewayNames } from '../../../server/payment/gateway-names.ts';
import { stripeGateway } from '../../../server/payment/stripe/stripe-gateway.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { beginCart, fill } from '../support/carts.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { giftFor, giftSession, giftStore } from '../support/gifts.ts';
import { stripeAccess } from '../support/gateways/stripe.ts';
import { begin, confirm, holdings, statusOf } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { standInForStripe, STRIPE_WEBHOOK_SECRET, type StripeStandIn } from '../support/stripe/stand-in.ts';
import { beginSubscribing, confirmSubscribing, planIn, rowOf, type Session } from '../support/subscriptions.ts';

const ONCE = { purchases: 1, copies: 1, paid: 1 };
const NOTHING = { purchases: 0, copies: 0, paid: 0 };
const DAY = 24 * 60 * 60_000;
/** Milliseconds for which the two answers that are lost are waited for; a machine may be busy. */
const PATIENCE = 8000;
const tomorrow = () => new Date(Date.now() + 1.1 * DAY);
const row = (shop: Shop, id: string) =>
  shop.db.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const send = (shop: Shop, path: string, payload: string, headers: Record<string, string>) =>
  shop.app.inject({ method: 'POST', url: path, headers: { 'content-type': 'application/json', ...headers }, payload });

describe('a shop that is paid by Stripe', () => {
  let standIn: StripeStandIn;
  let shop: Shop;
  let store: string;
  let customer: Customer;
  beforeAll(async () => {
    standIn = await standInForStripe();
    shop = await openShop({
      gateway: (db) => stripeGateway({ ...stripeAccess(standIn.at), timeout: PATIENCE }, gatewayNames(db, 'stripe test')),
    });
    store = await shop.store();
    await planIn(shop, store, { id: 'weekly', period: 'week' });
  });
  beforeEach(async () => {
    customer = await customerOf(shop, store);
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
    send(shop, '/webhooks/stripe', payload, {
      'stripe-signature': new Stripe('sk_test_1').webhooks.generateTestHeaderString({ payload, secret }),
    });
  const paid = async () => {
    const session = await begin(shop, customer, 'book');
    return { ...session, home: new URL(standIn.book.pay(session.url, 'good') ?? '') };
  };
  const reference = (transId: string) => `${store}/${transId}`;

  test('a title is bought: the page leads home with the intent, nothing is charged before the confirmation, and that once', async () => {
    const { transId, provider, home } = await paid();
    expect(provider).toBe('stripe');
    const { intent_id: intent } = await row(shop, transId);
    expect([home.pathname, Object.fromEntries(home.searchParams)]).toEqual(['/checkout/complete', { transId, intentId: intent }]);
    expect(await statusOf(shop, customer, transId)).toMatchObject({ status: 'authorized' });
    expect(standIn.book.charges(reference(transId))).toBe(0);
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(shop, customer, transId)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(standIn.book.charges(reference(transId))).toBe(1);
    expect(await holdings(shop, customer, 'book')).toEqual(ONCE);
  });

  test('a cart and a gift that a wallet pays are charged once', async () => {
    const giver = await customerOf(shop, await giftStore(shop));
    await fill(shop, giver, ['book', 'film']);
    const cart = (await beginCart(shop, giver, { method: 'wallet' })).value as Session;
    const gift = (await giftSession(shop, giver, giftFor(), { method: 'wallet' })).value as Session;
    for (const { transId, url } of [cart, gift]) {
      standIn.book.pay(url, 'good');
      const answers = await Promise.all(Array.from({ length: 3 }, () => confirm(shop, giver, transId)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(standIn.book.charges(`${giver.store}/${transId}`)).toBe(1);
    }
  });

  test('pressed in five windows at once it is one payment', async () => {
    const sessions = await Promise.all(Array.from({ length: 5 }, () => begin(shop, customer, 'book')));
    expect(new Set(sessions.map(({ url }) => url)).size).toBe(1);
    const names = shop.db
      .selectFrom('gateway_names')
      .selectAll()
      .where('name', '=', reference(sessions[0]?.transId ?? ''));
    expect(await names.execute()).toMatchObject([{ gateway: 'stripe test', kind: 'payment' }]);
  });

  test('a capture whose answer is lost is booked by the sweep', async () => {
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    const { transId } = await paid();
    standIn.trouble('POST /v1/payment_intents/:id/capture', 'lost');
    expect((await confirm(shop, customer, transId)).value).toMatchObject({ status: 502, code: 'payment_unknown' });
    await sweep(shop.services);
    expect(await row(shop, transId)).toMatchObject({ status: 'paid', finished: true });
    expect(standIn.book.charges(reference(transId))).toBe(1);
    expect(await holdings(shop, customer, 'book')).toEqual(ONCE);
  });

  test('what nobody comes back for is released after a day', async () => {
    const { transId } = await paid();
    await sweep(shop.services, tomorrow());
    expect(await row(shop, transId)).toMatchObject({ status: 'cancelled', finished: true });
    expect([...standIn.book.payments.values()].find(({ metadata }) => metadata['reference'] === reference(transId))?.status).toBe(
      'canceled',
    );
  });

  test('a card that was ticked is kept, and pays at once', async () => {
    const { transId, url } = await begin(shop, customer, 'book');
    standIn.book.pay(url, 'good', true);
    await confirm(shop, customer, transId);
    const { id: cardId } = await shop.db
      .selectFrom('cards')
      .select('id')
      .where('user_id', '=', customer.id)
      .executeTakeFirstOrThrow();
    const { value } = await shop.ask('purchaseTitle', '/purchase/title', {
      query: { ...customer.query, cardId, titleId: 'sound' },
    });
    expect(value).toMatchObject({ status: 'paid', titleId: 'sound' });
    expect(await holdings(shop, customer, 'sound')).toEqual(ONCE);
  });

  test('news make a payment be asked about at once, twice and late as well, and are never believed', async () => {
    const { transId } = await paid();
    const news = standIn.event('checkout.session.completed', {
      metadata: { reference: reference(transId) },
      payment_status: 'paid',
    });
    expect((await tell(news)).statusCode).toBe(200);
    expect(await row(shop, transId)).toMatchObject({ status: 'authorized' });
    await confirm(shop, customer, transId);
    for (let time = 0; time < 2; time += 1) expect((await tell(news)).statusCode).toBe(200);
    expect(await holdings(shop, customer, 'book')).toEqual(ONCE);
    // It says that another one is paid, which Stripe does not.
    const open = await begin(shop, customer, 'sound');
    await tell(
      standIn.event('payment_intent.succeeded', { status: 'succeeded', metadata: { reference: reference(open.transId) } }),
    );
    expect(await holdings(shop, customer, 'sound')).toEqual(NOTHING);
    for (const nobody of ['', 'x', `${store}/none`, '/', `none/${transId}`])
      expect((await tell(standIn.event('charge.refunded', { metadata: { reference: nobody } }))).statusCode, nobody).toBe(200);
  });

  test('money that went back on Stripe’s pages is heard of: a part is booked, all of it takes the title back, once', async () => {
    const { transId } = await paid();
    await confirm(shop, customer, transId);
    const payment = [...standIn.book.payments.values()].find(({ metadata }) => metadata['reference'] === reference(transId));
    if (!payment) throw new Error('Stripe knows of no payment.');
    const news = standIn.event('charge.refunded', { object: 'charge', metadata: payment.metadata });
    standIn.book.refund(payment, 90);
    for (let time = 0; time < 2; time += 1) expect((await tell(news)).statusCode).toBe(200);
    expect(await row(shop, transId)).toMatchObject({ status: 'paid', refunded_minor: 90 });
    expect(await holdings(shop, customer, 'book')).toEqual(ONCE);
    standIn.book.refund(payment);
    for (let time = 0; time < 2; time += 1) expect((await tell(news)).statusCode).toBe(200);
    expect(await row(shop, transId)).toMatchObject({ status: 'refunded', refunded_minor: 990 });
    expect(await holdings(shop, customer, 'book')).toEqual({ purchases: 1, copies: 0, paid: 0 });
    expect(await statusOf(shop, customer, transId)).toMatchObject({ status: 'paid' });
  });

  test('an operator’s refund whose answer is lost is finished by the sweep, and Stripe has given it back once', async () => {
    const { transId } = await paid();
    await confirm(shop, customer, transId);
    standIn.trouble('POST /v1/refunds', 'lost');
    await operate(shop.services, 'purchases refund', { store, order: transId });
    expect(await row(shop, transId)).toMatchObject({ status: 'refunding' });
    await sweep(shop.services);
    expect(await row(shop, transId)).toMatchObject({ status: 'refunded' });
    expect(standIn.book.refunded(reference(transId))).toBe(990);
  });

  test('news without Stripe’s signature, too old, or too long are refused and change nothing', async () => {
    const { transId } = await paid();
    const news = standIn.event('payment_intent.amount_capturable_updated', { metadata: { reference: reference(transId) } });
    const asked = standIn.asked.length;
    expect((await tell(news, 'whsec_another')).statusCode).toBe(400);
    expect((await send(shop, '/webhooks/stripe', news, {})).statusCode).toBe(400);
    const signature = new Stripe('sk_test_1').webhooks.generateTestHeaderString({ payload: news, secret: STRIPE_WEBHOOK_SECRET });
    expect((await send(shop, '/webhooks/stripe', `${news} `, { 'stripe-signature': signature })).statusCode).toBe(400);
    const timestamp = Math.floor(Date.now() / 1000) - 600;
    const old = new Stripe('sk_test_1').webhooks.generateTestHeaderString({
      payload: news,
      secret: STRIPE_WEBHOOK_SECRET,
      timestamp,
    });
    expect((await send(shop, '/webhooks/stripe', news, { 'stripe-signature': old })).statusCode).toBe(400);
    expect((await tell('x'.repeat(300_000))).statusCode).toBe(413);
    expect(standIn.asked).toHaveLength(asked);
  });

  test('news that cannot be followed now are to be sent again', async () => {
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    const { transId } = await paid();
    standIn.trouble('GET /v1/checkout/sessions/:id', 'silent');
    expect(
      (await tell(standIn.event('payment_intent.created', { metadata: { reference: reference(transId) } }))).statusCode,
    ).toBe(503);
    expect(await row(shop, transId)).toMatchObject({ status: 'pending' });
  });

  test('a subscription begins at its confirmation, is renewed by news, and ends when its customer has cancelled', async () => {
    const { transId, url } = (await beginSubscribing(shop, customer, 'weekly')).value as Session;
    const home = new URL(standIn.book.pay(url, 'good') ?? '');
    expect(standIn.book.subscriptions.size).toBe(0);
    expect((await confirmSubscribing(shop, customer, transId, home.searchParams.get('intentId') ?? '')).value).toMatchObject({
      status: 'active',
    });
    standIn.book.ahead = 8 * DAY;
    const invoice = { parent: { subscription_details: { metadata: { reference: reference(transId) } } } };
    for (let time = 0; time < 2; time += 1) await tell(standIn.event('invoice.paid', invoice));
    expect(await rowOf(shop, transId)).toMatchObject({ status: 'active', renewals: 1 });
    const balance = await shop.ask('creditBalance', '/credits/balance', { query: customer.query });
    expect(balance.value).toMatchObject({ CreditBalance: 2 });
    await shop.db
      .updateTable('subscriptions')
      .set({ cancelled_at: new Date(Date.now() + 8 * DAY) })
      .where('id', '=', transId)
      .execute();
    await sweep(shop.services, new Date(Date.now() + 8 * DAY));
    expect(await rowOf(shop, transId)).toMatchObject({ status: 'active', cancel_told: true });
    standIn.book.ahead = 15 * DAY;
    await sweep(shop.services, new Date(Date.now() + 15 * DAY));
    expect(await rowOf(shop, transId)).toMatchObject({ status: 'ended', renewals: 1 });
  });

  test('Razorpay’s signatures are none of its', async () => {
    const query = { ...customer.query, paymentId: 'pay_1', subscriptionId: 'sub_1', sign: 'x' };
    expect((await shop.ask('verifyRazorpay', '/razorpay/verify', { query })).status).toBe(501);
  });
});
