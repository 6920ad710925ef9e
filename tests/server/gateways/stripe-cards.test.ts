import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type IntentRequest, type PaymentPort, PaymentUnknown, type Terms } from '../../../server/payment/port.ts';
import { createStripeGateway } from '../../../server/payment/stripe/stripe-gateway.ts';
import { type Card, memoryGatewayNames } from '../support/gateways/harness.ts';
import { stripeAccess } from '../support/gateways/stripe.ts';
import { startFakeStripe, STRIPE_KEY, type FakeStripe } from '../support/stripe/fake-stripe.ts';

let fakeStripe: FakeStripe;
let port: PaymentPort;
let customer: string;
beforeAll(async () => {
  fakeStripe = await startFakeStripe();
  port = createStripeGateway(
    { ...stripeAccess(fakeStripe.at), now: () => Date.now() + fakeStripe.book.ahead },
    memoryGatewayNames(),
  ).port;
});
beforeEach(() => {
  customer = `s1/${randomUUID()}`;
});
afterEach(() => expect(fakeStripe.unknown).toEqual([]));
afterAll(() => fakeStripe.close());

const HOUR_MS = 60 * 60_000;
const accountUrl = 'http://shop.example/account';
const monthly: Terms = { amountMinor: 900, period: 'month', trialDays: 0 };
const newIntentRequest = (more: Partial<IntentRequest> = {}): IntentRequest => ({
  reference: `s1/${randomUUID()}`,
  amountMinor: 990,
  currency: 'EUR',
  description: 'A book',
  shopName: 'Books',
  returnUrl: 'http://shop.example/checkout/complete?transId=t1',
  language: 'en',
  customer,
  ...more,
});
/** A card that the customer types on the page of a setup. @returns the token from the redirect */
const submitCardSetup = async (card: Card = 'good'): Promise<string> => {
  const url = await port.startSetup({ customer, shopName: 'Books', returnUrl: accountUrl, language: 'fr' });
  const back = fakeStripe.book.pay(url, card) ?? '';
  expect(url).not.toContain(new URL(back).searchParams.get('cardtoken')?.split('.')[1]);
  return new URL(back).searchParams.get('cardtoken') ?? '';
};
const saveCardToken = async (card: Card = 'good'): Promise<string> =>
  (await port.claimSetup(await submitCardSetup(card), customer))?.token ?? '';

describe('a saved card', () => {
  test('is claimed with a token of its customer, returns the same card each time, and expires within two hours', async () => {
    const token = await submitCardSetup();
    const [session = '', secret = ''] = token.split('.');
    await port.create(newIntentRequest({ customer: 's1/other' }));
    for (const wrong of [session, `${session}.made-up`, `.${secret}`, `${session}x.${secret}`])
      expect(await port.claimSetup(wrong, customer), wrong).toBeUndefined();
    expect(await port.claimSetup(token, 's1/other')).toBeUndefined();
    expect(await port.claimSetup(token, 's1/nobody')).toBeUndefined();
    const card = await port.claimSetup(token, customer);
    expect(card).toMatchObject({ brand: 'Visa', last4: '4242', expMonth: 12, expYear: 2040, replaces: [] });
    expect(await port.claimSetup(token, customer)).toEqual(card);
    fakeStripe.book.ahead = 3 * HOUR_MS;
    expect(await port.claimSetup(token, customer)).toBeUndefined();
    fakeStripe.book.ahead = 0;
  });

  test('replaces older cards with the same number, and no others', async () => {
    const first = await saveCardToken();
    await saveCardToken('once');
    // Two cards with one number are ordered by when they were typed.
    fakeStripe.book.ahead = 1000;
    const again = await port.claimSetup(await submitCardSetup(), customer);
    expect(again?.replaces).toEqual([first]);
    fakeStripe.book.ahead = 0;
  });

  test('is reported with its payment only when the customer chose to save it', async () => {
    for (const keeps of [true, false]) {
      const { url, id } = await port.create(newIntentRequest());
      fakeStripe.book.pay(url, 'good', keeps);
      const intent = await port.read(id);
      expect(intent?.keptCard?.last4, String(keeps)).toBe(keeps ? '4242' : undefined);
    }
  });

  test('is deleted, and deleting is idempotent', async () => {
    const token = await submitCardSetup();
    const card = await port.claimSetup(token, customer);
    for (let time = 0; time < 2; time += 1) await port.forgetCard(card?.token ?? '');
    expect(await port.claimSetup(token, customer)).toBeUndefined();
    await port.forgetCard('pm_unknown');
    const request = newIntentRequest({ cardToken: card?.token ?? '' });
    expect(await port.create(request)).toMatchObject({ state: 'failed', reason: 'card_unknown' });
  });
});

