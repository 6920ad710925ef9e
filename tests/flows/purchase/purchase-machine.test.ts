import { describe, expect, test } from 'vitest';
import type { AnyEventObject } from 'xstate';
import type { Offer } from '../../../machines/buying/purchase/offer.ts';
import { purchaseMachine } from '../../../machines/buying/purchase/purchase.ts';
import { createFlowInput, problems, store as usualStore, summary } from '../../../machines/path-models/path-model.ts';
import { cartOffer, dollarPrice, makeEntry, form, freeOffer, giftOffer, preview, titleOffer } from '../../support/purchase.ts';
import { stepThrough, getContext, doneEvent, errorEvent, isSendEffect, isStartEffect } from '../../support/steps.ts';

const titleRoute = { flow: 'purchase', params: { titleid: '1001' } } as const;
const euroPrice = { amount: 8.5, currency: 'EUR', symbol: '€' };
const offerLoaded = (part: Partial<Offer> = {}) => doneEvent('offer', titleOffer(part));
const stepSignedIn = (...events: AnyEventObject[]) =>
  stepThrough(purchaseMachine, createFlowInput(titleRoute, { signedIn: true }), ...events);
const noCardsLoaded = doneEvent('keptCards', []);
const payPressed = { type: 'pay.pressed' };

test('a customer who did not choose a card chooses again after sign-in', () => {
  const chosen = { type: 'method.chosen', method: 'ideal' };
  const visitor = stepThrough(
    purchaseMachine,
    createFlowInput(titleRoute),
    offerLoaded({ methods: ['ideal'] }),
    chosen,
    payPressed,
  );
  expect(visitor.effects.filter(isSendEffect).map(({ event }) => event)).toEqual([{ type: 'signIn.needed', action: 'choose' }]);

  const balance = doneEvent('creditBalance', { balance: 2, currency: 'Credits', accepted: true });
  const customer = stepSignedIn(offerLoaded({ credits: 2 }), noCardsLoaded, balance, { type: 'credits.chosen' }, payPressed);
  expect(customer.effects.filter(isSendEffect).map(({ event }) => event)).toContainEqual({
    type: 'action.begun',
    action: 'choose',
  });

  const back = stepThrough(purchaseMachine, createFlowInput(titleRoute, { signedIn: true, resume: 'choose' }), offerLoaded());
  expect(back.snapshot.value).toBe('readingCards');
});

test('where tax is added, sign-in alone starts no payment', () => {
  const store = { ...usualStore, enableTax: true };
  const back = stepThrough(
    purchaseMachine,
    createFlowInput(titleRoute, { signedIn: true, resume: 'choose', store }),
    offerLoaded(),
  );
  expect(back.snapshot.value).toBe('readingCards');
});

test('for a free title neither cards nor codes are requested', () => {
  const shown = doneEvent('offer', freeOffer());
  expect(stepSignedIn(shown).snapshot.value).toBe('ready');
  expect(stepSignedIn(shown, { type: 'code.submitted', pii: { form: { code: 'HALF' } } }).snapshot.value).toBe('ready');
});

test('without its code a title has its regular price', () => {
  const reduced = offerLoaded({
    title: { ...summary, prices: [dollarPrice, euroPrice] },
    price: { ...euroPrice, amount: 4 },
    isReduced: true,
  });
  const usual = { cart: null, plan: null, price: euroPrice, isReduced: false, key: 'k2' };
  const step = stepSignedIn(reduced, noCardsLoaded, { type: 'code.removed' }, doneEvent('removeCode', usual));
  expect(getContext(step)).toMatchObject({ price: euroPrice, isReduced: false, key: 'k2' });
});

test('a failure is cleared once the price has arrived', () => {
  const events = [errorEvent('offer', problems.offline), { type: 'retry.pressed' }, offerLoaded()];
  expect(getContext(stepThrough(purchaseMachine, createFlowInput(titleRoute), ...events))['problem']).toBeNull();
});

test.each(['pay-9.99-USD', 'pay-8.50-EUR'])('a visitor cannot pay, also when an action is resumed (%s)', (resume) => {
  const { snapshot, fired } = stepThrough(purchaseMachine, createFlowInput(titleRoute, { resume }), offerLoaded());
  expect(snapshot.value).toEqual(stepThrough(purchaseMachine, createFlowInput(titleRoute), offerLoaded()).snapshot.value);
  expect(fired.length).toBeGreaterThan(0);
});

