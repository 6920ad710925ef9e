import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { signBody } from '../../../server/base/signature.ts';
import { createGatewayNames } from '../../../server/payment/gateway-names.ts';
import { createRazorpayGateway } from '../../../server/payment/razorpay/razorpay-gateway.ts';
import { createStripeGateway } from '../../../server/payment/stripe/stripe-gateway.ts';
import { razorpayAccess, signAsRazorpay } from '../support/gateways/razorpay.ts';
import { signAsStripe, stripeAccess } from '../support/gateways/stripe.ts';
import { startFakeRazorpay } from '../support/razorpay/fake-razorpay.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { startFakeStripe } from '../support/stripe/fake-stripe.ts';

/** A fixed seed: only a code change can make the test fail. */
const SEED = 20_261_126;
const RUNS = 300;
/** Seconds by which a date may differ from the clock, and a margin for slow machines. */
const [TOLERANCE, MARGIN] = [300, 30];

type WebhookSetup = {
  shop: Shop;
  path: string;
  /** @param ahead seconds by which the signature is dated in the future */
  sign(body: string, ahead: number): Record<string, string>;
  close(): Promise<unknown>;
};

const setups = {
  async test(): Promise<WebhookSetup> {
    const shop = await openShop({ webhooks: { notifyUrl: 'http://127.0.0.1:9/', late: 0 } });
    const sign = (body: string, ahead: number) => ({
      'gateway-signature': signBody(body, shop.gateway.secret, Date.now() + ahead * 1000),
    });
    return { shop, path: '/webhooks/test', sign, close: () => shop.close() };
  },
  async stripe(): Promise<WebhookSetup> {
    const standIn = await startFakeStripe();
    const shop = await openShop({
      gateway: (db) => createStripeGateway(stripeAccess(standIn.at), createGatewayNames(db, 'stripe test')),
    });
    return { shop, path: '/webhooks/stripe', sign: signAsStripe, close: () => Promise.all([shop.close(), standIn.close()]) };
  },
  async razorpay(): Promise<WebhookSetup> {
    const standIn = await startFakeRazorpay();
    const shop = await openShop({
      gateway: (db) => createRazorpayGateway(razorpayAccess(standIn.origin), createGatewayNames(db, 'razorpay test')),
    });
    return {
      shop,
      path: '/webhooks/razorpay',
      sign: signAsRazorpay,
      close: () => Promise.all([shop.close(), standIn.close()]),
    };
  },
};

const reference = 'a-store/a-payment';

/** Messages that are processed as they are; cases replace one of their fields. */
const testMessage = (more: object = {}) => ({ id: 'm-1', reference, state: 'captured', ...more });
const intentEvent = (object: unknown = { metadata: { reference } }) => ({ type: 'payment_intent.succeeded', data: { object } });
const invoiceEvent = (parent: unknown) => ({ type: 'invoice.paid', data: { object: { metadata: {}, parent } } });
const chargeEvent = (payment: unknown) => ({
  type: 'charge.refunded',
  data: { object: { metadata: {}, payment_intent: payment } },
});
const orderEvent = (order: unknown = { entity: { notes: { reference } } }) => ({ event: 'order.paid', payload: { order } });
const paymentEvent = (entity: unknown) => ({ event: 'payment.captured', payload: { payment: { entity } } });

const [LONG, NUL, HALF] = ['x'.repeat(501), 'a-store/\u0000', 'a-store/\ud800'];
/** Values that are refused where a reference, or an object, is expected. */
const NON_TEXTS: unknown[] = [null, 7, true, [], {}, [reference], LONG, NUL, HALF];
const NON_OBJECTS: unknown[] = [7, true, 'text', [], [{}]];

type Cases = { refused: unknown[]; ignored: unknown[]; followed: unknown[] };

