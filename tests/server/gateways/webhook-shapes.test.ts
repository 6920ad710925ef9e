import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { signBody } from '../../../server/base/signature.ts';
import { createGatewayNames } from '../../../server/payment/gateway-names.ts';
import { createRazorpayGateway } from '../../../server/payment/razorpay/razorpay-gateway.ts';
import { createStripeGateway } from '../../../server/payment/stripe/stripe-gateway.ts';
import { createRazorpayAccess, signAsRazorpay } from '../support/gateways/razorpay.ts';
import { signAsStripe, createStripeAccess } from '../support/gateways/stripe.ts';
import { startFakeRazorpay } from '../support/razorpay/fake-razorpay.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { startFakeStripe } from '../support/stripe/fake-stripe.ts';

/** A fixed seed: only a code change can make the test fail. */
const SEED = 20_261_126;
const RUNS = 300;
/** Seconds by which a date may differ from the clock, and a margin for slow computers. */
const [TOLERANCE_S, MARGIN_S] = [300, 30];

type WebhookSetup = {
  shop: Shop;
  path: string;
  /** @param ahead seconds by which the signature is dated in the future */
  sign(body: string, ahead: number): Record<string, string>;
  close(): Promise<unknown>;
};

const setups = {
  async test(): Promise<WebhookSetup> {
    const shop = await openShop({ webhooks: { notifyUrl: 'http://127.0.0.1:9/', lateDelayMs: 0 } });
    const sign = (body: string, ahead: number) => ({
      'gateway-signature': signBody(body, shop.gateway.secret, Date.now() + ahead * 1000),
    });
    return { shop, path: '/webhooks/test', sign, close: () => shop.close() };
  },
  async stripe(): Promise<WebhookSetup> {
    const fakeStripe = await startFakeStripe();
    const shop = await openShop({
      gateway: (db) => createStripeGateway(createStripeAccess(fakeStripe.at), createGatewayNames(db, 'stripe test')),
    });
    return { shop, path: '/webhooks/stripe', sign: signAsStripe, close: () => Promise.all([shop.close(), fakeStripe.close()]) };
  },
  async razorpay(): Promise<WebhookSetup> {
    const fakeRazorpay = await startFakeRazorpay();
    const shop = await openShop({
      gateway: (db) => createRazorpayGateway(createRazorpayAccess(fakeRazorpay.origin), createGatewayNames(db, 'razorpay test')),
    });
    return {
      shop,
      path: '/webhooks/razorpay',
      sign: signAsRazorpay,
      close: () => Promise.all([shop.close(), fakeRazorpay.close()]),
    };
  },
};

const reference = 'a-store/a-payment';

/** Messages that the shop processes; the cases replace one of their fields. */
const makeTestMessage = (overrides: object = {}) => ({ id: 'm-1', reference, state: 'captured', ...overrides });
const makeIntentEvent = (object: unknown = { metadata: { reference } }) => ({
  type: 'payment_intent.succeeded',
  data: { object },
});
const makeInvoiceEvent = (parent: unknown) => ({ type: 'invoice.paid', data: { object: { metadata: {}, parent } } });
const makeChargeEvent = (payment: unknown) => ({
  type: 'charge.refunded',
  data: { object: { metadata: {}, payment_intent: payment } },
});
const makeOrderEvent = (order: unknown = { entity: { notes: { reference } } }) => ({ event: 'order.paid', payload: { order } });
const makePaymentEvent = (entity: unknown) => ({ event: 'payment.captured', payload: { payment: { entity } } });

const [LONG_TEXT, NUL_TEXT, HALF_SURROGATE] = ['x'.repeat(501), 'a-store/\u0000', 'a-store/\ud800'];
/** Values that are refused as a reference. */
const NON_TEXTS: unknown[] = [null, 7, true, [], {}, [reference], LONG_TEXT, NUL_TEXT, HALF_SURROGATE];
/** Values that are refused as an object. */
const NON_OBJECTS: unknown[] = [7, true, 'text', [], [{}]];

type Cases = { refused: unknown[]; ignored: unknown[]; followed: unknown[] };

