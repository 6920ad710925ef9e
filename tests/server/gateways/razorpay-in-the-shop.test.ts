import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGatewayNames } from '../../../server/payment/gateway-names.ts';
import { createRazorpayGateway } from '../../../server/payment/razorpay/razorpay-gateway.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { startCartSession, fillCart } from '../support/carts.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { makeGift, startGiftSession, createGiftStore } from '../support/gifts.ts';
import { createRazorpayAccess } from '../support/gateways/razorpay.ts';
import { startPayment, confirmPayment, countHoldings, readSessionStatus } from '../support/paying.ts';
import { RAZORPAY_KEYS, type FakeRazorpay, startFakeRazorpay } from '../support/razorpay/fake-razorpay.ts';
import { openShop, type Shop } from '../support/shop.ts';
import {
  startSubscription,
  confirmSubscription,
  insertPlan,
  selectSubscription,
  type Session,
} from '../support/subscriptions.ts';

const ONE_PURCHASE = { purchases: 1, copies: 1, paid: 1 };
const DAY_MS = 24 * 60 * 60_000;
/** Milliseconds. Long, since no response is lost here and the computer may be busy. */
const TIMEOUT_MS = 30_000;
const getTomorrow = () => new Date(Date.now() + 1.1 * DAY_MS);
const selectTransaction = (shop: Shop, id: string) =>
  shop.db.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const postWebhook = (shop: Shop, path: string, payload: string, headers: Record<string, string>) =>
  shop.app.inject({ method: 'POST', url: path, headers: { 'content-type': 'application/json', ...headers }, payload });

