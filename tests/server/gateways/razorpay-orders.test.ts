import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type IntentRequest, type PaymentPort, PaymentUnknown, type Terms } from '../../../server/payment/port.ts';
import { razorpayGateway } from '../../../server/payment/razorpay/razorpay-gateway.ts';
import { namesInMemory } from '../support/gateways/played.ts';
import { razorpayAccess } from '../support/gateways/razorpay.ts';
import { type RazorpayStandIn, standInForRazorpay } from '../support/razorpay/stand-in.ts';

const DAY = 24 * 60 * 60_000;
let standIn: RazorpayStandIn;
let port: PaymentPort;
beforeAll(async () => {
  standIn = await standInForRazorpay();
  const access = { ...razorpayAccess(standIn.origin), now: () => Date.now() + standIn.book.ahead };
  port = razorpayGateway(access, namesInMemory()).port;
});
afterEach(() => {
  standIn.book.ahead = 0;
  expect(standIn.unknown).toEqual([]);
});
afterAll(() => standIn.close());

const weekly: Terms = { amountMinor: 900, period: 'week', trialDays: 0 };
const newRequest = (more: Partial<IntentRequest> = {}): IntentRequest => ({
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
const paymentsOf = (order: string) => [...standIn.book.payments.values()].filter(({ order_id: of }) => of === order);

describe('an order', () => {
  test('that was paid twice is charged once, for the first payment, however many ask', async () => {
    const { id } = await port.create(newRequest());
    standIn.book.pay(id, 'good');
    standIn.book.pay(id, 'good');
    const answers = await Promise.all(Array.from({ length: 3 }, () => port.capture(id)));
    expect(answers.map(({ state }) => state)).toEqual(['captured', 'captured', 'captured']);
    expect(
      paymentsOf(id)
        .map(({ status }) => status)
        .toSorted(),
    ).toEqual(['authorized', 'captured']);
  });

  test('that was given up is not captured when it is paid after all', async () => {
    const { id } = await port.create(newRequest());
    await port.cancel(id);
    standIn.book.pay(id, 'good');
    expect(await port.read(id)).toMatchObject({ state: 'cancelled' });
    expect(await port.capture(id)).toMatchObject({ state: 'cancelled' });
    expect(paymentsOf(id).map(({ status }) => status)).toEqual(['authorized']);
  });

  test('whose reserved money Razorpay has given back is to be paid again', async () => {
    const { id } = await port.create(newRequest());
    standIn.book.pay(id, 'good');
    for (const payment of paymentsOf(id)) payment.status = 'refunded';
    expect(await port.capture(id)).toMatchObject({ state: 'open' });
    standIn.book.pay(id, 'good');
    expect(await port.capture(id)).toMatchObject({ state: 'captured' });
  });

  test('that was charged and given back at Razorpay stays charged', async () => {
    const { id } = await port.create(newRequest());
    standIn.book.pay(id, 'good');
    await port.capture(id);
    for (const payment of paymentsOf(id)) payment.status = 'refunded';
    expect(await port.read(id)).toMatchObject({ state: 'captured' });
  });

  test('keeps a way home that is longer than a note', async () => {
    const returnUrl = `http://shop.example/checkout/complete?transId=${'t'.repeat(300)}`;
    const { id, url } = await port.create(newRequest({ returnUrl }));
    expect(url).toBe(`http://shop.example/payments/razorpay/${id}`);
    const { notes = {} } = standIn.book.orders.get(id) ?? {};
    expect(`${notes['return_url_1']}${notes['return_url_2']}`).toBe(returnUrl);
  });

  test('is paid by no card that was kept elsewhere', async () => {
    await expect(port.create(newRequest({ cardToken: 'pm_1' }))).rejects.toMatchObject({
      kind: 'payment_failed',
      code: 'card_declined',
    });
  });
});

describe('a subscription', () => {
  const subscribed = async (terms: Terms = weekly, card: 'good' | 'once' = 'good'): Promise<string> => {
    const { id } = await port.create(newRequest({ subscription: terms }));
    standIn.book.pay(id, card);
    expect(await port.capture(id)).toMatchObject({ state: 'captured', subscription: { id, state: 'active' } });
    return id;
  };

  test('is of a plan that is made once for all who agree to the same', async () => {
    const before = standIn.asked.filter((call) => call === 'POST /v1/plans').length;
    const terms: Terms = { amountMinor: 1234, period: 'quarter', trialDays: 0 };
    for (let time = 0; time < 3; time += 1) await subscribed(terms);
    expect(standIn.asked.filter((call) => call === 'POST /v1/plans')).toHaveLength(before + 1);
  });

  test('that nobody has agreed to is over when it is given up', async () => {
    const { id } = await port.create(newRequest({ subscription: weekly }));
    expect(await port.cancel(id)).toMatchObject({ state: 'cancelled' });
    expect(standIn.book.subscriptions.get(id)?.status).toBe('cancelled');
    expect(await port.cancel(id)).toMatchObject({ state: 'cancelled' });
  });

  test('that Razorpay has tried to charge for too long is ended there as well', async () => {
    const id = await subscribed(weekly, 'once');
    const held = standIn.book.subscriptions.get(id);
    if (held) held.status = 'halted';
    expect(await port.readSubscription(id)).toMatchObject({ state: 'ended', renewals: 0 });
    expect(held?.status).toBe('cancelled');
  });

  test('whose days for nothing are cancelled goes on to their end, and is not charged', async () => {
    const id = await subscribed({ ...weekly, trialDays: 3 });
    const told = await port.cancelSubscription(id, { at: Date.now(), atOnce: false });
    expect(told).toMatchObject({ state: 'active', cancelled: true, renewals: 0 });
    expect(Math.round(((told?.until ?? 0) - Date.now()) / DAY)).toBe(3);
    standIn.book.ahead = 4 * DAY;
    expect(await port.readSubscription(id)).toMatchObject({ state: 'ended', renewals: 0 });
  });

  test('ends at once where that is asked for', async () => {
    const id = await subscribed();
    expect(await port.cancelSubscription(id, { at: Date.now() + DAY, atOnce: true })).toMatchObject({ state: 'ended' });
    expect(await port.cancelSubscription('sub_none', { at: 0, atOnce: true })).toBeUndefined();
  });
});

test('what is no answer of Razorpay’s is unknown: a page of something on the way, and a wrong key', async () => {
  const onTheWay = Fastify();
  onTheWay.all('/*', (_request, reply) => reply.type('text/html').send('<h1>Sign in to the network</h1>'));
  await onTheWay.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(onTheWay.server.address() as AddressInfo).port}`;
  const wrongKey = { ...razorpayAccess(standIn.origin), keySecret: 'another' };
  for (const access of [razorpayAccess(origin), wrongKey]) {
    const other = razorpayGateway(access, namesInMemory()).port;
    expect(await other.isUp()).toBe(false);
    await expect(other.create(newRequest())).rejects.toMatchObject({ cause: expect.any(Error) as Error });
    await expect(other.read('order_none')).rejects.toBeInstanceOf(PaymentUnknown);
  }
  await onTheWay.close();
});