const cases: Record<keyof typeof setups, Cases> = {
  test: {
    followed: [makeTestMessage(), makeTestMessage({ more: { deeper: [1] } })],
    ignored: [
      makeTestMessage({ state: 'another' }),
      makeTestMessage({ reference: 'of another program' }),
      makeTestMessage({ reference: '' }),
    ],
    refused: [
      null,
      7,
      'text',
      true,
      [],
      [makeTestMessage()],
      {},
      ...NON_TEXTS.flatMap((value) => [makeTestMessage({ reference: value }), makeTestMessage({ id: value })]),
      ...[null, 7, [], {}].map((state) => makeTestMessage({ state })),
      { id: 'm-1', state: 'captured' },
      { reference, state: 'captured' },
      { id: 'm-1', reference },
    ],
  },
  stripe: {
    followed: [makeIntentEvent(), makeInvoiceEvent({ subscription_details: { metadata: { reference } } })],
    ignored: [
      { type: 'account.updated', data: { object: { metadata: 7 } } },
      { type: 'unknown' },
      makeIntentEvent({}),
      makeIntentEvent({ metadata: null, parent: null }),
      makeIntentEvent({ metadata: { reference: 'of another program' } }),
      makeInvoiceEvent({ subscription_details: null }),
      makeChargeEvent(null),
      makeChargeEvent('pi_unknown'),
    ],
    refused: [
      null,
      7,
      'text',
      true,
      [],
      [makeIntentEvent()],
      {},
      ...[null, 7, [], {}].map((type) => ({ ...makeIntentEvent(), type })),
      { type: 'payment_intent.succeeded' },
      ...[null, ...NON_OBJECTS, {}].map((data) => ({ type: 'payment_intent.succeeded', data })),
      ...[null, ...NON_OBJECTS].map((object) => makeIntentEvent(object)),
      ...NON_OBJECTS.map((metadata) => makeIntentEvent({ metadata })),
      ...NON_TEXTS.map((value) => makeIntentEvent({ metadata: { reference: value } })),
      ...NON_OBJECTS.map((parent) => makeInvoiceEvent(parent)),
      ...NON_OBJECTS.map((details) => makeInvoiceEvent({ subscription_details: details })),
      ...NON_OBJECTS.map((metadata) => makeInvoiceEvent({ subscription_details: { metadata } })),
      ...NON_TEXTS.map((value) => makeInvoiceEvent({ subscription_details: { metadata: { reference: value } } })),
      ...[7, true, [], {}, '', '../payments', LONG_TEXT, NUL_TEXT].map((payment) => makeChargeEvent(payment)),
    ],
  },
  razorpay: {
    followed: [
      makeOrderEvent(),
      { event: 'subscription.charged', payload: { subscription: { entity: { notes: { reference } } } } },
    ],
    ignored: [
      { event: 'x' },
      { event: 'settlement.processed', payload: 7 },
      makeOrderEvent(null),
      makeOrderEvent({ entity: {} }),
      makeOrderEvent({ entity: { notes: [] } }),
      makeOrderEvent({ entity: { notes: null, order_id: null, invoice_id: null } }),
      makeOrderEvent({ entity: { notes: { reference: 'of another program' } } }),
      makePaymentEvent({ order_id: 'order_none', invoice_id: 'inv_none' }),
    ],
    refused: [
      null,
      7,
      'text',
      true,
      [],
      [makeOrderEvent()],
      {},
      ...[null, 7, [], {}].map((event) => ({ ...makeOrderEvent(), event })),
      { event: 'order.paid' },
      ...[null, ...NON_OBJECTS].map((payload) => ({ event: 'order.paid', payload })),
      ...[...NON_OBJECTS, {}].map((order) => makeOrderEvent(order)),
      ...[null, ...NON_OBJECTS].map((entity) => makeOrderEvent({ entity })),
      ...[7, true, 'text', [{}]].map((notes) => makeOrderEvent({ entity: { notes } })),
      ...NON_TEXTS.map((value) => makeOrderEvent({ entity: { notes: { reference: value } } })),
      ...[7, true, [], {}, '', '../payments', LONG_TEXT, NUL_TEXT].flatMap((id) => [
        makePaymentEvent({ order_id: id }),
        makePaymentEvent({ invoice_id: id }),
      ]),
    ],
  },
};

