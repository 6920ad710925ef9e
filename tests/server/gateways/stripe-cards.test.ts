import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type IntentRequest, type PaymentPort, PaymentUnknown, type Terms } from '../../../server/payment/port.ts';
import { createStripeGateway } from '../../../server/payment/stripe/stripe-gateway.ts';
import { type Card, createMemoryGatewayNames } from '../support/gateways/harness.ts';
import { createStripeAccess } from '../support/gateways/stripe.ts';
import { startFakeStripe, STRIPE_KEY, type FakeStripe } from '../support/stripe/fake-stripe.ts';

let fakeStripe: FakeStripe;
let port: PaymentPort;
let customer: string;
beforeAll(async () => {
  fakeStripe = await startFakeStripe();
  port = createStripeGateway(
    { ...createStripeAccess(fakeStripe.at), now: () => Date.now() + fakeStripe.gatewayState.clockOffsetMs },
    createMemoryGatewayNames(),
  ).port;
});
beforeEach(() => {
  customer = `s1/${randomUUID()}`;
});
afterEach(() => expect(fakeStripe.unknownRequests).toEqual([]));
afterAll(() => fakeStripe.close());

const HOUR_MS = 60 * 60_000;
const accountUrl = 'http://shop.example/account';
const monthlyTerms: Terms = { amountMinor: 900, period: 'month', trialDays: 0 };
const makeIntentRequest = (overrides: Partial<IntentRequest> = {}): IntentRequest => ({
  reference: `s1/${randomUUID()}`,
  amountMinor: 990,
  currency: 'EUR',
  description: 'A book',
  shopName: 'Books',
  returnUrl: 'http://shop.example/checkout/complete?transId=t1',
  language: 'en',
  customer,
  ...overrides,
});
/** Types a card on the page of a setup. @returns the token from the redirect */
const submitCardSetup = async (card: Card = 'good'): Promise<string> => {
  const url = await port.startSetup({ customer, shopName: 'Books', returnUrl: accountUrl, language: 'fr' });
  const redirectUrl = fakeStripe.gatewayState.pay(url, card) ?? '';
  expect(url).not.toContain(new URL(redirectUrl).searchParams.get('cardtoken')?.split('.')[1]);
  return new URL(redirectUrl).searchParams.get('cardtoken') ?? '';
};
const saveCardToken = async (card: Card = 'good'): Promise<string> =>
  (await port.claimSetup(await submitCardSetup(card), customer))?.token ?? '';

describe('a saved card', () => {
  test('the token of a saved card is valid for its customer, returns the same card each time, and expires', async () => {
    const token = await submitCardSetup();
    const [session = '', secret = ''] = token.split('.');
    await port.create(makeIntentRequest({ customer: 's1/other' }));
    for (const wrongToken of [session, `${session}.made-up`, `.${secret}`, `${session}x.${secret}`])
      expect(await port.claimSetup(wrongToken, customer), wrongToken).toBeUndefined();
    expect(await port.claimSetup(token, 's1/other')).toBeUndefined();
    expect(await port.claimSetup(token, 's1/nobody')).toBeUndefined();
    const card = await port.claimSetup(token, customer);
    expect(card).toMatchObject({ brand: 'Visa', last4: '4242', expMonth: 12, expYear: 2040, replaces: [] });
    expect(await port.claimSetup(token, customer)).toEqual(card);
    fakeStripe.gatewayState.clockOffsetMs = 3 * HOUR_MS;
    expect(await port.claimSetup(token, customer)).toBeUndefined();
    fakeStripe.gatewayState.clockOffsetMs = 0;
  });

  test('a saved card replaces older cards with the same number, and no others', async () => {
    const firstToken = await saveCardToken();
    await saveCardToken('once');
    // Two cards with the same number are ordered by the time of their submission.
    fakeStripe.gatewayState.clockOffsetMs = 1000;
    const secondCard = await port.claimSetup(await submitCardSetup(), customer);
    expect(secondCard?.replaces).toEqual([firstToken]);
    fakeStripe.gatewayState.clockOffsetMs = 0;
  });

  test('a card is reported with its payment only when the customer chose to save it', async () => {
    for (const isSaved of [true, false]) {
      const { url, id } = await port.create(makeIntentRequest());
      fakeStripe.gatewayState.pay(url, 'good', isSaved);
      const intent = await port.read(id);
      expect(intent?.keptCard?.last4, String(isSaved)).toBe(isSaved ? '4242' : undefined);
    }
  });

  test('a saved card is deleted, and deleting is idempotent', async () => {
    const token = await submitCardSetup();
    const card = await port.claimSetup(token, customer);
    for (let time = 0; time < 2; time += 1) await port.forgetCard(card?.token ?? '');
    expect(await port.claimSetup(token, customer)).toBeUndefined();
    await port.forgetCard('pm_unknown');
    const request = makeIntentRequest({ cardToken: card?.token ?? '' });
    expect(await port.create(request)).toMatchObject({ state: 'failed', reason: 'card_unknown' });
  });
});

