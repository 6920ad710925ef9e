import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type IntentRequest, type PaymentPort, PaymentUnknown, type Terms } from '../../../server/payment/port.ts';
import { createRazorpayGateway } from '../../../server/payment/razorpay/razorpay-gateway.ts';
import { memoryGatewayNames } from '../support/gateways/harness.ts';
import { razorpayAccess } from '../support/gateways/razorpay.ts';
import { type FakeRazorpay, startFakeRazorpay } from '../support/razorpay/fake-razorpay.ts';

const DAY_MS = 24 * 60 * 60_000;
let fakeRazorpay: FakeRazorpay;
let port: PaymentPort;
beforeAll(async () => {
  fakeRazorpay = await startFakeRazorpay();
  const access = { ...razorpayAccess(fakeRazorpay.origin), now: () => Date.now() + fakeRazorpay.book.ahead };
  port = createRazorpayGateway(access, memoryGatewayNames()).port;
});
afterEach(() => {
  fakeRazorpay.book.ahead = 0;
  expect(fakeRazorpay.unknown).toEqual([]);
});
afterAll(() => fakeRazorpay.close());

const weekly: Terms = { amountMinor: 900, period: 'week', trialDays: 0 };
const newIntentRequest = (more: Partial<IntentRequest> = {}): IntentRequest => ({
  reference: `s1/${randomUUID()}`,
  amountMinor: 990,
  currency: 'INR',
  description: 'A book',
  shopName: 'Books',
  returnUrl: 'http://shop.example/checkout/complete?transId=t1',
  language: 'en',
  customer: 's1/u1',
  ...more,
});
const findPayments = (order: string) => [...fakeRazorpay.book.payments.values()].filter(({ order_id: of }) => of === order);

describe('an order', () => {
  test('that was paid twice is captured once, for the first payment, despite concurrent requests', async () => {
    const { id } = await port.create(newIntentRequest());
    fakeRazorpay.book.pay(id, 'good');
    fakeRazorpay.book.pay(id, 'good');
    const answers = await Promise.all(Array.from({ length: 3 }, () => port.capture(id)));
    expect(answers.map(({ state }) => state)).toEqual(['captured', 'captured', 'captured']);
    expect(
      findPayments(id)
        .map(({ status }) => status)
        .toSorted(),
    ).toEqual(['authorized', 'captured']);
  });

  test('that was cancelled is not captured when it is paid later', async () => {
    const { id } = await port.create(newIntentRequest());
    await port.cancel(id);
    fakeRazorpay.book.pay(id, 'good');
    expect(await port.read(id)).toMatchObject({ state: 'cancelled' });
    expect(await port.capture(id)).toMatchObject({ state: 'cancelled' });
    expect(findPayments(id).map(({ status }) => status)).toEqual(['authorized']);
  });

  test('whose reserved money Razorpay has released can be paid again', async () => {
    const { id } = await port.create(newIntentRequest());
    fakeRazorpay.book.pay(id, 'good');
    for (const payment of findPayments(id)) payment.status = 'refunded';
    expect(await port.capture(id)).toMatchObject({ state: 'open' });
    fakeRazorpay.book.pay(id, 'good');
    expect(await port.capture(id)).toMatchObject({ state: 'captured' });
  });

  test('that was charged and refunded at Razorpay stays captured', async () => {
    const { id } = await port.create(newIntentRequest());
    fakeRazorpay.book.pay(id, 'good');
    await port.capture(id);
    for (const payment of findPayments(id)) payment.status = 'refunded';
    expect(await port.read(id)).toMatchObject({ state: 'captured' });
  });

  test('keeps a return address longer than one note', async () => {
    const returnUrl = `http://shop.example/checkout/complete?transId=${'t'.repeat(300)}`;
    const { id, url } = await port.create(newIntentRequest({ returnUrl }));
    expect(url).toBe(`http://shop.example/payments/razorpay/${id}`);
    const { notes = {} } = fakeRazorpay.book.orders.get(id) ?? {};
    expect(`${notes['return_url_1']}${notes['return_url_2']}`).toBe(returnUrl);
  });

  test('is not paid by a card saved at another gateway', async () => {
    await expect(port.create(newIntentRequest({ cardToken: 'pm_1' }))).rejects.toMatchObject({
      kind: 'payment_failed',
      code: 'card_declined',
    });
  });
});

