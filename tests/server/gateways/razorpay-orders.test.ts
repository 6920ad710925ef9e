import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type IntentRequest, type PaymentPort, PaymentUnknown, type Terms } from '../../../server/payment/port.ts';
import { createRazorpayGateway } from '../../../server/payment/razorpay/razorpay-gateway.ts';
import { createMemoryGatewayNames } from '../support/gateways/harness.ts';
import { createRazorpayAccess } from '../support/gateways/razorpay.ts';
import { type FakeRazorpay, startFakeRazorpay } from '../support/razorpay/fake-razorpay.ts';

const DAY_MS = 24 * 60 * 60_000;
let fakeRazorpay: FakeRazorpay;
let port: PaymentPort;
beforeAll(async () => {
  fakeRazorpay = await startFakeRazorpay();
  const access = {
    ...createRazorpayAccess(fakeRazorpay.origin),
    now: () => Date.now() + fakeRazorpay.gatewayState.clockOffsetMs,
  };
  port = createRazorpayGateway(access, createMemoryGatewayNames()).port;
});
afterEach(() => {
  fakeRazorpay.gatewayState.clockOffsetMs = 0;
  expect(fakeRazorpay.unknownRequests).toEqual([]);
});
afterAll(() => fakeRazorpay.close());

const weeklyTerms: Terms = { amountMinor: 900, period: 'week', trialDays: 0 };
const makeIntentRequest = (overrides: Partial<IntentRequest> = {}): IntentRequest => ({
  reference: `s1/${randomUUID()}`,
  amountMinor: 990,
  currency: 'INR',
  description: 'A book',
  shopName: 'Books',
  returnUrl: 'http://shop.example/checkout/complete?transId=t1',
  language: 'en',
  customer: 's1/u1',
  ...overrides,
});
const findPayments = (order: string) =>
  [...fakeRazorpay.gatewayState.payments.values()].filter(({ order_id: orderId }) => orderId === order);

describe('an order', () => {
  test('an order that was paid twice is captured once, for the first payment, despite concurrent requests', async () => {
    const { id } = await port.create(makeIntentRequest());
    fakeRazorpay.gatewayState.pay(id, 'good');
    fakeRazorpay.gatewayState.pay(id, 'good');
    const captures = await Promise.all(Array.from({ length: 3 }, () => port.capture(id)));
    expect(captures.map(({ state }) => state)).toEqual(['captured', 'captured', 'captured']);
    expect(
      findPayments(id)
        .map(({ status }) => status)
        .toSorted(),
    ).toEqual(['authorized', 'captured']);
  });

  test('a cancelled order is not captured when it is paid later', async () => {
    const { id } = await port.create(makeIntentRequest());
    await port.cancel(id);
    fakeRazorpay.gatewayState.pay(id, 'good');
    expect(await port.read(id)).toMatchObject({ state: 'cancelled' });
    expect(await port.capture(id)).toMatchObject({ state: 'cancelled' });
    expect(findPayments(id).map(({ status }) => status)).toEqual(['authorized']);
  });

  test('an order whose reserved money Razorpay has released can be paid again', async () => {
    const { id } = await port.create(makeIntentRequest());
    fakeRazorpay.gatewayState.pay(id, 'good');
    for (const payment of findPayments(id)) payment.status = 'refunded';
    expect(await port.capture(id)).toMatchObject({ state: 'open' });
    fakeRazorpay.gatewayState.pay(id, 'good');
    expect(await port.capture(id)).toMatchObject({ state: 'captured' });
  });

  test('an order that was charged and refunded at Razorpay stays captured', async () => {
    const { id } = await port.create(makeIntentRequest());
    fakeRazorpay.gatewayState.pay(id, 'good');
    await port.capture(id);
    for (const payment of findPayments(id)) payment.status = 'refunded';
    expect(await port.read(id)).toMatchObject({ state: 'captured' });
  });

  test('an order keeps a return URL longer than one note', async () => {
    const returnUrl = `http://shop.example/checkout/complete?transId=${'t'.repeat(300)}`;
    const { id, url } = await port.create(makeIntentRequest({ returnUrl }));
    expect(url).toBe(`http://shop.example/payments/razorpay/${id}`);
    const { notes = {} } = fakeRazorpay.gatewayState.orders.get(id) ?? {};
    expect(`${notes['return_url_1']}${notes['return_url_2']}`).toBe(returnUrl);
  });

  test('an order is not paid by a card saved at another gateway', async () => {
    await expect(port.create(makeIntentRequest({ cardToken: 'pm_1' }))).rejects.toMatchObject({
      kind: 'payment_failed',
      code: 'card_declined',
    });
  });
});

