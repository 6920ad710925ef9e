import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { gatewayNames } from '../../../server/payment/gateway-names.ts';
import { razorpayGateway } from '../../../server/payment/razorpay/razorpay-gateway.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { beginCart, fill } from '../support/carts.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { giftFor, giftSession, giftStore } from '../support/gifts.ts';
import { razorpayAccess } from '../support/gateways/razorpay.ts';
import { begin, confirm, holdings, statusOf } from '../support/paying.ts';
import { RAZORPAY_KEYS, type RazorpayStandIn, standInForRazorpay } from '../support/razorpay/stand-in.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { beginSubscribing, confirmSubscribing, planIn, rowOf, type Session } from '../support/subscriptions.ts';

const ONCE = { purchases: 1, copies: 1, paid: 1 };
const DAY = 24 * 60 * 60_000;
/** Milliseconds: nothing is lost here, and a machine may be busy. */
const PATIENCE = 30_000;
const tomorrow = () => new Date(Date.now() + 1.1 * DAY);
const row = (shop: Shop, id: string) =>
  shop.db.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const send = (shop: Shop, path: string, payload: string, headers: Record<string, string>) =>
  shop.app.inject({ method: 'POST', url: path, headers: { 'content-type': 'application/json', ...headers }, payload });

describe('a shop that is paid by Razorpay', () => {
  let standIn: RazorpayStandIn;
  let shop: Shop;
  let store: string;
  let customer: Customer;
  beforeAll(async () => {
    standIn = await standInForRazorpay();
    shop = await openShop({
      gateway: (db) =>
        razorpayGateway({ ...razorpayAccess(standIn.origin), timeout: PATIENCE }, gatewayNames(db, 'razorpay test')),
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

  const pathOf = (url: string): string => new URL(url).pathname + new URL(url).search;
  const open = (url: string) => shop.app.inject({ method: 'GET', url: pathOf(url) });
  const fieldsIn = (html: string): Record<string, string> =>
    Object.fromEntries([...html.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]));
  /** Pays as the browser does: the form of our page, Razorpay's page, and the form that leads back. */
  const pay = async (url: string, forge = (signature: string) => signature): Promise<URL> => {
    const fields = fieldsIn((await open(url)).body);
    const signed = standIn.book.pay(fields['order_id'] ?? fields['subscription_id'] ?? '', 'good');
    if (!signed) throw new Error('Declined.');
    const payload = new URLSearchParams({ ...signed, razorpay_signature: forge(signed.razorpay_signature) }).toString();
    // Razorpay's page has no referrer; browsers without Fetch Metadata say no more of it.
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'null' };
    const back = await shop.app.inject({ method: 'POST', url: pathOf(fields['callback_url'] ?? ''), headers, payload });
    expect(back.statusCode).toBe(303);
    return new URL(String(back.headers.location));
  };
  const tell = (event: object, secret = RAZORPAY_KEYS.webhookSecret) => {
    const payload = JSON.stringify(event);
    const signature = createHmac('sha256', secret).update(payload).digest('hex');
    return send(shop, '/webhooks/razorpay', payload, { 'x-razorpay-signature': signature });
  };

  test('a title is bought: our page sends the form to Razorpay’s, which leads home', async () => {
    const { transId, provider, url } = await begin(shop, customer, 'book');
    expect(provider).toBe('razorpay');
    const page = await open(url);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.body).toContain('<form method="post" action="https://api.razorpay.com/v1/checkout/embedded">');
    expect(page.body).toContain('The Salt &lt;Road&gt;');
    expect(fieldsIn(page.body)).toMatchObject({ key_id: RAZORPAY_KEYS.keyId, amount: '990', currency: 'EUR' });
    const home = await pay(url);
    const { intent_id: intent } = await row(shop, transId);
    expect([home.pathname, Object.fromEntries(home.searchParams)]).toEqual(['/checkout/complete', { transId, intentId: intent }]);
    expect(standIn.book.charges(`${store}/${transId}`)).toBe(0);
    expect((await confirm(shop, customer, transId)).status).toBe(200);
    expect(standIn.book.charges(`${store}/${transId}`)).toBe(1);
    expect(await holdings(shop, customer, 'book')).toEqual(ONCE);
    // The page of what is paid leads home by itself.
    expect((await open(url)).headers.location).toContain('intentId=');
  });

  test.each(['upi', 'wallet', 'netbanking'])(
    '%s is what the page of a cart, and of a gift, begins with; each is charged once',
    async (method) => {
      const giver = await customerOf(shop, await giftStore(shop));
      await fill(shop, giver, ['book', 'film']);
      const cart = (await beginCart(shop, giver, { method })).value as Session;
      const gift = (await giftSession(shop, giver, giftFor(), { method })).value as Session;
      for (const { transId, url } of [cart, gift]) {
        expect(fieldsIn((await open(url)).body)).toMatchObject({ 'prefill[method]': method });
        await pay(url);
        const answers = await Promise.all(Array.from({ length: 3 }, () => confirm(shop, giver, transId)));
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
        expect(standIn.book.charges(`${giver.store}/${transId}`)).toBe(1);
      }
    },
  );

  test('money that went back on Razorpay’s pages is heard of by its payment, and takes the title back', async () => {
    const { transId, url } = await begin(shop, customer, 'book');
    await pay(url);
    await confirm(shop, customer, transId);
    const { intent_id: orderId } = await row(shop, transId);
    const payment = [...standIn.book.payments.values()].find(({ order_id: id }) => id === orderId);
    if (!payment) throw new Error('Razorpay knows of no payment.');
    const refund = { entity: { id: 'rfnd_1', payment_id: payment.id } };
    standIn.book.refund(payment, 90);
    await tell({ event: 'refund.processed', payload: { refund, payment: { entity: { ...payment } } } });
    expect(await row(shop, transId)).toMatchObject({ status: 'paid', refunded_minor: 90 });
    standIn.book.refund(payment);
    for (let time = 0; time < 2; time += 1)
      await tell({ event: 'refund.processed', payload: { refund, payment: { entity: { ...payment } } } });
    expect(await row(shop, transId)).toMatchObject({ status: 'refunded', refunded_minor: 990 });
    expect(await holdings(shop, customer, 'book')).toEqual({ purchases: 1, copies: 0, paid: 0 });
  });

  test('pressed in five windows at once it is one payment, of several orders of which one has a page', async () => {
    const sessions = await Promise.all(Array.from({ length: 5 }, () => begin(shop, customer, 'book')));
    expect(new Set(sessions.map(({ url }) => url)).size).toBe(1);
    await pay(sessions[0]?.url ?? '');
    expect((await confirm(shop, customer, sessions[0]?.transId ?? '')).status).toBe(200);
  });

  test('a signature that does not hold, and a way back without one, pay nothing and prove nothing', async () => {
    const { transId, url } = await begin(shop, customer, 'book');
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
    expect(await statusOf(shop, customer, transId)).toMatchObject({ status: 'pending' });
    expect((await shop.app.inject({ method: 'GET', url: '/payments/razorpay/order_none' })).statusCode).toBe(404);
    expect((await shop.app.inject({ method: 'GET', url: '/payments/razorpay/..%2fx' })).statusCode).toBe(400);
  });

  test('what nobody comes back for is marked, is not captured, and its page is closed', async () => {
    const { transId, url } = await begin(shop, customer, 'book');
    await pay(url);
    await sweep(shop.services, tomorrow());
    expect(await row(shop, transId)).toMatchObject({ status: 'cancelled', finished: true });
    expect((await confirm(shop, customer, transId)).value).toMatchObject({ status: 409, code: 'cancelled' });
    expect((await open(url)).statusCode).toBe(303);
    expect(standIn.book.charges(`${store}/${transId}`)).toBe(0);
  });

  test('news by order and by payment make it be asked about; others are refused', async () => {
    const { transId, url } = await begin(shop, customer, 'book');
    const home = await pay(url);
    const order = home.searchParams.get('intentId') ?? '';
    const news = { event: 'payment.authorized', payload: { payment: { entity: { order_id: order, status: 'captured' } } } };
    expect((await tell(news, 'another secret')).statusCode).toBe(400);
    expect((await send(shop, '/webhooks/razorpay', '{', { 'x-razorpay-signature': '' })).statusCode).toBe(400);
    expect(await row(shop, transId)).toMatchObject({ status: 'pending' });
    for (let time = 0; time < 2; time += 1) expect((await tell(news)).statusCode).toBe(200);
    expect(await row(shop, transId)).toMatchObject({ status: 'authorized' });
    expect(
      (await tell({ event: 'payment.failed', payload: { payment: { entity: { order_id: 'order_none' } } } })).statusCode,
    ).toBe(200);
    expect((await tell({ event: 'x' })).statusCode).toBe(200);
  });

  test('a subscription is agreed to and charged on the page, and its signature is checked [S7.razorpay/verify]', async () => {
    const { transId, url } = (await beginSubscribing(shop, customer, 'weekly')).value as Session;
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
    expect((await verify({}, await customerOf(shop, store))).status).toBe(404);
    expect(await row(shop, transId)).toMatchObject({ status: 'pending' });
    expect((await verify({})).value).toEqual({ verified: true });
    expect(await row(shop, transId)).toMatchObject({ status: 'paid' });
    expect((await confirmSubscribing(shop, customer, transId, id)).value).toMatchObject({ status: 'active' });
    standIn.book.ahead = 8 * DAY;
    const news = {
      event: 'subscription.charged',
      payload: { subscription: { entity: { notes: { reference: `${store}/${transId}` } } } },
    };
    for (let time = 0; time < 2; time += 1) await tell(news);
    expect(await rowOf(shop, transId)).toMatchObject({ status: 'active', renewals: 1 });
    const portal = await shop.ask('customerPortal', '/customer/portal/session', { query: customer.query });
    const form = fieldsIn((await open((portal.value as { url: string }).url)).body);
    expect(form).toMatchObject({ subscription_id: id, subscription_card_change: '1' });
  });

  test('what was charged after the customer had cancelled is given back', async () => {
    const { transId, url } = (await beginSubscribing(shop, customer, 'weekly')).value as Session;
    const home = await pay(url);
    await confirmSubscribing(shop, customer, transId, home.searchParams.get('intentId') ?? '');
    await shop.ask('cancelSubscription', '/user/subscription/cancel', { query: customer.query });
    standIn.book.ahead = 8 * DAY;
    await sweep(shop.services, new Date(Date.now() + 8 * DAY));
    expect(await rowOf(shop, transId)).toMatchObject({ status: 'ended', renewals: 0 });
    expect(standIn.book.refunds).toHaveLength(1);
  });

  test('cards cannot be saved, which is said', async () => {
    expect((await shop.ask('cardSession', '/card/session', { query: customer.query, method: 'POST' })).status).toBe(501);
  });
});
