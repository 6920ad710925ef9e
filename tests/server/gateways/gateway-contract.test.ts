import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PaymentUnknown } from '../../../server/payment/port.ts';
import { InvalidWebhook } from '../../../server/payment/gateway.ts';
import { gateways } from '../support/gateways/all.ts';
import type { GatewayHarness } from '../support/gateways/harness.ts';
import { monthlyTerms, createIntentRequest } from '../support/gateways/requests.ts';

const gatewayEntries = Object.entries(gateways);

/** The rules for every payment provider. */
describe.each(gatewayEntries)('the gateway %s', (_, startHarness) => {
  let harness: GatewayHarness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  // Every call and parameter that was sent exists at the gateway.
  afterEach(() => expect(harness.unknownRequests).toEqual([]));
  afterAll(() => harness.close());

  const authorizePayment = async (request = createIntentRequest()) => {
    const { url } = await harness.gateway.port.create(request);
    expect(await harness.pay(url, 'good')).toBe(true);
    const intent = await harness.gateway.port.readByReference(request.reference);
    return { request, id: intent?.id ?? '' };
  };

  test('a gateway that is up creates one intent per reference, also for repeated requests in another language', async () => {
    const request = createIntentRequest();
    expect(await harness.gateway.port.isUp()).toBe(true);
    const intent = await harness.gateway.port.create(request);
    expect(intent).toMatchObject({
      state: 'open',
      reason: null,
      keptCard: null,
      url: expect.stringMatching(/^https?:/) as string,
    });
    const repeatedIntent = await harness.gateway.port.create({ ...request, language: 'es' });
    expect(repeatedIntent.id).toBe(intent.id);
    expect((await harness.gateway.port.readByReference(request.reference))?.id).toBe(intent.id);
  });

  test('a gateway creates one intent for concurrent requests', async () => {
    const request = createIntentRequest();
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => harness.gateway.port.create(request)));
    const ids = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value.id] : []));
    expect(new Set(ids).size).toBe(1);
    expect((await harness.gateway.port.create(request)).id).toBe(ids[0]);
  });

  test('an authorised payment is charged once, on capture', async () => {
    const { request, id } = await authorizePayment();
    expect(await harness.gateway.port.read(id)).toMatchObject({ state: 'authorized' });
    expect(await harness.countCharges(request.reference)).toBe(0);
    const captures = await Promise.all(Array.from({ length: 4 }, () => harness.gateway.port.capture(id)));
    expect(captures.map(({ state }) => state)).toEqual(Array.from({ length: 4 }, () => 'captured'));
    expect(await harness.gateway.port.capture(id)).toMatchObject({ id, state: 'captured' });
    expect(await harness.gateway.port.cancel(id)).toMatchObject({ state: 'captured' });
    expect(await harness.countCharges(request.reference)).toBe(1);
  });

  test('a capture before the customer has paid charges nothing', async () => {
    const request = createIntentRequest();
    const { id } = await harness.gateway.port.create(request);
    expect(await harness.gateway.port.capture(id)).toMatchObject({ state: 'open' });
    expect(await harness.countCharges(request.reference)).toBe(0);
  });

  test.each([
    ['declined', 'card_declined'],
    ['poor', 'insufficient_funds'],
  ] as const)('a payment whose card is %s stays open, with the reason', async (card, reason) => {
    const { url, id } = await harness.gateway.port.create(createIntentRequest());
    expect(await harness.pay(url, card)).toBe(false);
    expect(await harness.gateway.port.read(id)).toMatchObject({ state: 'open', reason });
    expect(await harness.pay(url, 'good')).toBe(true);
    expect(await harness.gateway.port.read(id)).toMatchObject({ state: 'authorized' });
  });

  test('a payment by each method without a card is charged once, and stays open when it is declined', async () => {
    const { payWithoutCard } = harness;
    if (!payWithoutCard) return expect(harness.gateway.port.methods).toEqual([]);
    expect(harness.gateway.port.methods.length).toBeGreaterThan(0);
    for (const method of harness.gateway.port.methods) {
      const request = createIntentRequest({ method });
      const { url, id } = await harness.gateway.port.create(request);
      expect(await payWithoutCard(url, false), method).toBe(false);
      expect(await harness.gateway.port.read(id)).toMatchObject({ state: 'open', reason: expect.any(String) as string });
      expect(await payWithoutCard(url, true), method).toBe(true);
      expect(await harness.gateway.port.read(id)).toMatchObject({ state: 'authorized', keptCard: null });
      expect(await harness.gateway.port.capture(id)).toMatchObject({ state: 'captured' });
      expect(await harness.countCharges(request.reference)).toBe(1);
    }
  });

  test('a cancelled payment stays cancelled, whether it was open or reserved', async () => {
    const openIntent = await harness.gateway.port.create(createIntentRequest());
    const { request, id } = await authorizePayment();
    for (const each of [openIntent.id, id]) {
      expect(await harness.gateway.port.cancel(each)).toMatchObject({ state: 'cancelled' });
      expect(await harness.gateway.port.cancel(each)).toMatchObject({ state: 'cancelled' });
      expect(await harness.gateway.port.capture(each)).toMatchObject({ state: 'cancelled' });
    }
    expect(await harness.countCharges(request.reference)).toBe(0);
  });

  test('a charge is refunded once, and a payment without a charge is not refunded', async () => {
    const { request, id } = await authorizePayment();
    expect(await harness.gateway.port.refund(id)).toMatchObject({ state: 'authorized', refundedMinor: 0 });
    expect(await harness.gateway.port.capture(id)).toMatchObject({ state: 'captured', refundedMinor: 0 });
    const refunds = await Promise.all(Array.from({ length: 4 }, () => harness.gateway.port.refund(id)));
    expect(refunds).toMatchObject(Array.from({ length: 4 }, () => ({ id, state: 'captured', refundedMinor: 990 })));
    expect(await harness.gateway.port.refund(id)).toMatchObject({ refundedMinor: 990 });
    expect(await harness.gateway.port.read(id)).toMatchObject({ state: 'captured', refundedMinor: 990 });
    expect([await harness.readRefundedMinor(request.reference), await harness.countCharges(request.reference)]).toEqual([990, 1]);
  });

  test('a refund of a partly refunded payment returns the remaining amount', async ({ skip }) => {
    const { refundAtDashboard } = harness;
    if (!refundAtDashboard) skip('the gateway has no page for refunds');
    const { request, id } = await authorizePayment();
    await harness.gateway.port.capture(id);
    refundAtDashboard?.(request.reference, 300);
    expect(await harness.gateway.port.read(id)).toMatchObject({ state: 'captured', refundedMinor: 300 });
    expect(await harness.gateway.port.refund(id)).toMatchObject({ refundedMinor: 990 });
    expect(await harness.readRefundedMinor(request.reference)).toBe(990);
  });

  test('a gateway finds nothing for unknown ids', async () => {
    for (const id of ['pi_00000000', 'cs_test_0000', 'seti_000', 'order_000', 'sub_000', 'x'])
      expect(await harness.gateway.port.read(id), id).toBeUndefined();
    expect(await harness.gateway.port.readByReference(`s1/${randomUUID()}`)).toBeUndefined();
    expect(await harness.gateway.port.readSubscription('sub_000')).toBeUndefined();
    expect(await harness.gateway.port.claimSetup('made up', 's1/u1')).toBeUndefined();
  });

  test('a webhook names the changed payment, and is refused when it is altered or unsigned', async () => {
    const reference = `s1/${randomUUID()}`;
    const { body, headers } = harness.webhook(reference);
    const readWebhook = (text: string, signature = headers) => harness.gateway.webhooks?.read(Buffer.from(text), signature);
    expect(await readWebhook(body)).toBe(reference);
    await expect(readWebhook(`${body} `)).rejects.toBeInstanceOf(InvalidWebhook);
    await expect(readWebhook(body, {})).rejects.toBeInstanceOf(InvalidWebhook);
  });

  test('a gateway without renewals refuses the first payment of a subscription', async () => {
    if (harness.unsupported?.subscriptions === undefined) return;
    const creation = harness.gateway.port.create(createIntentRequest({ subscription: monthlyTerms }));
    await expect(creation).rejects.toMatchObject({ kind: 'conflict', code: 'not_for_sale' });
  });
});