describe('a payment with a saved card', () => {
  test('is authorised at once, and charged once', async () => {
    const request = newIntentRequest({ cardToken: await saveCardToken() });
    const intent = await port.create(request);
    expect(intent).toMatchObject({ state: 'authorized', keptCard: null });
    expect((await port.create(request)).id).toBe(intent.id);
    expect(await port.capture(intent.id)).toMatchObject({ state: 'captured' });
    expect(fakeStripe.book.charges(request.reference)).toBe(1);
  });

  test('closes the earlier page, so that it cannot be paid twice', async () => {
    const request = newIntentRequest();
    const page = await port.create(request);
    const intent = await port.create({ ...request, cardToken: await saveCardToken() });
    expect(intent).toMatchObject({ state: 'authorized' });
    expect(intent.id).not.toBe(page.id);
    expect(await port.read(page.id)).toMatchObject({ state: 'cancelled' });
    expect((await port.readByReference(request.reference))?.id).toBe(intent.id);
    // The page is not returned again either.
    expect((await port.create(request)).id).toBe(intent.id);
  });

  test('that never arrived is replaced with a page', async () => {
    const request = newIntentRequest();
    const first = await port.create(request);
    fakeStripe.trouble('POST /v1/payment_intents/:id/confirm', 'silent');
    await expect(port.create({ ...request, cardToken: await saveCardToken() })).rejects.toBeInstanceOf(PaymentUnknown);
    const page = await port.create(request);
    expect(page).toMatchObject({ state: 'open', url: expect.stringContaining('checkout.example') as string });
    expect(page.id).not.toBe(first.id);
    expect(fakeStripe.book.pay(page.url, 'good')).not.toBeNull();
    expect(await port.capture(page.id)).toMatchObject({ state: 'captured' });
    const states = [...fakeStripe.book.payments.values()].filter(({ metadata }) => metadata['reference'] === request.reference);
    expect(states.map(({ status }) => status).toSorted()).toEqual(['canceled', 'succeeded']);
  });

  test('that arrived but whose response was lost is not replaced', async () => {
    const request = newIntentRequest();
    const cardToken = await saveCardToken();
    fakeStripe.trouble('POST /v1/payment_intents/:id/confirm', 'lost');
    await expect(port.create({ ...request, cardToken })).rejects.toBeInstanceOf(PaymentUnknown);
    expect(await port.create(request)).toMatchObject({ state: 'authorized' });
  });

  test('does nothing when the page has been paid in the meantime', async () => {
    const request = newIntentRequest();
    const page = await port.create(request);
    fakeStripe.book.pay(page.url, 'good');
    expect(await port.create({ ...request, cardToken: await saveCardToken() })).toMatchObject({
      id: page.id,
      state: 'authorized',
    });
  });

  test('that is declined is final: it cannot be paid in another way', async () => {
    const declined = newIntentRequest({ cardToken: await saveCardToken('once') });
    const intent = await port.create(declined);
    expect(intent).toMatchObject({ state: 'failed', reason: 'card_declined' });
    expect(fakeStripe.book.payments.get(intent.id)?.status).toBe('canceled');
    expect(await port.create(declined)).toMatchObject({ state: 'failed' });
    expect(await port.cancel(intent.id)).toMatchObject({ state: 'failed' });
  });

  test('that needs the bank’s approval redirects to the bank and back, and fails when the bank refuses', async () => {
    const cardToken = await saveCardToken('challenge');
    for (const approves of [true, false]) {
      const { id, url, state } = await port.create(newIntentRequest({ cardToken }));
      expect([state, url]).toEqual(['action_required', `https://bank.example/${id}`]);
      const home = new URL(fakeStripe.book.answerBank(url, approves));
      expect(home.searchParams.get('intentId')).toBe(id);
      expect(await port.read(id)).toMatchObject(
        approves ? { state: 'authorized' } : { state: 'failed', reason: 'authentication_failed' },
      );
    }
  });

  test('whose response is lost is not repeated', async () => {
    const request = newIntentRequest({ cardToken: await saveCardToken() });
    for (const call of ['POST /v1/payment_intents', 'POST /v1/payment_intents/:id/confirm']) {
      fakeStripe.trouble(call, 'lost');
      await expect(port.create(request)).rejects.toBeInstanceOf(PaymentUnknown);
    }
    const intent = await port.create(request);
    expect(intent).toMatchObject({ state: 'authorized' });
    const made = [...fakeStripe.book.payments.values()].filter(({ metadata }) => metadata['reference'] === request.reference);
    expect(made.map(({ id }) => id)).toEqual([intent.id]);
  });
});

