import { describe, expect, test } from 'vitest';
import type { AnyEventObject } from 'xstate';
import type { Offer } from '../../../machines/buying/purchase/offer.ts';
import { purchaseMachine } from '../../../machines/buying/purchase/purchase.ts';
import { createFlowInput, problems, store as usualStore, titleSummary } from '../../../machines/path-models/path-model.ts';
import {
  makeCartOffer,
  dollarPrice,
  makeEntry,
  giftForm,
  makeFreeOffer,
  makeGiftOffer,
  preview,
  makeTitleOffer,
} from '../../support/purchase.ts';
import { stepThrough, getContext, doneEvent, errorEvent, isSendEffect, isStartEffect } from '../../support/steps.ts';

const titleRoute = { flow: 'purchase', params: { titleid: '1001' } } as const;
const euroPrice = { amount: 8.5, currency: 'EUR', symbol: '€' };
const offerLoaded = (overrides: Partial<Offer> = {}) => doneEvent('offer', makeTitleOffer(overrides));
const stepSignedIn = (...events: AnyEventObject[]) =>
  stepThrough(purchaseMachine, createFlowInput(titleRoute, { signedIn: true }), ...events);
const noCardsLoaded = doneEvent('savedCards', []);
const payPressed = { type: 'pay.pressed' };

test('a customer who did not choose a card chooses again after sign-in', () => {
  const methodChosen = { type: 'method.chosen', method: 'ideal' };
  const visitorStep = stepThrough(
    purchaseMachine,
    createFlowInput(titleRoute),
    offerLoaded({ methods: ['ideal'] }),
    methodChosen,
    payPressed,
  );
  expect(visitorStep.effects.filter(isSendEffect).map(({ event }) => event)).toEqual([
    { type: 'signIn.needed', action: 'choose' },
  ]);

  const balance = doneEvent('creditBalance', { balance: 2, currency: 'Credits', accepted: true });
  const customerStep = stepSignedIn(offerLoaded({ credits: 2 }), noCardsLoaded, balance, { type: 'credits.chosen' }, payPressed);
  expect(customerStep.effects.filter(isSendEffect).map(({ event }) => event)).toContainEqual({
    type: 'action.started',
    action: 'choose',
  });

  const resumedStep = stepThrough(
    purchaseMachine,
    createFlowInput(titleRoute, { signedIn: true, resume: 'choose' }),
    offerLoaded(),
  );
  expect(resumedStep.snapshot.value).toBe('readingCards');
});

test('where tax is added, sign-in alone starts no payment', () => {
  const store = { ...usualStore, enableTax: true };
  const resumedStep = stepThrough(
    purchaseMachine,
    createFlowInput(titleRoute, { signedIn: true, resume: 'choose', store }),
    offerLoaded(),
  );
  expect(resumedStep.snapshot.value).toBe('readingCards');
});

test('for a free title neither cards nor codes are requested', () => {
  const freeOfferLoaded = doneEvent('offer', makeFreeOffer());
  expect(stepSignedIn(freeOfferLoaded).snapshot.value).toBe('ready');
  expect(stepSignedIn(freeOfferLoaded, { type: 'code.submitted', pii: { form: { code: 'HALF' } } }).snapshot.value).toBe('ready');
});

test('a title whose code is removed has its regular price', () => {
  const reducedOfferLoaded = offerLoaded({
    title: { ...titleSummary, prices: [dollarPrice, euroPrice] },
    price: { ...euroPrice, amount: 4 },
    isReduced: true,
  });
  const regularPrice = { cart: null, plan: null, price: euroPrice, isReduced: false, key: 'k2' };
  const step = stepSignedIn(reducedOfferLoaded, noCardsLoaded, { type: 'code.removed' }, doneEvent('removeCode', regularPrice));
  expect(getContext(step)).toMatchObject({ price: euroPrice, isReduced: false, key: 'k2' });
});

test('a failure is cleared once the price has arrived', () => {
  const events = [errorEvent('offer', problems.offline), { type: 'retry.pressed' }, offerLoaded()];
  expect(getContext(stepThrough(purchaseMachine, createFlowInput(titleRoute), ...events))['problem']).toBeNull();
});

test.each(['pay-9.99-USD', 'pay-8.50-EUR'])('a visitor cannot pay, even when an action is resumed (%s)', (resume) => {
  const { snapshot, fired } = stepThrough(purchaseMachine, createFlowInput(titleRoute, { resume }), offerLoaded());
  expect(snapshot.value).toEqual(stepThrough(purchaseMachine, createFlowInput(titleRoute), offerLoaded()).snapshot.value);
  expect(fired.length).toBeGreaterThan(0);
});