describe.each(['test', 'stripe', 'razorpay'] as const)('the webhooks of the gateway %s', (name) => {
  let setup: WebhookSetup;
  beforeAll(async () => {
    setup = await setups[name]();
  });
  afterAll(() => setup.close());

  const send = async (
    payload: string,
    { ahead = 0, headers = {} }: { ahead?: number; headers?: Record<string, string> } = {},
  ) => {
    const response = await setup.shop.app.inject({
      method: 'POST',
      url: setup.path,
      headers: { 'content-type': 'application/json', ...setup.sign(payload, ahead), ...headers },
      payload,
    });
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    const responseBody: unknown = isJson ? JSON.parse(response.body) : response.body;
    return { status: response.statusCode, body: responseBody };
  };
  const acceptedResult = { status: 200, body: { received: true } };
  const refusedResult = { status: 400, body: { error: expect.any(String) as string } };
  /** @returns each body with its response, so that a failure names the body */
  const collectResponses = (bodies: unknown[]) =>
    Promise.all(bodies.map(async (body) => [JSON.stringify(body), await send(JSON.stringify(body))]));
  const pairWith = (bodies: unknown[], response: object) => bodies.map((body) => [JSON.stringify(body), response]);

  test('signed messages about a payment are accepted, even when the shop does not have it', async () => {
    const { followed } = cases[name];
    expect(await collectResponses(followed)).toEqual(pairWith(followed, acceptedResult));
  });

  test('signed messages of an unknown type, or about another program’s payment, are accepted and ignored', async () => {
    const { ignored } = cases[name];
    expect(await collectResponses(ignored)).toEqual(pairWith(ignored, acceptedResult));
  });

  test('signed messages with a missing field or a field of a wrong type are refused with 400', async () => {
    const bodies = cases[name].refused;
    expect(await collectResponses(bodies)).toEqual(pairWith(bodies, refusedResult));
  });

  test('signed bodies that are not JSON, are empty or are nested too deeply are refused with 400', async () => {
    const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const bodies = ['', ' ', '{', 'nul', '\ufeff{}', '<xml/>', 'a=b', nested, '['.repeat(200_000), `{"a":`.repeat(40_000)];
    const responses = await Promise.all(bodies.map((body) => send(body)));
    expect(responses).toEqual(bodies.map(() => refusedResult));
    const nestedMessage = JSON.stringify(cases[name].followed[0]).replace('{', `{"more":${nested},`);
    expect(await send(nestedMessage)).toEqual(acceptedResult);
  });

  test('an error names the field and is short, even for a long value', async () => {
    const longText = 'x'.repeat(200_000);
    const body = {
      test: makeTestMessage({ reference: [longText] }),
      stripe: makeIntentEvent({ metadata: longText }),
      razorpay: makeOrderEvent({ entity: { notes: longText } }),
    }[name];
    const { status, body: responseBody } = (await send(JSON.stringify(body))) as { status: number; body: { error: string } };
    const field = { test: 'reference', stripe: 'metadata', razorpay: 'payload.order.entity.notes' }[name];
    expect([status, responseBody.error.startsWith(`Invalid webhook body at ${field}: `)]).toEqual([400, true]);
    expect(responseBody.error.length).toBeLessThanOrEqual(200);
  });

  test('any media type is read, a malformed one is answered 415, and a body of more than 256 KiB 413', async () => {
    const body = JSON.stringify(cases[name].followed[0]);
    const types = ['application/json; charset=utf-8', 'text/plain', 'application/x-www-form-urlencoded', 'image/png'];
    const responses = await Promise.all(types.map((type) => send(body, { headers: { 'content-type': type } })));
    expect(responses).toEqual(types.map(() => acceptedResult));
    expect((await send(body, { headers: { 'content-type': 'no type' } })).status).toBe(415);
    expect((await send(' '.repeat(256 * 1024 + 1))).status).toBe(413);
  });

  test('a signature dated more than five minutes in the future or the past is refused, if it has a date', async () => {
    const body = JSON.stringify(cases[name].followed[0]);
    const dates = [TOLERANCE_S + MARGIN_S, 24 * 60 * 60, -TOLERANCE_S - MARGIN_S, TOLERANCE_S - MARGIN_S, MARGIN_S - TOLERANCE_S];
    const resultOutside = name === 'razorpay' ? acceptedResult : refusedResult;
    const responses = await Promise.all(dates.map((ahead) => send(body, { ahead })));
    expect(responses).toEqual([resultOutside, resultOutside, resultOutside, acceptedResult, acceptedResult]);
  });

  test('a signed body of any content is answered 200 or 400, and is not logged as a failure', async () => {
    const error = vi.spyOn(setup.shop.services.log, 'error');
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom(...NON_TEXTS, ...NON_OBJECTS));
    const mutatedMessage = fc
      .tuple(fc.constantFrom(...cases[name].followed, ...cases[name].ignored), fc.nat(), value)
      .map(([body, index, replacement]) => replaceAt(body, index, replacement));
    const body = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      mutatedMessage.map((each) => JSON.stringify(each)),
    );
    await fc.assert(
      fc.asyncProperty(body, async (payload) => {
        const response = await send(payload);
        expect(response).toEqual(response.status === 200 ? acceptedResult : refusedResult);
      }),
      { seed: SEED, numRuns: RUNS },
    );
    expect(error.mock.calls).toEqual([]);
  });
});

/** @returns a copy of the JSON with one value replaced; `index` counts the values at all depths */
function replaceAt(body: unknown, index: number, replacement: unknown): unknown {
  const replacements: (() => void)[] = [];
  const copy = structuredClone(body);
  const visit = (each: unknown): void => {
    if (typeof each !== 'object' || each === null) return;
    for (const [key, child] of Object.entries(each)) {
      replacements.push(() => void Reflect.set(each, key, replacement));
      visit(child);
    }
  };
  visit(copy);
  replacements[index % Math.max(1, replacements.length)]?.();
  return copy;
}