describe('a payment with a saved card', () => {
  test('a payment with a saved card is authorised at once, and charged once', async () => {
    const request = makeIntentRequest({ cardToken: await saveCardToken() });
    const intent = await port.create(request);
    expect(intent).toMatchObject({ state: 'authorized', keptCard: null });
    expect((await port.create(request)).id).toBe(intent.id);
    expect(await port.capture(intent.id)).toMatchObject({ state: 'captured' });
    expect(fakeStripe.gatewayState.countCharges(request.reference)).toBe(1);
  });

  test('a payment with a saved card closes the earlier page, so that it cannot be paid twice', async () => {
    const request = makeIntentRequest();
    const page = await port.create(request);
    const intent = await port.create({ ...request, cardToken: await saveCardToken() });
    expect(intent).toMatchObject({ state: 'authorized' });
    expect(intent.id).not.toBe(page.id);
    expect(await port.read(page.id)).toMatchObject({ state: 'cancelled' });
    expect((await port.readByReference(request.reference))?.id).toBe(intent.id);
    // A repeated request does not return the page either.
    expect((await port.create(request)).id).toBe(intent.id);
  });

  test('a payment with a saved card that never arrived is replaced with a page', async () => {
    const request = makeIntentRequest();
    const firstPage = await port.create(request);
    fakeStripe.failNext('POST /v1/payment_intents/:id/confirm', 'silent');
    await expect(port.create({ ...request, cardToken: await saveCardToken() })).rejects.toBeInstanceOf(PaymentUnknown);
    const page = await port.create(request);
    expect(page).toMatchObject({ state: 'open', url: expect.stringContaining('checkout.example') as string });
    expect(page.id).not.toBe(firstPage.id);
    expect(fakeStripe.gatewayState.pay(page.url, 'good')).not.toBeNull();
    expect(await port.capture(page.id)).toMatchObject({ state: 'captured' });
    const payments = [...fakeStripe.gatewayState.payments.values()].filter(
      ({ metadata }) => metadata['reference'] === request.reference,
    );
    expect(payments.map(({ status }) => status).toSorted()).toEqual(['canceled', 'succeeded']);
  });

  test('a payment with a saved card is not replaced when only its response was lost', async () => {
    const request = makeIntentRequest();
    const cardToken = await saveCardToken();
    fakeStripe.failNext('POST /v1/payment_intents/:id/confirm', 'lost');
    await expect(port.create({ ...request, cardToken })).rejects.toBeInstanceOf(PaymentUnknown);
    expect(await port.create(request)).toMatchObject({ state: 'authorized' });
  });

  test('a payment with a saved card does nothing when the page has already been paid', async () => {
    const request = makeIntentRequest();
    const page = await port.create(request);
    fakeStripe.gatewayState.pay(page.url, 'good');
    expect(await port.create({ ...request, cardToken: await saveCardToken() })).toMatchObject({
      id: page.id,
      state: 'authorized',
    });
  });

  test('a declined payment with a saved card is final: it cannot be paid in another way', async () => {
    const request = makeIntentRequest({ cardToken: await saveCardToken('once') });
    const intent = await port.create(request);
    expect(intent).toMatchObject({ state: 'failed', reason: 'card_declined' });
    expect(fakeStripe.gatewayState.payments.get(intent.id)?.status).toBe('canceled');
    expect(await port.create(request)).toMatchObject({ state: 'failed' });
    expect(await port.cancel(intent.id)).toMatchObject({ state: 'failed' });
  });

  test('a saved card that needs the bank’s approval redirects to the bank, and fails when the bank refuses', async () => {
    const cardToken = await saveCardToken('challenge');
    for (const approves of [true, false]) {
      const { id, url, state } = await port.create(makeIntentRequest({ cardToken }));
      expect([state, url]).toEqual(['action_required', `https://bank.example/${id}`]);
      const returnUrl = new URL(fakeStripe.gatewayState.answerBank(url, approves));
      expect(returnUrl.searchParams.get('intentId')).toBe(id);
      expect(await port.read(id)).toMatchObject(
        approves ? { state: 'authorized' } : { state: 'failed', reason: 'authentication_failed' },
      );
    }
  });

  test('a payment with a saved card is not repeated after a lost response', async () => {
    const request = makeIntentRequest({ cardToken: await saveCardToken() });
    for (const call of ['POST /v1/payment_intents', 'POST /v1/payment_intents/:id/confirm']) {
      fakeStripe.failNext(call, 'lost');
      await expect(port.create(request)).rejects.toBeInstanceOf(PaymentUnknown);
    }
    const intent = await port.create(request);
    expect(intent).toMatchObject({ state: 'authorized' });
    const payments = [...fakeStripe.gatewayState.payments.values()].filter(
      ({ metadata }) => metadata['reference'] === request.reference,
    );
    expect(payments.map(({ id }) => id)).toEqual([intent.id]);
  });
});

