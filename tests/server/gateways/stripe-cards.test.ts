import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type IntentRequest, type PaymentPort, PaymentUnknown, type Terms } from '../../../server/payment/port.ts';
import { stripeGateway } from '../../../server/payment/stripe/stripe-gateway.ts';
import { type Card, namesInMemory } from '../support/gateways/played.ts';
import { stripeAccess } from '../support/gateways/stripe.ts';
import { standInForStripe, STRIPE_KEY, type StripeStandIn } from '../support/stripe/stand-in.ts';

let standIn: StripeStandIn;
let port: PaymentPort;
let customer: string;
beforeAll(async () => {
  standIn = await standInForStripe();
  port = stripeGateway({ ...stripeAccess(standIn.at), now: () => Date.now() + standIn.book.ahead }, namesInMemory()).port;
});
beforeEach(() => {
  customer = `s1/${randomUUID()}`;
});
afterEach(() => expect(standIn.unknown).toEqual([]));
afterAll(() => standIn.close());

const HOUR = 60 * 60_000;
const account = 'http://shop.example/account';
const monthly: Terms = { amountMinor: 900, period: 'month', trialDays: 0 };
const newRequest = (more: Partial<IntentRequest> = {}): IntentRequest => ({
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
/** A card that the customer leaves on the page of a setup. @returns the token that leads home */
const typed = async (card: Card = 'good'): Promise<string> => {
  const url = await port.startSetup({ customer, shopName: 'Books', returnUrl: account, language: 'fr' });
  const back = standIn.book.pay(url, card) ?? '';
  expect(url).not.toContain(new URL(back).searchParams.get('cardtoken')?.split('.')[1]);
  return new URL(back).searchParams.get('cardtoken') ?? '';
};
const kept = async (card: Card = 'good'): Promise<string> => (await port.claimSetup(await typed(card), customer))?.token ?? '';

describe('a card that is kept', () => {
  test('comes home by a token that is its customer’s alone, the same card each time, for an hour or two', async () => {
    const token = await typed();
    const [session = '', secret = ''] = token.split('.');
    await port.create(newRequest({ customer: 's1/other' }));
    for (const wrong of [session, `${session}.made-up`, `.${secret}`, `${session}x.${secret}`])
      expect(await port.claimSetup(wrong, customer), wrong).toBeUndefined();
    expect(await port.claimSetup(token, 's1/other')).toBeUndefined();
    expect(await port.claimSetup(token, 's1/nobody')).toBeUndefined();
    const card = await port.claimSetup(token, customer);
    expect(card).toMatchObject({ brand: 'Visa', last4: '4242', expMonth: 12, expYear: 2040, replaces: [] });
    expect(await port.claimSetup(token, customer)).toEqual(card);
    standIn.book.ahead = 3 * HOUR;
    expect(await port.claimSetup(token, customer)).toBeUndefined();
    standIn.book.ahead = 0;
  });

  test('replaces the older ones of the same number, and no other', async () => {
    const first = await kept();
    await kept('once');
    // The two of a number are told apart by when they were typed.
    standIn.book.ahead = 1000;
    const again = await port.claimSetup(await typed(), customer);
    expect(again?.replaces).toEqual([first]);
    standIn.book.ahead = 0;
  });

  test('is told of with the payment at which it was ticked, and not otherwise', async () => {
    for (const keeps of [true, false]) {
      const { url, id } = await port.create(newRequest());
      standIn.book.pay(url, 'good', keeps);
      const intent = await port.read(id);
      expect(intent?.keptCard?.last4, String(keeps)).toBe(keeps ? '4242' : undefined);
    }
  });

  test('is forgotten, however often that is asked', async () => {
    const token = await typed();
    const card = await port.claimSetup(token, customer);
    for (let time = 0; time < 2; time += 1) await port.forgetCard(card?.token ?? '');
    expect(await port.claimSetup(token, customer)).toBeUndefined();
    await port.forgetCard('pm_unknown');
    const request = newRequest({ cardToken: card?.token ?? '' });
    expect(await port.create(request)).toMatchObject({ state: 'failed', reason: 'card_unknown' });
  });
});

describe('a payment by a kept card', () => {
  test('is authorised at once, and charged once', async () => {
    const request = newRequest({ cardToken: await kept() });
    const intent = await port.create(request);
    expect(intent).toMatchObject({ state: 'authorized', keptCard: null });
    expect((await port.create(request)).id).toBe(intent.id);
    expect(await port.capture(intent.id)).toMatchObject({ state: 'captured' });
    expect(standIn.book.charges(request.reference)).toBe(1);
  });

  test('closes the page that was there before, so that nobody pays twice', async () => {
    const request = newRequest();
    const page = await port.create(request);
    const intent = await port.create({ ...request, cardToken: await kept() });
    expect(intent).toMatchObject({ state: 'authorized' });
    expect(intent.id).not.toBe(page.id);
    expect(await port.read(page.id)).toMatchObject({ state: 'cancelled' });
    expect((await port.readByReference(request.reference))?.id).toBe(intent.id);
    // Nor does the page come back.
    expect((await port.create(request)).id).toBe(intent.id);
  });

  test('that never arrived gives way to a page', async () => {
    const request = newRequest();
    const first = await port.create(request);
    standIn.trouble('POST /v1/payment_intents/:id/confirm', 'silent');
    await expect(port.create({ ...request, cardToken: await kept() })).rejects.toBeInstanceOf(PaymentUnknown);
    const page = await port.create(request);
    expect(page).toMatchObject({ state: 'open', url: expect.stringContaining('checkout.example') as string });
    expect(page.id).not.toBe(first.id);
    expect(standIn.book.pay(page.url, 'good')).not.toBeNull();
    expect(await port.capture(page.id)).toMatchObject({ state: 'captured' });
    const states = [...standIn.book.payments.values()].filter(({ metadata }) => metadata['reference'] === request.reference);
    expect(states.map(({ status }) => status).toSorted()).toEqual(['canceled', 'succeeded']);
  });

  test('that did arrive, although nobody heard so, gives way to none', async () => {
    const request = newRequest();
    const cardToken = await kept();
    standIn.trouble('POST /v1/payment_intents/:id/confirm', 'lost');
    await expect(port.create({ ...request, cardToken })).rejects.toBeInstanceOf(PaymentUnknown);
    expect(await port.create(request)).toMatchObject({ state: 'authorized' });
  });

  test('does nothing where the page has been paid meanwhile', async () => {
    const request = newRequest();
    const page = await port.create(request);
    standIn.book.pay(page.url, 'good');
    expect(await port.create({ ...request, cardToken: await kept() })).toMatchObject({ id: page.id, state: 'authorized' });
  });

  test('that is declined is over: nothing else can pay it', async () => {
    const declined = newRequest({ cardToken: await kept('once') });
    const intent = await port.create(declined);
    expect(intent).toMatchObject({ state: 'failed', reason: 'card_declined' });
    expect(standIn.book.payments.get(intent.id)?.status).toBe('canceled');
    expect(await port.create(declined)).toMatchObject({ state: 'failed' });
    expect(await port.cancel(intent.id)).toMatchObject({ state: 'failed' });
  });

  test('that its bank asks about leads there and home, and is over when the bank says no', async () => {
    const cardToken = await kept('challenge');
    for (const approves of [true, false]) {
      const { id, url, state } = await port.create(newRequest({ cardToken }));
      expect([state, url]).toEqual(['action_required', `https://bank.example/${id}`]);
      const home = new URL(standIn.book.answerBank(url, approves));
      expect(home.searchParams.get('intentId')).toBe(id);
      expect(await port.read(id)).toMatchObject(
        approves ? { state: 'authorized' } : { state: 'failed', reason: 'authentication_failed' },
      );
    }
  });

  test('whose answer is lost is not made a second time', async () => {
    const request = newRequest({ cardToken: await kept() });
    for (const call of ['POST /v1/payment_intents', 'POST /v1/payment_intents/:id/confirm']) {
      standIn.trouble(call, 'lost');
      await expect(port.create(request)).rejects.toBeInstanceOf(PaymentUnknown);
    }
    const intent = await port.create(request);
    expect(intent).toMatchObject({ state: 'authorized' });
    const made = [...standIn.book.payments.values()].filter(({ metadata }) => metadata['reference'] === request.reference);
    expect(made.map(({ id }) => id)).toEqual([intent.id]);
  });
});

describe('a subscription', () => {
  const subscribed = async (card: Card = 'good') => {
    const request = newRequest({ subscription: monthly });
    const { url, id } = await port.create(request);
    standIn.book.pay(url, card);
    const { subscription } = await port.capture(id);
    return { id: subscription?.id ?? '', request, intent: id };
  };

  test('begins by a kept card as well, and is charged at the confirmation alone', async () => {
    const request = newRequest({ subscription: monthly, cardToken: await kept() });
    const intent = await port.create(request);
    expect(intent).toMatchObject({ state: 'authorized' });
    expect(standIn.book.subscriptions.size).toBe(0);
    expect(await port.capture(intent.id)).toMatchObject({ state: 'captured', subscription: { state: 'active' } });
    const [made] = standIn.book.subscriptions.values();
    expect(made).toMatchObject({ amount: 900, currency: 'eur', interval: 'month', count: 1 });
  });

  test('whose first payment is declined is not made, and that stays so', async () => {
    const before = standIn.book.subscriptions.size;
    const request = newRequest({ subscription: monthly });
    const { url, id } = await port.create(request);
    standIn.book.pay(url, 'challenge');
    for (let time = 0; time < 2; time += 1)
      expect(await port.capture(id)).toMatchObject({ state: 'failed', reason: 'card_declined' });
    expect(standIn.book.subscriptions.size).toBe(before);
  });

  test('that was given up before the confirmation is never made', async () => {
    const before = standIn.book.subscriptions.size;
    const { url, id } = await port.create(newRequest({ subscription: monthly }));
    standIn.book.pay(url, 'good');
    expect(await port.cancel(id)).toMatchObject({ state: 'cancelled' });
    expect(await port.capture(id)).toMatchObject({ state: 'cancelled' });
    expect(standIn.book.subscriptions.size).toBe(before);
  });

  test('is made once, however its answer is lost', async () => {
    const request = newRequest({ subscription: monthly });
    const { url, id } = await port.create(request);
    standIn.book.pay(url, 'good');
    standIn.trouble('POST /v1/subscriptions', 'lost');
    await expect(port.capture(id)).rejects.toBeInstanceOf(PaymentUnknown);
    expect(await port.capture(id)).toMatchObject({ state: 'captured' });
    const made = [...standIn.book.subscriptions.values()].filter(({ metadata }) => metadata['reference'] === request.reference);
    expect(made).toHaveLength(1);
  });

  test('that cannot be paid goes on by the card that the portal took, charged once', async () => {
    const { id } = await subscribed('once');
    standIn.book.ahead = 31 * 24 * HOUR;
    expect(await port.readSubscription(id)).toMatchObject({ state: 'past_due', renewals: 0 });
    const url = await port.startSetup({ customer, subscription: id, shopName: 'Books', returnUrl: account, language: 'en' });
    expect(url).toContain('billing.example');
    const stripeId = url.split('/').at(-1) ?? '';
    const own = standIn.book.customers.get(stripeId);
    if (own) own.card = standIn.book.newMethod('good', stripeId).id;
    for (let time = 0; time < 2; time += 1)
      expect(await port.readSubscription(id)).toMatchObject({ state: 'active', renewals: 1 });
    expect(standIn.asked.filter((call) => call === 'POST /v1/invoices/:id/pay')).toHaveLength(1);
    standIn.book.ahead = 0;
  });

  test('that was renewed before Stripe heard that it is cancelled is given back', async () => {
    const { id } = await subscribed();
    const at = Date.now() + HOUR;
    standIn.book.ahead = 31 * 24 * HOUR;
    const before = standIn.book.refunds.length;
    for (let time = 0; time < 2; time += 1)
      expect(await port.cancelSubscription(id, { at, atOnce: false })).toMatchObject({
        state: 'ended',
        renewals: 0,
        cancelled: true,
      });
    expect(standIn.book.refunds).toHaveLength(before + 1);
    standIn.book.ahead = 0;
  });

  test('ends at once where that is asked for', async () => {
    const { id } = await subscribed();
    expect(await port.cancelSubscription(id, { at: Date.now() + HOUR, atOnce: true })).toMatchObject({ state: 'ended' });
    expect(await port.cancelSubscription('sub_unknown', { at: 0, atOnce: true })).toBeUndefined();
  });
});

test('a wrong key is no answer, and Stripe is not up by it', async () => {
  const wrong = stripeGateway({ ...stripeAccess(standIn.at), secretKey: 'sk_test_another' }, namesInMemory()).port;
  expect(await wrong.isUp()).toBe(false);
  await expect(wrong.create(newRequest())).rejects.toBeInstanceOf(PaymentUnknown);
});

test('the stand-in notices what Stripe does not take', async () => {
  const stripe = new Stripe(STRIPE_KEY, { ...standIn.at, maxNetworkRetries: 0 });
  const odd = { metadata: { customer: 'x' }, nickname: 'Ann', address: { line_one: '1' } } as object;
  await stripe.customers.create(odd);
  await stripe.balanceSettings.retrieve().catch(() => {});
  expect(standIn.unknown.splice(0)).toEqual([
    'POST /v1/customers: nickname',
    'POST /v1/customers: address',
    'GET /v1/balance_settings',
  ]);
});