const cases: Record<keyof typeof setups, Cases> = {
  test: {
    followed: [testMessage(), testMessage({ more: { deeper: [1] } })],
    ignored: [
      testMessage({ state: 'another' }),
      testMessage({ reference: 'of another program' }),
      testMessage({ reference: '' }),
    ],
    refused: [
      null,
      7,
      'text',
      true,
      [],
      [testMessage()],
      {},
      ...NON_TEXTS.flatMap((value) => [testMessage({ reference: value }), testMessage({ id: value })]),
      ...[null, 7, [], {}].map((state) => testMessage({ state })),
      { id: 'm-1', state: 'captured' },
      { reference, state: 'captured' },
      { id: 'm-1', reference },
    ],
  },
  stripe: {
    followed: [intentEvent(), invoiceEvent({ subscription_details: { metadata: { reference } } })],
    ignored: [
      { type: 'account.updated', data: { object: { metadata: 7 } } },
      { type: 'unknown' },
      intentEvent({}),
      intentEvent({ metadata: null, parent: null }),
      intentEvent({ metadata: { reference: 'of another program' } }),
      invoiceEvent({ subscription_details: null }),
      chargeEvent(null),
      chargeEvent('pi_unknown'),
    ],
    refused: [
      null,
      7,
      'text',
      true,
      [],
      [intentEvent()],
      {},
      ...[null, 7, [], {}].map((type) => ({ ...intentEvent(), type })),
      { type: 'payment_intent.succeeded' },
      ...[null, ...NON_OBJECTS, {}].map((data) => ({ type: 'payment_intent.succeeded', data })),
      ...[null, ...NON_OBJECTS].map((object) => intentEvent(object)),
      ...NON_OBJECTS.map((metadata) => intentEvent({ metadata })),
      ...NON_TEXTS.map((value) => intentEvent({ metadata: { reference: value } })),
      ...NON_OBJECTS.map((parent) => invoiceEvent(parent)),
      ...NON_OBJECTS.map((details) => invoiceEvent({ subscription_details: details })),
      ...NON_OBJECTS.map((metadata) => invoiceEvent({ subscription_details: { metadata } })),
      ...NON_TEXTS.map((value) => invoiceEvent({ subscription_details: { metadata: { reference: value } } })),
      ...[7, true, [], {}, '', '../payments', LONG, NUL].map((payment) => chargeEvent(payment)),
    ],
  },
  razorpay: {
    followed: [orderEvent(), { event: 'subscription.charged', payload: { subscription: { entity: { notes: { reference } } } } }],
    ignored: [
      { event: 'x' },
      { event: 'settlement.processed', payload: 7 },
      orderEvent(null),
      orderEvent({ entity: {} }),
      orderEvent({ entity: { notes: [] } }),
      orderEvent({ entity: { notes: null, order_id: null, invoice_id: null } }),
      orderEvent({ entity: { notes: { reference: 'of another program' } } }),
      paymentEvent({ order_id: 'order_none', invoice_id: 'inv_none' }),
    ],
    refused: [
      null,
      7,
      'text',
      true,
      [],
      [orderEvent()],
      {},
      ...[null, 7, [], {}].map((event) => ({ ...orderEvent(), event })),
      { event: 'order.paid' },
      ...[null, ...NON_OBJECTS].map((payload) => ({ event: 'order.paid', payload })),
      ...[...NON_OBJECTS, {}].map((order) => orderEvent(order)),
      ...[null, ...NON_OBJECTS].map((entity) => orderEvent({ entity })),
      ...[7, true, 'text', [{}]].map((notes) => orderEvent({ entity: { notes } })),
      ...NON_TEXTS.map((value) => orderEvent({ entity: { notes: { reference: value } } })),
      ...[7, true, [], {}, '', '../payments', LONG, NUL].flatMap((id) => [
        paymentEvent({ order_id: id }),
        paymentEvent({ invoice_id: id }),
      ]),
    ],
  },
};