describe('a subscription', () => {
  const subscribed = async (card: Card = 'good') => {
    const request = newIntentRequest({ subscription: monthly });
    const { url, id } = await port.create(request);
    fakeStripe.book.pay(url, card);
    const { subscription } = await port.capture(id);
    return { id: subscription?.id ?? '', request, intent: id };
  };

  test('starts with a saved card as well, and is charged only at the confirmation', async () => {
    const request = newIntentRequest({ subscription: monthly, cardToken: await saveCardToken() });
    const intent = await port.create(request);
    expect(intent).toMatchObject({ state: 'authorized' });
    expect(fakeStripe.book.subscriptions.size).toBe(0);
    expect(await port.capture(intent.id)).toMatchObject({ state: 'captured', subscription: { state: 'active' } });
    const [made] = fakeStripe.book.subscriptions.values();
    expect(made).toMatchObject({ amount: 900, currency: 'eur', interval: 'month', count: 1 });
  });

  test('whose first payment is declined is not created, then or later', async () => {
    const before = fakeStripe.book.subscriptions.size;
    const request = newIntentRequest({ subscription: monthly });
    const { url, id } = await port.create(request);
    fakeStripe.book.pay(url, 'challenge');
    for (let time = 0; time < 2; time += 1)
      expect(await port.capture(id)).toMatchObject({ state: 'failed', reason: 'card_declined' });
    expect(fakeStripe.book.subscriptions.size).toBe(before);
  });

  test('that was cancelled before the confirmation is never created', async () => {
    const before = fakeStripe.book.subscriptions.size;
    const { url, id } = await port.create(newIntentRequest({ subscription: monthly }));
    fakeStripe.book.pay(url, 'good');
    expect(await port.cancel(id)).toMatchObject({ state: 'cancelled' });
    expect(await port.capture(id)).toMatchObject({ state: 'cancelled' });
    expect(fakeStripe.book.subscriptions.size).toBe(before);
  });

  test('is created once, although its response is lost', async () => {
    const request = newIntentRequest({ subscription: monthly });
    const { url, id } = await port.create(request);
    fakeStripe.book.pay(url, 'good');
    fakeStripe.trouble('POST /v1/subscriptions', 'lost');
    await expect(port.capture(id)).rejects.toBeInstanceOf(PaymentUnknown);
    expect(await port.capture(id)).toMatchObject({ state: 'captured' });
    const made = [...fakeStripe.book.subscriptions.values()].filter(
      ({ metadata }) => metadata['reference'] === request.reference,
    );
    expect(made).toHaveLength(1);
  });

  test('with a failed payment continues with the card from the portal, charged once', async () => {
    const { id } = await subscribed('once');
    fakeStripe.book.ahead = 31 * 24 * HOUR_MS;
    expect(await port.readSubscription(id)).toMatchObject({ state: 'past_due', renewals: 0 });
    const url = await port.startSetup({ customer, subscription: id, shopName: 'Books', returnUrl: accountUrl, language: 'en' });
    expect(url).toContain('billing.example');
    const stripeId = url.split('/').at(-1) ?? '';
    const own = fakeStripe.book.customers.get(stripeId);
    if (own) own.card = fakeStripe.book.newMethod('good', stripeId).id;
    for (let time = 0; time < 2; time += 1)
      expect(await port.readSubscription(id)).toMatchObject({ state: 'active', renewals: 1 });
    expect(fakeStripe.asked.filter((call) => call === 'POST /v1/invoices/:id/pay')).toHaveLength(1);
    fakeStripe.book.ahead = 0;
  });

  test('that was renewed before Stripe received its cancellation is refunded', async () => {
    const { id } = await subscribed();
    const at = Date.now() + HOUR_MS;
    fakeStripe.book.ahead = 31 * 24 * HOUR_MS;
    const before = fakeStripe.book.refunds.length;
    for (let time = 0; time < 2; time += 1)
      expect(await port.cancelSubscription(id, { at, atOnce: false })).toMatchObject({
        state: 'ended',
        renewals: 0,
        cancelled: true,
      });
    expect(fakeStripe.book.refunds).toHaveLength(before + 1);
    fakeStripe.book.ahead = 0;
  });

  test('ends at once when that is requested', async () => {
    const { id } = await subscribed();
    expect(await port.cancelSubscription(id, { at: Date.now() + HOUR_MS, atOnce: true })).toMatchObject({ state: 'ended' });
    expect(await port.cancelSubscription('sub_unknown', { at: 0, atOnce: true })).toBeUndefined();
  });
});

test('a wrong key leaves the outcome unknown, and the gateway is not up', async () => {
  const wrong = createStripeGateway({ ...stripeAccess(fakeStripe.at), secretKey: 'sk_test_another' }, memoryGatewayNames()).port;
  expect(await wrong.isUp()).toBe(false);
  await expect(wrong.create(newIntentRequest())).rejects.toBeInstanceOf(PaymentUnknown);
});

test('the fake Stripe notices parameters that Stripe does not have', async () => {
  const stripe = new Stripe(STRIPE_KEY, { ...fakeStripe.at, maxNetworkRetries: 0 });
  const odd = { metadata: { customer: 'x' }, nickname: 'Ann', address: { line_one: '1' } } as object;
  await stripe.customers.create(odd);
  await stripe.balanceSettings.retrieve().catch(() => {});
  expect(fakeStripe.unknown.splice(0)).toEqual([
    'POST /v1/customers: nickname',
    'POST /v1/customers: address',
    'GET /v1/balance_settings',
  ]);
});
