import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PaymentUnknown } from '../../../server/payment/port.ts';
import { BadNews } from '../../../server/payment/gateway.ts';
import { gateways } from '../support/gateways/all.ts';
import type { Played } from '../support/gateways/played.ts';
import { monthly, newRequest } from '../support/gateways/requests.ts';

const each = Object.entries(gateways);

/** The rules that every payment provider keeps. */
describe.each(each)('the gateway %s', (_, play) => {
  let played: Played;
  beforeAll(async () => {
    played = await play();
  });
  // The gateway knows every call and parameter that was sent.
  afterEach(() => expect(played.unknown).toEqual([]));
  afterAll(() => played.close());

  const authorized = async (request = newRequest()) => {
    const { url } = await played.gateway.port.create(request);
    expect(await played.pay(url, 'good')).toBe(true);
    const intent = await played.gateway.port.readByReference(request.reference);
    return { request, id: intent?.id ?? '' };
  };

  test('is up, and makes one intent for a reference, however often and in any language it is asked', async () => {
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

  test('of calls that come at once makes one', async () => {
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
  ] as const)('leaves a payment open whose card is %s, and says why', async (card, reason) => {
    const { url, id } = await played.gateway.port.create(newRequest());
    expect(await played.pay(url, card)).toBe(false);
    expect(await played.gateway.port.read(id)).toMatchObject({ state: 'open', reason });
    expect(await played.pay(url, 'good')).toBe(true);
    expect(await played.gateway.port.read(id)).toMatchObject({ state: 'authorized' });
  });

  test('takes each of its ways to pay without a card, once, and leaves open what the customer declines', async () => {
    const { payWithout } = played;
    if (!payWithout) return expect(played.gateway.port.methods).toEqual([]);
    expect(played.gateway.port.methods.length).toBeGreaterThan(0);
    for (const method of played.gateway.port.methods) {
      const request = newRequest({ method });
      const { url, id } = await played.gateway.port.create(request);
      expect(await payWithout(url, false), method).toBe(false);
      expect(await played.gateway.port.read(id)).toMatchObject({ state: 'open', reason: expect.any(String) as string });
      expect(await payWithout(url, true), method).toBe(true);
      expect(await played.gateway.port.read(id)).toMatchObject({ state: 'authorized', keptCard: null });
      expect(await played.gateway.port.capture(id)).toMatchObject({ state: 'captured' });
      expect(await played.charges(request.reference)).toBe(1);
    }
  });

  test('lets go of what is open and of what is reserved, for good', async () => {
    const open = await played.gateway.port.create(newRequest());
    const { request, id } = await authorized();
    for (const each of [open.id, id]) {
      expect(await played.gateway.port.cancel(each)).toMatchObject({ state: 'cancelled' });
      expect(await played.gateway.port.cancel(each)).toMatchObject({ state: 'cancelled' });
      expect(await played.gateway.port.capture(each)).toMatchObject({ state: 'cancelled' });
    }
    expect(await played.charges(request.reference)).toBe(0);
  });

  test('gives back what it has charged, once, and nothing that it has not', async () => {
    const { request, id } = await authorized();
    expect(await played.gateway.port.refund(id)).toMatchObject({ state: 'authorized', refundedMinor: 0 });
    expect(await played.gateway.port.capture(id)).toMatchObject({ state: 'captured', refundedMinor: 0 });
    const answers = await Promise.all(Array.from({ length: 4 }, () => played.gateway.port.refund(id)));
    expect(answers).toMatchObject(Array.from({ length: 4 }, () => ({ id, state: 'captured', refundedMinor: 990 })));
    expect(await played.gateway.port.refund(id)).toMatchObject({ refundedMinor: 990 });
    expect(await played.gateway.port.read(id)).toMatchObject({ state: 'captured', refundedMinor: 990 });
    expect([await played.refunded(request.reference), await played.charges(request.reference)]).toEqual([990, 1]);
  });

  test('gives back what is left of a payment of which some went back already', async ({ skip }) => {
    const { giveBack } = played;
    if (!giveBack) skip('it has no pages of its own for refunds');
    const { request, id } = await authorized();
    await played.gateway.port.capture(id);
    giveBack?.(request.reference, 300);
    expect(await played.gateway.port.read(id)).toMatchObject({ state: 'captured', refundedMinor: 300 });
    expect(await played.gateway.port.refund(id)).toMatchObject({ refundedMinor: 990 });
    expect(await played.refunded(request.reference)).toBe(990);
  });

  test('knows nothing of what it has not made', async () => {
    for (const id of ['pi_00000000', 'cs_test_0000', 'seti_000', 'order_000', 'sub_000', 'x'])
      expect(await played.gateway.port.read(id), id).toBeUndefined();
    expect(await played.gateway.port.readByReference(`s1/${randomUUID()}`)).toBeUndefined();
    expect(await played.gateway.port.readSubscription('sub_000')).toBeUndefined();
    expect(await played.gateway.port.claimSetup('made up', 's1/u1')).toBeUndefined();
  });

  test('tells by its webhook which payment has changed, and refuses one that is altered or not signed', async () => {
    const reference = `s1/${randomUUID()}`;
    const { body, headers } = played.webhook(reference);
    const read = (text: string, signature = headers) => played.gateway.news?.read(Buffer.from(text), signature);
    expect(await read(body)).toBe(reference);
    await expect(read(`${body} `)).rejects.toBeInstanceOf(BadNews);
    await expect(read(body, {})).rejects.toBeInstanceOf(BadNews);
  });

  test('refuses the first payment of a subscription where it renews none', async () => {
    if (played.lacks?.subscriptions === undefined) return;
    const asked = played.gateway.port.create(newRequest({ subscription: monthly }));
    await expect(asked).rejects.toMatchObject({ kind: 'conflict', code: 'not_for_sale' });
  });
});

/** Answers that another server loses; the built-in gateway runs beside the shop. */
describe.each(each.filter(([name]) => name !== 'test'))('an answer of %s', (_, play) => {
  let played: Played;
  beforeAll(async () => {
    played = await play();
  });
  afterEach(() => expect(played.unknown).toEqual([]));
  afterAll(() => played.close());

  test.each(['silent', 'lost', 'cut', 'broken'] as const)('to a new payment that is %s is asked for again', async (kind) => {
    const request = newRequest();
    played.trouble?.('create', kind);
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
      played.trouble?.('capture', kind);
      await expect(played.gateway.port.capture(id)).rejects.toBeInstanceOf(PaymentUnknown);
      expect((await played.gateway.port.read(id))?.state).toBe(kind === 'lost' || kind === 'cut' ? 'captured' : 'authorized');
      expect(await played.gateway.port.capture(id)).toMatchObject({ state: 'captured' });
      expect(await played.charges(request.reference)).toBe(1);
    },
  );

  test.each(['silent', 'lost', 'cut', 'broken'] as const)(
    'to a refund that is %s is unknown, and given back once',
    async (kind) => {
      const request = newRequest();
      const { url, id } = await played.gateway.port.create(request);
      await played.pay(url, 'good');
      await played.gateway.port.capture(id);
      played.trouble?.('refund', kind);
      await expect(played.gateway.port.refund(id)).rejects.toBeInstanceOf(PaymentUnknown);
      expect(await played.gateway.port.refund(id)).toMatchObject({ refundedMinor: 990 });
      expect(await played.refunded(request.reference)).toBe(990);
    },
  );

  test('an amount that it cannot charge to the unit is refused before anything is made', async () => {
    const odd = newRequest({ currency: 'KWD', amountMinor: 1234 });
    await expect(played.gateway.port.create(odd)).rejects.toMatchObject({ kind: 'conflict', code: 'not_for_sale' });
    expect(await played.gateway.port.readByReference(odd.reference)).toBeUndefined();
  });
});