test('a store that sells no titles takes no payment, and still grants free ones', () => {
  const store = { ...usualStore, showBuyTitle: false };
  const input = createFlowInput(titleRoute, { signedIn: true, store });
  expect(stepThrough(purchaseMachine, input, offerLoaded()).snapshot.value).toBe('notForSale');
  expect(stepThrough(purchaseMachine, input, doneEvent('offer', freeOffer())).snapshot.value).toBe('ready');
  const ofCart = createFlowInput({ flow: 'purchase', params: { of: 'cart' } }, { signedIn: true, store });
  expect(stepThrough(purchaseMachine, ofCart, doneEvent('offer', cartOffer(makeEntry('1')))).snapshot.value).toBe('notForSale');
});

test('a cart that a code makes cheaper is paid at its new price', () => {
  const input = createFlowInput({ flow: 'purchase', params: { of: 'cart' } }, { signedIn: true });
  const { cart, price } = cartOffer(makeEntry('1'));
  const typed = { type: 'code.submitted', pii: { form: { code: 'HALF' } } };
  const applied = doneEvent('applyCode', { cart, plan: null, price, isReduced: true, key: 'k2' });
  const events = [doneEvent('offer', cartOffer(makeEntry('1'), makeEntry('2'))), noCardsLoaded, typed, applied, payPressed];
  const [payment] = stepThrough(purchaseMachine, input, ...events).effects.filter(isStartEffect);
  expect(payment?.input).toMatchObject({ key: 'k2', titleIds: ['1'], price });
});

describe('a gift', () => {
  const inputOf = (params: Record<string, string>, part: object = {}) =>
    createFlowInput(
      { flow: 'purchase', params: { of: 'title', as: 'gift', ...params } },
      { signedIn: true, store: { ...usualStore, ...part } },
    );
  const offered = (part: Partial<Offer> = {}) => doneEvent('offer', giftOffer(part));
  const written = [{ type: 'gift.submitted', pii: { form } }, doneEvent('giftPreview', { pii: { preview } })];
  const shown = [offered(), noCardsLoaded, ...written];
  const tax = { place: { country: 'FR', region: null }, taxPrice: 0.55, priceWithTax: 10.54, rates: [] };

  test('requests its tax again each time that the e-mail is shown', () => {
    const taxed = inputOf({ titleid: '1001' }, { enableTax: true });
    const told = [...shown, { type: 'tax.told', tax }];
    expect(getContext(stepThrough(purchaseMachine, taxed, ...told))['tax']).toEqual(tax);
    const again = stepThrough(purchaseMachine, taxed, ...told, { type: 'change.pressed' }, ...written);
    expect(getContext(again)['tax']).toBeNull();
  });

  test('that is no longer for sale keeps no typed entries', () => {
    const gone = offered({ title: { ...summary, forSale: false }, pii: { draft: form } });
    const step = stepThrough(purchaseMachine, inputOf({ titleid: '1001' }), gone);
    expect(step.snapshot.value).toBe('notForSale');
    expect(getContext(step)['pii']).toEqual({ code: null, gift: null, preview: null });
  });

  test('can be changed only after a failed payment', () => {
    const problem = { kind: 'refused', code: 'gift_day', message: '' };
    const ended = (outcome: string) => doneEvent('payment', { outcome, titleId: '1001', transId: 't1', problem, paidFor: null });
    const value = (outcome: string): unknown =>
      stepThrough(purchaseMachine, inputOf({ titleid: '1001' }), ...shown, payPressed, ended(outcome)).snapshot.value;
    expect([value('failed'), value('priceChanged')]).toEqual(['readingCards', 'priceChanged']);
  });

  test.each([{ enableGiftingTitle: false }, { showBuyTitle: false }])(
    'in progress is ended in a store without gifts, and no other can be started (%o)',
    (properties) => {
      const value = (params: Record<string, string>): unknown =>
        stepThrough(purchaseMachine, inputOf(params, properties)).snapshot.value;
      expect([value({ transId: 't1' }), value({})]).toEqual(['paying', 'notOffered']);
    },
  );
});

test.each([
  [{ subscriptionid: 's1', intentId: 'pi_1' }, 'paying'],
  [{ subscriptionid: 's1' }, 'quoting'],
  [{ intentId: 'pi_1' }, 'quoting'],
])('a subscription is confirmed only with every parameter of the gateway’s return: %j', (returned, value) => {
  const store = { ...usualStore, enableSubscription: true };
  const params = { of: 'subscription', planid: 'monthly', ...returned };
  expect(
    stepThrough(purchaseMachine, createFlowInput({ flow: 'purchase', params }, { signedIn: true, store })).snapshot.value,
  ).toBe(value);
});