describe('a shop with Razorpay', () => {
  let fakeRazorpay: FakeRazorpay;
  let shop: Shop;
  let store: string;
  let customer: Customer;
  beforeAll(async () => {
    fakeRazorpay = await startFakeRazorpay();
    shop = await openShop({
      gateway: (db) =>
        createRazorpayGateway(
          { ...createRazorpayAccess(fakeRazorpay.origin), timeout: TIMEOUT_MS },
          createGatewayNames(db, 'razorpay test'),
        ),
    });
    store = await shop.store();
    await insertPlan(shop, store, { id: 'weekly', period: 'week' });
  });
  beforeEach(async () => {
    customer = await createCustomer(shop, store);
  });
  afterEach(() => {
    fakeRazorpay.gatewayState.clockOffsetMs = 0;
    vi.restoreAllMocks();
    expect(fakeRazorpay.unknownRequests).toEqual([]);
  });
  afterAll(async () => {
    await shop.close();
    await fakeRazorpay.close();
  });

  const toPath = (url: string): string => new URL(url).pathname + new URL(url).search;
  const openPage = (url: string) => shop.app.inject({ method: 'GET', url: toPath(url) });
  const parseFields = (html: string): Record<string, string> =>
    Object.fromEntries([...html.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]));
  /**
   * Pays as the browser does: our page's form, Razorpay's page, and the form that returns.
   * @returns the shop's URL after the payment
   */
  const pay = async (url: string, forge = (signature: string) => signature): Promise<URL> => {
    const fields = parseFields((await openPage(url)).body);
    const signedPayment = fakeRazorpay.gatewayState.pay(fields['order_id'] ?? fields['subscription_id'] ?? '', 'good');
    if (!signedPayment) throw new Error(`Razorpay declined the good card at ${url}.`);
    const payload = new URLSearchParams({
      ...signedPayment,
      razorpay_signature: forge(signedPayment.razorpay_signature),
    }).toString();
    // Razorpay's page sends no referrer; browsers without Fetch Metadata send an opaque origin.
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'null' };
    const response = await shop.app.inject({ method: 'POST', url: toPath(fields['callback_url'] ?? ''), headers, payload });
    expect(response.statusCode).toBe(303);
    return new URL(String(response.headers.location));
  };
  const sendWebhook = (event: object, secret = RAZORPAY_KEYS.webhookSecret) => {
    const payload = JSON.stringify(event);
    const signature = createHmac('sha256', secret).update(payload).digest('hex');
    return postWebhook(shop, '/webhooks/razorpay', payload, { 'x-razorpay-signature': signature });
  };

  test('a title is bought: our page sends its form to Razorpay’s page, which redirects to the shop', async () => {
    const { transId, provider, url } = await startPayment(shop, customer, 'book');
    expect(provider).toBe('razorpay');
    const page = await openPage(url);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.body).toContain('<form method="post" action="https://api.razorpay.com/v1/checkout/embedded">');
    expect(page.body).toContain('The Salt &lt;Road&gt;');
    expect(parseFields(page.body)).toMatchObject({ key_id: RAZORPAY_KEYS.keyId, amount: '990', currency: 'EUR' });
    const returnUrl = await pay(url);
    const { intent_id: intent } = await selectTransaction(shop, transId);
    expect([returnUrl.pathname, Object.fromEntries(returnUrl.searchParams)]).toEqual([
      '/checkout/complete',
      { transId, intentId: intent },
    ]);
    expect(fakeRazorpay.gatewayState.countCharges(`${store}/${transId}`)).toBe(0);
    expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
    expect(fakeRazorpay.gatewayState.countCharges(`${store}/${transId}`)).toBe(1);
    expect(await countHoldings(shop, customer, 'book')).toEqual(ONE_PURCHASE);
    // The page of a paid order redirects to the shop by itself.
    expect((await openPage(url)).headers.location).toContain('intentId=');
  });

  test.each(['upi', 'wallet', 'netbanking'])(
    '%s is preselected on the pages of a cart and of a gift, and each is charged once',
    async (method) => {
      const giver = await createCustomer(shop, await createGiftStore(shop));
      await fillCart(shop, giver, ['book', 'film']);
      const cart = (await startCartSession(shop, giver, { method })).value as Session;
      const gift = (await startGiftSession(shop, giver, makeGift(), { method })).value as Session;
      for (const { transId, url } of [cart, gift]) {
        expect(parseFields((await openPage(url)).body)).toMatchObject({ 'prefill[method]': method });
        await pay(url);
        const confirmations = await Promise.all(Array.from({ length: 3 }, () => confirmPayment(shop, giver, transId)));
        expect(confirmations.map(({ status }) => status)).toEqual([200, 200, 200]);
        expect(fakeRazorpay.gatewayState.countCharges(`${giver.store}/${transId}`)).toBe(1);
      }
    },
  );

  test('a refund on Razorpay’s dashboard arrives by webhook, and revokes the title', async () => {
    const { transId, url } = await startPayment(shop, customer, 'book');
    await pay(url);
    await confirmPayment(shop, customer, transId);
    const { intent_id: orderId } = await selectTransaction(shop, transId);
    const payment = [...fakeRazorpay.gatewayState.payments.values()].find(({ order_id: id }) => id === orderId);
    if (!payment) throw new Error(`Razorpay has no payment for the order ${orderId}.`);
    const refund = { entity: { id: 'rfnd_1', payment_id: payment.id } };
    fakeRazorpay.gatewayState.refund(payment, 90);
    await sendWebhook({ event: 'refund.processed', payload: { refund, payment: { entity: { ...payment } } } });
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'paid', refunded_minor: 90 });
    fakeRazorpay.gatewayState.refund(payment);
    for (let time = 0; time < 2; time += 1)
      await sendWebhook({ event: 'refund.processed', payload: { refund, payment: { entity: { ...payment } } } });
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'refunded', refunded_minor: 990 });
    expect(await countHoldings(shop, customer, 'book')).toEqual({ purchases: 1, copies: 0, paid: 0 });
  });

  test('a title requested in five windows at once has one payment with one page', async () => {
    const sessions = await Promise.all(Array.from({ length: 5 }, () => startPayment(shop, customer, 'book')));
    expect(new Set(sessions.map(({ url }) => url)).size).toBe(1);
    await pay(sessions[0]?.url ?? '');
    expect((await confirmPayment(shop, customer, sessions[0]?.transId ?? '')).status).toBe(200);
  });

  test('a return with an invalid signature or without one neither pays nor confirms anything', async () => {
    const { transId, url } = await startPayment(shop, customer, 'book');
    const fields = parseFields((await openPage(url)).body);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const forgedForm = { razorpay_payment_id: 'pay_1', razorpay_signature: 'x' };
    for (const form of [forgedForm, {}]) {
      const payload = new URLSearchParams(form).toString();
      const response = await shop.app.inject({ method: 'POST', url: toPath(fields['callback_url'] ?? ''), headers, payload });
      expect(response.headers.location).toContain('cancelled=1');
    }
    const cancellation = await openPage(fields['cancel_url'] ?? '');
    expect(cancellation.headers.location).toContain('cancelled=1');
    expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'pending' });
    const unknownPage = await shop.app.inject({
      method: 'GET',
      url: '/payments/razorpay/order_none',
      headers: { 'accept-language': 'fr' },
    });
    expect([unknownPage.statusCode, unknownPage.body]).toEqual([404, 'Nous n’avons pas trouvé ce paiement.']);
    expect((await shop.app.inject({ method: 'GET', url: '/payments/razorpay/..%2fx' })).statusCode).toBe(400);
  });

  test('an abandoned payment is marked, not captured, and its page is closed', async () => {
    const { transId, url } = await startPayment(shop, customer, 'book');
    await pay(url);
    await sweep(shop.services, getTomorrow());
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'cancelled', finished: true });
    expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ status: 409, code: 'cancelled' });
    expect((await openPage(url)).statusCode).toBe(303);
    expect(fakeRazorpay.gatewayState.countCharges(`${store}/${transId}`)).toBe(0);
  });

  test('a webhook about an order or a payment triggers a status request; an unsigned or malformed one is refused', async () => {
    const { transId, url } = await startPayment(shop, customer, 'book');
    const returnUrl = await pay(url);
    const orderId = returnUrl.searchParams.get('intentId') ?? '';
    const webhook = { event: 'payment.authorized', payload: { payment: { entity: { order_id: orderId, status: 'captured' } } } };
    expect((await sendWebhook(webhook, 'another secret')).statusCode).toBe(400);
    expect((await postWebhook(shop, '/webhooks/razorpay', '{', { 'x-razorpay-signature': '' })).statusCode).toBe(400);
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'pending' });
    for (let time = 0; time < 2; time += 1) expect((await sendWebhook(webhook)).statusCode).toBe(200);
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'authorized' });
    expect(
      (await sendWebhook({ event: 'payment.failed', payload: { payment: { entity: { order_id: 'order_none' } } } })).statusCode,
    ).toBe(200);
    expect((await sendWebhook({ event: 'x' })).statusCode).toBe(200);
  });

  test('a subscription is approved and charged on the page, and its signature is checked [S7.razorpay/verify]', async () => {
    const { transId, url } = (await startSubscription(shop, customer, 'weekly')).value as Session;
    const id = url.split('/').at(-1) ?? '';
    const fields = parseFields((await openPage(url)).body);
    expect(fields).toMatchObject({ subscription_id: id });
    const signedPayment = fakeRazorpay.gatewayState.pay(id, 'good');
    const verify = (overrides: object, caller = customer) =>
      shop.call('verifyRazorpay', '/razorpay/verify', {
        query: {
          ...caller.query,
          paymentId: signedPayment?.razorpay_payment_id ?? '',
          subscriptionId: id,
          sign: signedPayment?.razorpay_signature ?? '',
          ...overrides,
        },
      });
    expect((await verify({ sign: 'forged' })).value).toEqual({ verified: false });
    expect((await verify({ paymentId: 'pay_another' })).value).toEqual({ verified: false });
    expect((await verify({}, await createCustomer(shop, store))).status).toBe(404);
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'pending' });
    expect((await verify({})).value).toEqual({ verified: true });
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'paid' });
    expect((await confirmSubscription(shop, customer, transId, id)).value).toMatchObject({ status: 'active' });
    fakeRazorpay.gatewayState.clockOffsetMs = 8 * DAY_MS;
    const webhook = {
      event: 'subscription.charged',
      payload: { subscription: { entity: { notes: { reference: `${store}/${transId}` } } } },
    };
    for (let time = 0; time < 2; time += 1) await sendWebhook(webhook);
    expect(await selectSubscription(shop, transId)).toMatchObject({ status: 'active', renewals: 1 });
    const portal = await shop.call('customerPortal', '/customer/portal/session', { query: customer.query });
    const form = parseFields((await openPage((portal.value as { url: string }).url)).body);
    expect(form).toMatchObject({ subscription_id: id, subscription_card_change: '1' });
  });

  test('a charge after the customer’s cancellation is refunded', async () => {
    const { transId, url } = (await startSubscription(shop, customer, 'weekly')).value as Session;
    const returnUrl = await pay(url);
    await confirmSubscription(shop, customer, transId, returnUrl.searchParams.get('intentId') ?? '');
    await shop.call('cancelSubscription', '/user/subscription/cancel', { query: customer.query });
    fakeRazorpay.gatewayState.clockOffsetMs = 8 * DAY_MS;
    await sweep(shop.services, new Date(Date.now() + 8 * DAY_MS));
    expect(await selectSubscription(shop, transId)).toMatchObject({ status: 'ended', renewals: 0 });
    expect(fakeRazorpay.gatewayState.refunds).toHaveLength(1);
  });

  test('cards cannot be saved: the call is not implemented', async () => {
    expect((await shop.call('cardSession', '/card/session', { query: customer.query, method: 'POST' })).status).toBe(501);
  });
});
