import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PaymentUnknown } from '../../../server/payment/port.ts';
import { InvalidWebhook } from '../../../server/payment/gateway.ts';
import { gateways } from '../support/gateways/all.ts';
import type { PlayedGateway } from '../support/gateways/harness.ts';
import { monthly, newRequest } from '../support/gateways/requests.ts';

const gatewayEntries = Object.entries(gateways);

/** The rules for every payment provider. */
describe.each(gatewayEntries)('the gateway %s', (_, play) => {
  let played: PlayedGateway;
  beforeAll(async () => {
    played = await play();
  });
  // Every call and parameter that was sent exists at the gateway.
  afterEach(() => expect(played.unknown).toEqual([]));
  afterAll(() => played.close());

  const authorized = async (request = newRequest()) => {
    const { url } = await played.gateway.port.create(request);
    expect(await played.pay(url, 'good')).toBe(true);
    const intent = await played.gateway.port.readByReference(request.reference);
    return { request, id: intent?.id ?? '' };
  };

  test('is up, and creates one intent per reference, for repeated requests in any language', async () => {
    const request = newRequest();
    expect(await played.gateway.port.isUp()).toBe(true);
    const first = await played.gateway.port.create(request);
    expect(first).toMatchObject({
      state: 'open',
      reason: null,
      keptCard: null,
      url: expect.stringMatching(/^https?:/) as string,
    });
    const again = await played.gateway.port.create({ ...request, language: 'es' });
    expect(again.id).toBe(first.id);
    expect((await played.gateway.port.readByReference(request.reference))?.id).toBe(first.id);
  });

  test('creates one intent for concurrent requests', async () => {
    const request = newRequest();
    const made = await Promise.allSettled(Array.from({ length: 5 }, () => played.gateway.port.create(request)));
    const ids = made.flatMap((each) => (each.status === 'fulfilled' ? [each.value.id] : []));
    expect(new Set(ids).size).toBe(1);
    expect((await played.gateway.port.create(request)).id).toBe(ids[0]);
  });

  test('reserves, and charges once on capture', async () => {
    const { request, id } = await authorized();
    expect(await played.gateway.port.read(id)).toMatchObject({ state: 'authorized' });
    expect(await played.charges(request.reference)).toBe(0);
    const answers = await Promise.all(Array.from({ length: 4 }, () => played.gateway.port.capture(id)));
    expect(answers.map(({ state }) => state)).toEqual(Array.from({ length: 4 }, () => 'captured'));
    expect(await played.gateway.port.capture(id)).toMatchObject({ id, state: 'captured' });
    expect(await played.gateway.port.cancel(id)).toMatchObject({ state: 'captured' });
    expect(await played.charges(request.reference)).toBe(1);
  });

  test('charges nothing before the customer has paid', async () => {
    const request = newRequest();
    const { id } = await played.gateway.port.create(request);
    expect(await played.gateway.port.capture(id)).toMatchObject({ state: 'open' });
    expect(await played.charges(request.reference)).toBe(0);
  });

  test.each([
    ['declined', 'card_declined'],
    ['poor', 'insufficient_funds'],
  ] as const)('leaves a payment open whose card is %s, with the reason', async (card, reason) => {
    const { url, id } = await played.gateway.port.create(newRequest());
    expect(await played.pay(url, card)).toBe(false);
    expect(await played.gateway.port.read(id)).toMatchObject({ state: 'open', reason });
    expect(await played.pay(url, 'good')).toBe(true);
    expect(await played.gateway.port.read(id)).toMatchObject({ state: 'authorized' });
  });

  test('accepts each of its methods without a card, once, and leaves declined ones open', async () => {
    const { payWithoutCard } = played;
    if (!payWithoutCard) return expect(played.gateway.port.methods).toEqual([]);
    expect(played.gateway.port.methods.length).toBeGreaterThan(0);
    for (const method of played.gateway.port.methods) {
      const request = newRequest({ method });
      const { url, id } = await played.gateway.port.create(request);
      expect(await payWithoutCard(url, false), method).toBe(false);
      expect(await played.gateway.port.read(id)).toMatchObject({ state: 'open', reason: expect.any(String) as string });
      expect(await payWithoutCard(url, true), method).toBe(true);
      expect(await played.gateway.port.read(id)).toMatchObject({ state: 'authorized', keptCard: null });
      expect(await played.gateway.port.capture(id)).toMatchObject({ state: 'captured' });
      expect(await played.charges(request.reference)).toBe(1);
    }
  });

  test('cancels open and reserved payments for good', async () => {
    const open = await played.gateway.port.create(newRequest());
    const { request, id } = await authorized();
    for (const each of [open.id, id]) {
      expect(await played.gateway.port.cancel(each)).toMatchObject({ state: 'cancelled' });
      expect(await played.gateway.port.cancel(each)).toMatchObject({ state: 'cancelled' });
      expect(await played.gateway.port.capture(each)).toMatchObject({ state: 'cancelled' });
    }
    expect(await played.charges(request.reference)).toBe(0);
  });

  test('refunds a charge once, and refunds nothing that was not charged', async () => {
    const { request, id } = await authorized();
    expect(await played.gateway.port.refund(id)).toMatchObject({ state: 'authorized', refundedMinor: 0 });
    expect(await played.gateway.port.capture(id)).toMatchObject({ state: 'captured', refundedMinor: 0 });
    const answers = await Promise.all(Array.from({ length: 4 }, () => played.gateway.port.refund(id)));
    expect(answers).toMatchObject(Array.from({ length: 4 }, () => ({ id, state: 'captured', refundedMinor: 990 })));
    expect(await played.gateway.port.refund(id)).toMatchObject({ refundedMinor: 990 });
    expect(await played.gateway.port.read(id)).toMatchObject({ state: 'captured', refundedMinor: 990 });
    expect([await played.refunded(request.reference), await played.charges(request.reference)]).toEqual([990, 1]);
  });

  test('refunds the rest of a partly refunded payment', async ({ skip }) => {
    const { refundAtDashboard } = played;
    if (!refundAtDashboard) skip('it has no refund page of its own');
    const { request, id } = await authorized();
    await played.gateway.port.capture(id);
    refundAtDashboard?.(request.reference, 300);
    expect(await played.gateway.port.read(id)).toMatchObject({ state: 'captured', refundedMinor: 300 });
    expect(await played.gateway.port.refund(id)).toMatchObject({ refundedMinor: 990 });
    expect(await played.refunded(request.reference)).toBe(990);
  });

  test('finds nothing for unknown ids', async () => {
    for (const id of ['pi_00000000', 'cs_test_0000', 'seti_000', 'order_000', 'sub_000', 'x'])
      expect(await played.gateway.port.read(id), id).toBeUndefined();
    expect(await played.gateway.port.readByReference(`s1/${randomUUID()}`)).toBeUndefined();
    expect(await played.gateway.port.readSubscription('sub_000')).toBeUndefined();
    expect(await played.gateway.port.claimSetup('made up', 's1/u1')).toBeUndefined();
  });

  test('names the changed payment in its webhook, and an altered or unsigned webhook is refused', async () => {
    const reference = `s1/${randomUUID()}`;
    const { body, headers } = played.webhook(reference);
    const read = (text: string, signature = headers) => played.gateway.webhooks?.read(Buffer.from(text), signature);
    expect(await read(body)).toBe(reference);
    await expect(read(`${body} `)).rejects.toBeInstanceOf(InvalidWebhook);
    await expect(read(body, {})).rejects.toBeInstanceOf(InvalidWebhook);
  });

  test('refuses the first payment of a subscription when it does not support renewals', async () => {
    if (played.unsupported?.subscriptions === undefined) return;
    const asked = played.gateway.port.create(newRequest({ subscription: monthly }));
    await expect(asked).rejects.toMatchObject({ kind: 'conflict', code: 'not_for_sale' });
  });
});