describe('a subscription', () => {
  const startSubscription = async (card: Card = 'good') => {
    const request = makeIntentRequest({ subscription: monthlyTerms });
    const { url, id } = await port.create(request);
    fakeStripe.gatewayState.pay(url, card);
    const { subscription } = await port.capture(id);
    return { id: subscription?.id ?? '', request, intent: id };
  };

  test('a subscription with a saved card is charged only at the confirmation', async () => {
    const request = makeIntentRequest({ subscription: monthlyTerms, cardToken: await saveCardToken() });
    const intent = await port.create(request);
    expect(intent).toMatchObject({ state: 'authorized' });
    expect(fakeStripe.gatewayState.subscriptions.size).toBe(0);
    expect(await port.capture(intent.id)).toMatchObject({ state: 'captured', subscription: { state: 'active' } });
    const [subscription] = fakeStripe.gatewayState.subscriptions.values();
    expect(subscription).toMatchObject({ amount: 900, currency: 'eur', interval: 'month', count: 1 });
  });

  test('a subscription whose first payment is declined is not created, then or later', async () => {
    const countBefore = fakeStripe.gatewayState.subscriptions.size;
    const request = makeIntentRequest({ subscription: monthlyTerms });
    const { url, id } = await port.create(request);
    fakeStripe.gatewayState.pay(url, 'challenge');
    for (let time = 0; time < 2; time += 1)
      expect(await port.capture(id)).toMatchObject({ state: 'failed', reason: 'card_declined' });
    expect(fakeStripe.gatewayState.subscriptions.size).toBe(countBefore);
  });

  test('a subscription cancelled before the confirmation is never created', async () => {
    const countBefore = fakeStripe.gatewayState.subscriptions.size;
    const { url, id } = await port.create(makeIntentRequest({ subscription: monthlyTerms }));
    fakeStripe.gatewayState.pay(url, 'good');
    expect(await port.cancel(id)).toMatchObject({ state: 'cancelled' });
    expect(await port.capture(id)).toMatchObject({ state: 'cancelled' });
    expect(fakeStripe.gatewayState.subscriptions.size).toBe(countBefore);
  });

  test('a subscription is created once, although its response is lost', async () => {
    const request = makeIntentRequest({ subscription: monthlyTerms });
    const { url, id } = await port.create(request);
    fakeStripe.gatewayState.pay(url, 'good');
    fakeStripe.failNext('POST /v1/subscriptions', 'lost');
    await expect(port.capture(id)).rejects.toBeInstanceOf(PaymentUnknown);
    expect(await port.capture(id)).toMatchObject({ state: 'captured' });
    const subscriptions = [...fakeStripe.gatewayState.subscriptions.values()].filter(
      ({ metadata }) => metadata['reference'] === request.reference,
    );
    expect(subscriptions).toHaveLength(1);
  });

  test('a subscription with a failed payment continues with the card from the portal, and is charged once', async () => {
    const { id } = await startSubscription('once');
    fakeStripe.gatewayState.clockOffsetMs = 31 * 24 * HOUR_MS;
    expect(await port.readSubscription(id)).toMatchObject({ state: 'past_due', renewals: 0 });
    const url = await port.startSetup({ customer, subscription: id, shopName: 'Books', returnUrl: accountUrl, language: 'en' });
    expect(url).toContain('billing.example');
    const stripeId = url.split('/').at(-1) ?? '';
    const stripeCustomer = fakeStripe.gatewayState.customers.get(stripeId);
    if (stripeCustomer) stripeCustomer.card = fakeStripe.gatewayState.newMethod('good', stripeId).id;
    for (let time = 0; time < 2; time += 1)
      expect(await port.readSubscription(id)).toMatchObject({ state: 'active', renewals: 1 });
    expect(fakeStripe.callNames.filter((call) => call === 'POST /v1/invoices/:id/pay')).toHaveLength(1);
    fakeStripe.gatewayState.clockOffsetMs = 0;
  });

  test('a subscription renewed before Stripe received its cancellation is refunded', async () => {
    const { id } = await startSubscription();
    const cancelledAt = Date.now() + HOUR_MS;
    fakeStripe.gatewayState.clockOffsetMs = 31 * 24 * HOUR_MS;
    const refundCountBefore = fakeStripe.gatewayState.refunds.length;
    for (let time = 0; time < 2; time += 1)
      expect(await port.cancelSubscription(id, { at: cancelledAt, atOnce: false })).toMatchObject({
        state: 'ended',
        renewals: 0,
        cancelled: true,
      });
    expect(fakeStripe.gatewayState.refunds).toHaveLength(refundCountBefore + 1);
    fakeStripe.gatewayState.clockOffsetMs = 0;
  });

  test('a subscription ends at once when that is requested', async () => {
    const { id } = await startSubscription();
    expect(await port.cancelSubscription(id, { at: Date.now() + HOUR_MS, atOnce: true })).toMatchObject({ state: 'ended' });
    expect(await port.cancelSubscription('sub_unknown', { at: 0, atOnce: true })).toBeUndefined();
  });
});

test('a wrong key leaves the outcome unknown, and the gateway is not up', async () => {
  const portWithWrongKey = createStripeGateway(
    { ...createStripeAccess(fakeStripe.at), secretKey: 'sk_test_another' },
    createMemoryGatewayNames(),
  ).port;
  expect(await portWithWrongKey.isUp()).toBe(false);
  await expect(portWithWrongKey.create(makeIntentRequest())).rejects.toBeInstanceOf(PaymentUnknown);
});

test('the fake Stripe notices parameters that Stripe does not have', async () => {
  const stripe = new Stripe(STRIPE_KEY, { ...fakeStripe.at, maxNetworkRetries: 0 });
  const unknownFields = { metadata: { customer: 'x' }, nickname: 'Ann', address: { line_one: '1' } } as object;
  await stripe.customers.create(unknownFields);
  await stripe.balanceSettings.retrieve().catch(() => {});
  expect(fakeStripe.unknownRequests.splice(0)).toEqual([
    'POST /v1/customers: nickname',
    'POST /v1/customers: address',
    'GET /v1/balance_settings',
  ]);
});
