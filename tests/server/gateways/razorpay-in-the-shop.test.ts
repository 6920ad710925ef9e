import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGatewayNames } from '../../../server/payment/gateway-names.ts';
import { createRazorpayGateway } from '../../../server/payment/razorpay/razorpay-gateway.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { startCartSession, fillCart } from '../support/carts.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { makeGift, startGiftSession, createGiftStore } from '../support/gifts.ts';
import { razorpayAccess } from '../support/gateways/razorpay.ts';
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
/** Milliseconds: nothing is lost here, and a machine may be busy. */
const TIMEOUT_MS = 30_000;
const tomorrow = () => new Date(Date.now() + 1.1 * DAY_MS);
const selectTransaction = (shop: Shop, id: string) =>
  shop.db.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const postWebhook = (shop: Shop, path: string, payload: string, headers: Record<string, string>) =>
  shop.app.inject({ method: 'POST', url: path, headers: { 'content-type': 'application/json', ...headers }, payload });

describe('a shop with Razorpay', () => {
  let standIn: FakeRazorpay;
  let shop: Shop;
  let store: string;
  let customer: Customer;
  beforeAll(async () => {
    standIn = await startFakeRazorpay();
    shop = await openShop({
      gateway: (db) =>
        createRazorpayGateway(
          { ...razorpayAccess(standIn.origin), timeout: TIMEOUT_MS },
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
    standIn.book.ahead = 0;
    vi.restoreAllMocks();
    expect(standIn.unknown).toEqual([]);
  });
  afterAll(async () => {
    await shop.close();
    await standIn.close();
  });

  const pathOf = (url: string): string => new URL(url).pathname + new URL(url).search;
  const open = (url: string) => shop.app.inject({ method: 'GET', url: pathOf(url) });
  const fieldsIn = (html: string): Record<string, string> =>
    Object.fromEntries([...html.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]));
  /** Pays as the browser does: our page's form, Razorpay's page, and the form that returns. */
  const pay = async (url: string, forge = (signature: string) => signature): Promise<URL> => {
    const fields = fieldsIn((await open(url)).body);
    const signed = standIn.book.pay(fields['order_id'] ?? fields['subscription_id'] ?? '', 'good');
    if (!signed) throw new Error('Razorpay declined the card.');
    const payload = new URLSearchParams({ ...signed, razorpay_signature: forge(signed.razorpay_signature) }).toString();
    // Razorpay's page sends no referrer; browsers without Fetch Metadata send an opaque origin.
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'null' };
    const back = await shop.app.inject({ method: 'POST', url: pathOf(fields['callback_url'] ?? ''), headers, payload });
    expect(back.statusCode).toBe(303);
    return new URL(String(back.headers.location));
  };
  const tell = (event: object, secret = RAZORPAY_KEYS.webhookSecret) => {
    const payload = JSON.stringify(event);
    const signature = createHmac('sha256', secret).update(payload).digest('hex');
    return postWebhook(shop, '/webhooks/razorpay', payload, { 'x-razorpay-signature': signature });
  };

  test('a title is bought: our page sends the form to Razorpay’s, which redirects to the shop', async () => {
    const { transId, provider, url } = await startPayment(shop, customer, 'book');
    expect(provider).toBe('razorpay');
    const page = await open(url);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.body).toContain('<form method="post" action="https://api.razorpay.com/v1/checkout/embedded">');
    expect(page.body).toContain('The Salt &lt;Road&gt;');
    expect(fieldsIn(page.body)).toMatchObject({ key_id: RAZORPAY_KEYS.keyId, amount: '990', currency: 'EUR' });
    const home = await pay(url);
    const { intent_id: intent } = await selectTransaction(shop, transId);
    expect([home.pathname, Object.fromEntries(home.searchParams)]).toEqual(['/checkout/complete', { transId, intentId: intent }]);
    expect(standIn.book.charges(`${store}/${transId}`)).toBe(0);
    expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
    expect(standIn.book.charges(`${store}/${transId}`)).toBe(1);
    expect(await countHoldings(shop, customer, 'book')).toEqual(ONE_PURCHASE);
    // The page of a paid order redirects to the shop by itself.
    expect((await open(url)).headers.location).toContain('intentId=');
  });

  test.each(['upi', 'wallet', 'netbanking'])(
    '%s is preselected on the page of a cart, and of a gift; each is charged once',
    async (method) => {
      const giver = await createCustomer(shop, await createGiftStore(shop));
      await fillCart(shop, giver, ['book', 'film']);
      const cart = (await startCartSession(shop, giver, { method })).value as Session;
      const gift = (await startGiftSession(shop, giver, makeGift(), { method })).value as Session;
      for (const { transId, url } of [cart, gift]) {
        expect(fieldsIn((await open(url)).body)).toMatchObject({ 'prefill[method]': method });
        await pay(url);
        const answers = await Promise.all(Array.from({ length: 3 }, () => confirmPayment(shop, giver, transId)));
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
        expect(standIn.book.charges(`${giver.store}/${transId}`)).toBe(1);
      }
    },
  );

  test('a refund on Razorpay’s dashboard arrives by webhook, and revokes the title', async () => {
    const { transId, url } = await startPayment(shop, customer, 'book');
    await pay(url);
    await confirmPayment(shop, customer, transId);
    const { intent_id: orderId } = await selectTransaction(shop, transId);
    const payment = [...standIn.book.payments.values()].find(({ order_id: id }) => id === orderId);
    if (!payment) throw new Error('Razorpay has no payment for the order.');
    const refund = { entity: { id: 'rfnd_1', payment_id: payment.id } };
    standIn.book.refund(payment, 90);
    await tell({ event: 'refund.processed', payload: { refund, payment: { entity: { ...payment } } } });
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'paid', refunded_minor: 90 });
    standIn.book.refund(payment);
    for (let time = 0; time < 2; time += 1)
      await tell({ event: 'refund.processed', payload: { refund, payment: { entity: { ...payment } } } });
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'refunded', refunded_minor: 990 });
    expect(await countHoldings(shop, customer, 'book')).toEqual({ purchases: 1, copies: 0, paid: 0 });
  });

  test('requested in five windows at once it is one payment with one page', async () => {
    const sessions = await Promise.all(Array.from({ length: 5 }, () => startPayment(shop, customer, 'book')));
    expect(new Set(sessions.map(({ url }) => url)).size).toBe(1);
    await pay(sessions[0]?.url ?? '');
    expect((await confirmPayment(shop, customer, sessions[0]?.transId ?? '')).status).toBe(200);
  });

  test('an invalid signature, and a return without one, neither pay nor confirm anything', async () => {
    const { transId, url } = await startPayment(shop, customer, 'book');
    const fields = fieldsIn((await open(url)).body);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const forged = { razorpay_payment_id: 'pay_1', razorpay_signature: 'x' };
    for (const form of [forged, {}]) {
      const payload = new URLSearchParams(form).toString();
      const back = await shop.app.inject({ method: 'POST', url: pathOf(fields['callback_url'] ?? ''), headers, payload });
      expect(back.headers.location).toContain('cancelled=1');
    }
    const left = await open(fields['cancel_url'] ?? '');
    expect(left.headers.location).toContain('cancelled=1');
    expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'pending' });
    const none = await shop.app.inject({
      method: 'GET',
      url: '/payments/razorpay/order_none',
      headers: { 'accept-language': 'fr' },
    });
    expect([none.statusCode, none.body]).toEqual([404, 'Nous n’avons pas trouvé ce paiement.']);
    expect((await shop.app.inject({ method: 'GET', url: '/payments/razorpay/..%2fx' })).statusCode).toBe(400);
  });

  test('an abandoned payment is marked, not captured, and its page is closed', async () => {
    const { transId, url } = await startPayment(shop, customer, 'book');
    await pay(url);
    await sweep(shop.services, tomorrow());
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'cancelled', finished: true });
    expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ status: 409, code: 'cancelled' });
    expect((await open(url)).statusCode).toBe(303);
    expect(standIn.book.charges(`${store}/${transId}`)).toBe(0);
  });

  test('webhooks by order and by payment trigger a status request; unsigned or malformed ones are refused', async () => {
    const { transId, url } = await startPayment(shop, customer, 'book');
    const home = await pay(url);
    const order = home.searchParams.get('intentId') ?? '';
    const webhooks = { event: 'payment.authorized', payload: { payment: { entity: { order_id: order, status: 'captured' } } } };
    expect((await tell(webhooks, 'another secret')).statusCode).toBe(400);
    expect((await postWebhook(shop, '/webhooks/razorpay', '{', { 'x-razorpay-signature': '' })).statusCode).toBe(400);
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'pending' });
    for (let time = 0; time < 2; time += 1) expect((await tell(webhooks)).statusCode).toBe(200);
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'authorized' });
    expect(
      (await tell({ event: 'payment.failed', payload: { payment: { entity: { order_id: 'order_none' } } } })).statusCode,
    ).toBe(200);
    expect((await tell({ event: 'x' })).statusCode).toBe(200);
  });

  test('a subscription is approved and charged on the page, and its signature is checked [S7.razorpay/verify]', async () => {
    const { transId, url } = (await startSubscription(shop, customer, 'weekly')).value as Session;
    const id = url.split('/').at(-1) ?? '';
    const fields = fieldsIn((await open(url)).body);
    expect(fields).toMatchObject({ subscription_id: id });
    const signed = standIn.book.pay(id, 'good');
    const verify = (more: object, who = customer) =>
      shop.ask('verifyRazorpay', '/razorpay/verify', {
        query: {
          ...who.query,
          paymentId: signed?.razorpay_payment_id ?? '',
          subscriptionId: id,
          sign: signed?.razorpay_signature ?? '',
          ...more,
        },
      });
    expect((await verify({ sign: 'forged' })).value).toEqual({ verified: false });
    expect((await verify({ paymentId: 'pay_another' })).value).toEqual({ verified: false });
    expect((await verify({}, await createCustomer(shop, store))).status).toBe(404);
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'pending' });
    expect((await verify({})).value).toEqual({ verified: true });
    expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'paid' });
    expect((await confirmSubscription(shop, customer, transId, id)).value).toMatchObject({ status: 'active' });
    standIn.book.ahead = 8 * DAY_MS;
    const webhooks = {
      event: 'subscription.charged',
      payload: { subscription: { entity: { notes: { reference: `${store}/${transId}` } } } },
    };
    for (let time = 0; time < 2; time += 1) await tell(webhooks);
    expect(await selectSubscription(shop, transId)).toMatchObject({ status: 'active', renewals: 1 });
    const portal = await shop.ask('customerPortal', '/customer/portal/session', { query: customer.query });
    const form = fieldsIn((await open((portal.value as { url: string }).url)).body);
    expect(form).toMatchObject({ subscription_id: id, subscription_card_change: '1' });
  });

  test('a charge after the customer’s cancellation is refunded', async () => {
    const { transId, url } = (await startSubscription(shop, customer, 'weekly')).value as Session;
    const home = await pay(url);
    await confirmSubscription(shop, customer, transId, home.searchParams.get('intentId') ?? '');
    await shop.ask('cancelSubscription', '/user/subscription/cancel', { query: customer.query });
    standIn.book.ahead = 8 * DAY_MS;
    await sweep(shop.services, new Date(Date.now() + 8 * DAY_MS));
    expect(await selectSubscription(shop, transId)).toMatchObject({ status: 'ended', renewals: 0 });
    expect(standIn.book.refunds).toHaveLength(1);
  });

  test('cards cannot be saved: the call is not implemented', async () => {
    expect((await shop.ask('cardSession', '/card/session', { query: customer.query, method: 'POST' })).status).toBe(501);
  });
});