/** Lost responses: the built-in gateway runs beside the shop and is left out. */
describe.each(gatewayEntries.filter(([name]) => name !== 'test'))('a response of %s', (_, play) => {
  let played: PlayedGateway;
  beforeAll(async () => {
    played = await play();
  });
  afterEach(() => expect(played.unknown).toEqual([]));
  afterAll(() => played.close());

  test.each(['silent', 'lost', 'cut', 'broken'] as const)('to a new payment that is %s is retried', async (kind) => {
    const request = newRequest();
    played.failNext?.('create', kind);
    await expect(played.gateway.port.create(request)).rejects.toBeInstanceOf(PaymentUnknown);
    const { url, id } = await played.gateway.port.create({ ...request, language: 'es' });
    expect((await played.gateway.port.create(request)).id).toBe(id);
    await played.pay(url, 'good');
    expect(await played.gateway.port.capture(id)).toMatchObject({ state: 'captured' });
    expect(await played.charges(request.reference)).toBe(1);
  });

  test.each(['silent', 'lost', 'cut', 'broken'] as const)(
    'to a capture that is %s is unknown, and charged once',
    async (kind) => {
      const request = newRequest();
      const { url, id } = await played.gateway.port.create(request);
      await played.pay(url, 'good');
      played.failNext?.('capture', kind);
      await expect(played.gateway.port.capture(id)).rejects.toBeInstanceOf(PaymentUnknown);
      expect((await played.gateway.port.read(id))?.state).toBe(kind === 'lost' || kind === 'cut' ? 'captured' : 'authorized');
      expect(await played.gateway.port.capture(id)).toMatchObject({ state: 'captured' });
      expect(await played.charges(request.reference)).toBe(1);
    },
  );

  test.each(['silent', 'lost', 'cut', 'broken'] as const)(
    'to a refund that is %s is unknown, and refunded once',
    async (kind) => {
      const request = newRequest();
      const { url, id } = await played.gateway.port.create(request);
      await played.pay(url, 'good');
      await played.gateway.port.capture(id);
      played.failNext?.('refund', kind);
      await expect(played.gateway.port.refund(id)).rejects.toBeInstanceOf(PaymentUnknown);
      expect(await played.gateway.port.refund(id)).toMatchObject({ refundedMinor: 990 });
      expect(await played.refunded(request.reference)).toBe(990);
    },
  );

  test('an amount with more decimals than the gateway supports is refused before an intent is created', async () => {
    const odd = newRequest({ currency: 'KWD', amountMinor: 1234 });
    await expect(played.gateway.port.create(odd)).rejects.toMatchObject({ kind: 'conflict', code: 'not_for_sale' });
    expect(await played.gateway.port.readByReference(odd.reference)).toBeUndefined();
  });
});