test('a store that sells no titles takes no payment, and still grants free ones', () => {
  const store = { ...usualStore, showBuyTitle: false };
  const input = createFlowInput(titleRoute, { signedIn: true, store });
  expect(stepThrough(purchaseMachine, input, offerLoaded()).snapshot.value).toBe('notForSale');
  expect(stepThrough(purchaseMachine, input, doneEvent('offer', makeFreeOffer())).snapshot.value).toBe('ready');
  const cartInput = createFlowInput({ flow: 'purchase', params: { of: 'cart' } }, { signedIn: true, store });
  expect(stepThrough(purchaseMachine, cartInput, doneEvent('offer', makeCartOffer(makeEntry('1')))).snapshot.value).toBe(
    'notForSale',
  );
});

test('a cart that a code makes cheaper is paid at its new price', () => {
  const input = createFlowInput({ flow: 'purchase', params: { of: 'cart' } }, { signedIn: true });
  const { cart, price } = makeCartOffer(makeEntry('1'));
  const codeSubmitted = { type: 'code.submitted', pii: { form: { code: 'HALF' } } };
  const codeApplied = doneEvent('applyCode', { cart, plan: null, price, isReduced: true, key: 'k2' });
  const events = [
    doneEvent('offer', makeCartOffer(makeEntry('1'), makeEntry('2'))),
    noCardsLoaded,
    codeSubmitted,
    codeApplied,
    payPressed,
  ];
  const [payment] = stepThrough(purchaseMachine, input, ...events).effects.filter(isStartEffect);
  expect(payment?.input).toMatchObject({ key: 'k2', titleIds: ['1'], price });
});

describe('a gift', () => {
  const createGiftInput = (params: Record<string, string>, storeOverrides: object = {}) =>
    createFlowInput(
      { flow: 'purchase', params: { of: 'title', as: 'gift', ...params } },
      { signedIn: true, store: { ...usualStore, ...storeOverrides } },
    );
  const giftOfferLoaded = (overrides: Partial<Offer> = {}) => doneEvent('offer', makeGiftOffer(overrides));
  const writingEvents = [{ type: 'gift.submitted', pii: { form: giftForm } }, doneEvent('giftPreview', { pii: { preview } })];
  const previewEvents = [giftOfferLoaded(), noCardsLoaded, ...writingEvents];
  const tax = { place: { country: 'FR', region: null }, taxPrice: 0.55, priceWithTax: 10.54, rates: [] };

  test('a gift has its tax requested again each time that the e-mail is shown', () => {
    const inputWithTax = createGiftInput({ titleid: '1001' }, { enableTax: true });
    const eventsWithTax = [...previewEvents, { type: 'tax.changed', tax }];
    expect(getContext(stepThrough(purchaseMachine, inputWithTax, ...eventsWithTax))['tax']).toEqual(tax);
    const changedStep = stepThrough(
      purchaseMachine,
      inputWithTax,
      ...eventsWithTax,
      { type: 'change.pressed' },
      ...writingEvents,
    );
    expect(getContext(changedStep)['tax']).toBeNull();
  });

  test('a gift that is no longer for sale keeps no typed entries', () => {
    const offerWithdrawn = giftOfferLoaded({ title: { ...titleSummary, forSale: false }, pii: { draft: giftForm } });
    const step = stepThrough(purchaseMachine, createGiftInput({ titleid: '1001' }), offerWithdrawn);
    expect(step.snapshot.value).toBe('notForSale');
    expect(getContext(step)['pii']).toEqual({ code: null, gift: null, preview: null });
  });

  test('a gift can be changed after a failed payment, but not after a changed price', () => {
    const problem = { kind: 'refused', code: 'gift_day', message: '' };
    const paymentDone = (outcome: string) =>
      doneEvent('payment', { outcome, titleId: '1001', transId: 't1', problem, paidFor: null });
    const getState = (outcome: string): unknown =>
      stepThrough(purchaseMachine, createGiftInput({ titleid: '1001' }), ...previewEvents, payPressed, paymentDone(outcome))
        .snapshot.value;
    expect([getState('failed'), getState('priceChanged')]).toEqual(['readingCards', 'priceChanged']);
  });

  test.each([{ enableGiftingTitle: false }, { showBuyTitle: false }])(
    'a gift being paid is completed in a store without gifts, and no other can be started (%o)',
    (properties) => {
      const getState = (params: Record<string, string>): unknown =>
        stepThrough(purchaseMachine, createGiftInput(params, properties)).snapshot.value;
      expect([getState({ transId: 't1' }), getState({})]).toEqual(['paying', 'notOffered']);
    },
  );
});

test.each([
  [{ subscriptionid: 's1', intentId: 'pi_1' }, 'paying'],
  [{ subscriptionid: 's1' }, 'quoting'],
  [{ intentId: 'pi_1' }, 'quoting'],
])('a subscription is confirmed only with every parameter of the gateway’s return: %j', (gatewayParams, value) => {
  const store = { ...usualStore, enableSubscription: true };
  const params = { of: 'subscription', planid: 'monthly', ...gatewayParams };
  expect(
    stepThrough(purchaseMachine, createFlowInput({ flow: 'purchase', params }, { signedIn: true, store })).snapshot.value,
  ).toBe(value);
});