/** Lost responses. The test gateway is left out: it runs beside the shop. */
describe.each(gatewayEntries.filter(([name]) => name !== 'test'))('lost responses of the gateway %s', (_, startHarness) => {
  let harness: GatewayHarness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterEach(() => expect(harness.unknownRequests).toEqual([]));
  afterAll(() => harness.close());

  test.each(['silent', 'lost', 'cut', 'broken'] as const)('a payment whose response is %s is created once', async (kind) => {
    const request = createIntentRequest();
    harness.failNext?.('create', kind);
    await expect(harness.gateway.port.create(request)).rejects.toBeInstanceOf(PaymentUnknown);
    const { url, id } = await harness.gateway.port.create({ ...request, language: 'es' });
    expect((await harness.gateway.port.create(request)).id).toBe(id);
    await harness.pay(url, 'good');
    expect(await harness.gateway.port.capture(id)).toMatchObject({ state: 'captured' });
    expect(await harness.countCharges(request.reference)).toBe(1);
  });

  test.each(['silent', 'lost', 'cut', 'broken'] as const)(
    'a capture whose response is %s has an unknown outcome and charges once',
    async (kind) => {
      const request = createIntentRequest();
      const { url, id } = await harness.gateway.port.create(request);
      await harness.pay(url, 'good');
      harness.failNext?.('capture', kind);
      await expect(harness.gateway.port.capture(id)).rejects.toBeInstanceOf(PaymentUnknown);
      expect((await harness.gateway.port.read(id))?.state).toBe(kind === 'lost' || kind === 'cut' ? 'captured' : 'authorized');
      expect(await harness.gateway.port.capture(id)).toMatchObject({ state: 'captured' });
      expect(await harness.countCharges(request.reference)).toBe(1);
    },
  );

  test.each(['silent', 'lost', 'cut', 'broken'] as const)(
    'a refund whose response is %s has an unknown outcome and refunds once',
    async (kind) => {
      const request = createIntentRequest();
      const { url, id } = await harness.gateway.port.create(request);
      await harness.pay(url, 'good');
      await harness.gateway.port.capture(id);
      harness.failNext?.('refund', kind);
      await expect(harness.gateway.port.refund(id)).rejects.toBeInstanceOf(PaymentUnknown);
      expect(await harness.gateway.port.refund(id)).toMatchObject({ refundedMinor: 990 });
      expect(await harness.readRefundedMinor(request.reference)).toBe(990);
    },
  );

  test('an amount with more decimals than the gateway supports is refused before an intent is created', async () => {
    const oddRequest = createIntentRequest({ currency: 'KWD', amountMinor: 1234 });
    await expect(harness.gateway.port.create(oddRequest)).rejects.toMatchObject({ kind: 'conflict', code: 'not_for_sale' });
    expect(await harness.gateway.port.readByReference(oddRequest.reference)).toBeUndefined();
  });
});