describe.each(['test', 'stripe', 'razorpay'] as const)('the webhooks of the gateway %s', (name) => {
  let world: WebhookSetup;
  beforeAll(async () => {
    world = await setups[name]();
  });
  afterAll(() => world.close());

  const send = async (
    payload: string,
    { ahead = 0, headers = {} }: { ahead?: number; headers?: Record<string, string> } = {},
  ) => {
    const answer = await world.shop.app.inject({
      method: 'POST',
      url: world.path,
      headers: { 'content-type': 'application/json', ...world.sign(payload, ahead), ...headers },
      payload,
    });
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    const read: unknown = isJson ? JSON.parse(answer.body) : answer.body;
    return { status: answer.statusCode, body: read };
  };
  const received = { status: 200, body: { received: true } };
  const refused = { status: 400, body: { error: expect.any(String) as string } };
  /** Each body with its response, so that a failure names the body. */
  const answersTo = (bodies: unknown[]) =>
    Promise.all(bodies.map(async (body) => [JSON.stringify(body), await send(JSON.stringify(body))]));
  const eachWith = (bodies: unknown[], answer: object) => bodies.map((body) => [JSON.stringify(body), answer]);

  test('signed messages about a payment are accepted, even when the store does not have it', async () => {
    const { followed } = cases[name];
    expect(await answersTo(followed)).toEqual(eachWith(followed, received));
  });

  test('signed messages of an unknown type, or about another program’s payment, are accepted and ignored', async () => {
    const { ignored } = cases[name];
    expect(await answersTo(ignored)).toEqual(eachWith(ignored, received));
  });

  test('signed messages with a missing field, or one of a wrong type, are refused with 400', async () => {
    const bodies = cases[name].refused;
    expect(await answersTo(bodies)).toEqual(eachWith(bodies, refused));
  });

  test('signed bodies that are not JSON, are empty or are nested too deeply are refused with 400', async () => {
    const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const bodies = ['', ' ', '{', 'nul', '\ufeff{}', '<xml/>', 'a=b', nested, '['.repeat(200_000), `{"a":`.repeat(40_000)];
    const answers = await Promise.all(bodies.map((body) => send(body)));
    expect(answers).toEqual(bodies.map(() => refused));
    const deeper = JSON.stringify(cases[name].followed[0]).replace('{', `{"more":${nested},`);
    expect(await send(deeper)).toEqual(received);
  });

  test('an error names the field and is short, even for a long value', async () => {
    const long = 'x'.repeat(200_000);
    const body = {
      test: testMessage({ reference: [long] }),
      stripe: intentEvent({ metadata: long }),
      razorpay: orderEvent({ entity: { notes: long } }),
    }[name];
    const { status, body: answer } = (await send(JSON.stringify(body))) as { status: number; body: { error: string } };
    const field = { test: 'reference', stripe: 'metadata', razorpay: 'payload.order.entity.notes' }[name];
    expect([status, answer.error.startsWith(`Invalid webhook body at ${field}: `)]).toEqual([400, true]);
    expect(answer.error.length).toBeLessThanOrEqual(200);
  });

  test('any media type is read, a malformed one is answered 415, and a body of more than 256 KB 413', async () => {
    const body = JSON.stringify(cases[name].followed[0]);
    const types = ['application/json; charset=utf-8', 'text/plain', 'application/x-www-form-urlencoded', 'image/png'];
    const answers = await Promise.all(types.map((type) => send(body, { headers: { 'content-type': type } })));
    expect(answers).toEqual(types.map(() => received));
    expect((await send(body, { headers: { 'content-type': 'no type' } })).status).toBe(415);
    expect((await send(' '.repeat(256 * 1024 + 1))).status).toBe(413);
  });

  test('a signature dated more than five minutes in the future or the past is refused; Razorpay’s have no date', async () => {
    const body = JSON.stringify(cases[name].followed[0]);
    const dates = [TOLERANCE + MARGIN, 24 * 60 * 60, -TOLERANCE - MARGIN, TOLERANCE - MARGIN, MARGIN - TOLERANCE];
    const outside = name === 'razorpay' ? received : refused;
    const answers = await Promise.all(dates.map((ahead) => send(body, { ahead })));
    expect(answers).toEqual([outside, outside, outside, received, received]);
  });

  test('a signed body of any content is answered 200 or 400, and is not logged as a failure', async () => {
    const error = vi.spyOn(world.shop.services.log, 'error');
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom(...NON_TEXTS, ...NON_OBJECTS));
    const wrong = fc
      .tuple(fc.constantFrom(...cases[name].followed, ...cases[name].ignored), fc.nat(), value)
      .map(([body, at, put]) => replaceAt(body, at, put));
    const body = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      wrong.map((each) => JSON.stringify(each)),
    );
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const answer = await send(sent);
        expect(answer).toEqual(answer.status === 200 ? received : refused);
      }),
      { seed: SEED, numRuns: RUNS },
    );
    expect(error.mock.calls).toEqual([]);
  });
});

/** A copy of the JSON with one value, at any depth, replaced. */
function replaceAt(body: unknown, at: number, put: unknown): unknown {
  const places: (() => void)[] = [];
  const copy = structuredClone(body);
  const visit = (each: unknown): void => {
    if (typeof each !== 'object' || each === null) return;
    for (const [key, child] of Object.entries(each)) {
      places.push(() => void Reflect.set(each, key, put));
      visit(child);
    }
  };
  visit(copy);
  places[at % Math.max(1, places.length)]?.();
  return copy;
}