describe('a subscription', () => {
  const startSubscription = async (terms: Terms = weeklyTerms, card: 'good' | 'once' = 'good'): Promise<string> => {
    const { id } = await port.create(makeIntentRequest({ subscription: terms }));
    fakeRazorpay.gatewayState.pay(id, card);
    expect(await port.capture(id)).toMatchObject({ state: 'captured', subscription: { id, state: 'active' } });
    return id;
  };

  test('a subscription shares its Razorpay plan with all subscriptions on the same terms', async () => {
    const countBefore = fakeRazorpay.callNames.filter((call) => call === 'POST /v1/plans').length;
    const terms: Terms = { amountMinor: 1234, period: 'quarter', trialDays: 0 };
    for (let time = 0; time < 3; time += 1) await startSubscription(terms);
    expect(fakeRazorpay.callNames.filter((call) => call === 'POST /v1/plans')).toHaveLength(countBefore + 1);
  });

  test('a subscription that was never approved ends when it is cancelled', async () => {
    const { id } = await port.create(makeIntentRequest({ subscription: weeklyTerms }));
    expect(await port.cancel(id)).toMatchObject({ state: 'cancelled' });
    expect(fakeRazorpay.gatewayState.subscriptions.get(id)?.status).toBe('cancelled');
    expect(await port.cancel(id)).toMatchObject({ state: 'cancelled' });
  });

  test('a subscription that Razorpay has halted is cancelled there as well', async () => {
    const id = await startSubscription(weeklyTerms, 'once');
    const subscription = fakeRazorpay.gatewayState.subscriptions.get(id);
    if (subscription) subscription.status = 'halted';
    expect(await port.readSubscription(id)).toMatchObject({ state: 'ended', renewals: 0 });
    expect(subscription?.status).toBe('cancelled');
  });

  test('a subscription cancelled during the trial runs to the trial’s end, and is not charged', async () => {
    const id = await startSubscription({ ...weeklyTerms, trialDays: 3 });
    const response = await port.cancelSubscription(id, { at: Date.now(), atOnce: false });
    expect(response).toMatchObject({ state: 'active', cancelled: true, renewals: 0 });
    expect(Math.round(((response?.until ?? 0) - Date.now()) / DAY_MS)).toBe(3);
    fakeRazorpay.gatewayState.clockOffsetMs = 4 * DAY_MS;
    expect(await port.readSubscription(id)).toMatchObject({ state: 'ended', renewals: 0 });
  });

  test('a subscription ends at once when that is requested', async () => {
    const id = await startSubscription();
    expect(await port.cancelSubscription(id, { at: Date.now() + DAY_MS, atOnce: true })).toMatchObject({ state: 'ended' });
    expect(await port.cancelSubscription('sub_none', { at: 0, atOnce: true })).toBeUndefined();
  });
});

test('a response of an intermediate proxy or to a wrong key leaves the outcome unknown', async () => {
  const proxy = Fastify();
  proxy.all('/*', (_request, reply) => reply.type('text/html').send('<h1>Sign in to the network</h1>'));
  await proxy.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(proxy.server.address() as AddressInfo).port}`;
  const wrongKey = { ...createRazorpayAccess(fakeRazorpay.origin), keySecret: 'another' };
  for (const access of [createRazorpayAccess(origin), wrongKey]) {
    const otherPort = createRazorpayGateway(access, createMemoryGatewayNames()).port;
    expect(await otherPort.isUp()).toBe(false);
    await expect(otherPort.create(makeIntentRequest())).rejects.toMatchObject({ cause: expect.any(Error) as Error });
    await expect(otherPort.read('order_none')).rejects.toBeInstanceOf(PaymentUnknown);
  }
  await proxy.close();
});