describe('a subscription', () => {
  const subscribed = async (terms: Terms = weekly, card: 'good' | 'once' = 'good'): Promise<string> => {
    const { id } = await port.create(newIntentRequest({ subscription: terms }));
    fakeRazorpay.book.pay(id, card);
    expect(await port.capture(id)).toMatchObject({ state: 'captured', subscription: { id, state: 'active' } });
    return id;
  };

  test('shares its Razorpay plan with all subscriptions on the same terms', async () => {
    const before = fakeRazorpay.asked.filter((call) => call === 'POST /v1/plans').length;
    const terms: Terms = { amountMinor: 1234, period: 'quarter', trialDays: 0 };
    for (let time = 0; time < 3; time += 1) await subscribed(terms);
    expect(fakeRazorpay.asked.filter((call) => call === 'POST /v1/plans')).toHaveLength(before + 1);
  });

  test('that was never approved ends when it is cancelled', async () => {
    const { id } = await port.create(newIntentRequest({ subscription: weekly }));
    expect(await port.cancel(id)).toMatchObject({ state: 'cancelled' });
    expect(fakeRazorpay.book.subscriptions.get(id)?.status).toBe('cancelled');
    expect(await port.cancel(id)).toMatchObject({ state: 'cancelled' });
  });

  test('that Razorpay has halted is cancelled there as well', async () => {
    const id = await subscribed(weekly, 'once');
    const held = fakeRazorpay.book.subscriptions.get(id);
    if (held) held.status = 'halted';
    expect(await port.readSubscription(id)).toMatchObject({ state: 'ended', renewals: 0 });
    expect(held?.status).toBe('cancelled');
  });

  test('cancelled during the trial runs to the trial’s end, and is not charged', async () => {
    const id = await subscribed({ ...weekly, trialDays: 3 });
    const told = await port.cancelSubscription(id, { at: Date.now(), atOnce: false });
    expect(told).toMatchObject({ state: 'active', cancelled: true, renewals: 0 });
    expect(Math.round(((told?.until ?? 0) - Date.now()) / DAY_MS)).toBe(3);
    fakeRazorpay.book.ahead = 4 * DAY_MS;
    expect(await port.readSubscription(id)).toMatchObject({ state: 'ended', renewals: 0 });
  });

  test('ends at once when that is requested', async () => {
    const id = await subscribed();
    expect(await port.cancelSubscription(id, { at: Date.now() + DAY_MS, atOnce: true })).toMatchObject({ state: 'ended' });
    expect(await port.cancelSubscription('sub_none', { at: 0, atOnce: true })).toBeUndefined();
  });
});

test('a response of an intermediate proxy, and a wrong key, leave the outcome unknown', async () => {
  const onTheWay = Fastify();
  onTheWay.all('/*', (_request, reply) => reply.type('text/html').send('<h1>Sign in to the network</h1>'));
  await onTheWay.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(onTheWay.server.address() as AddressInfo).port}`;
  const wrongKey = { ...razorpayAccess(fakeRazorpay.origin), keySecret: 'another' };
  for (const access of [razorpayAccess(origin), wrongKey]) {
    const other = createRazorpayGateway(access, memoryGatewayNames()).port;
    expect(await other.isUp()).toBe(false);
    await expect(other.create(newIntentRequest())).rejects.toMatchObject({ cause: expect.any(Error) as Error });
    await expect(other.read('order_none')).rejects.toBeInstanceOf(PaymentUnknown);
  }
  await onTheWay.close();
});
