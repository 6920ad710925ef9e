import { expect, test } from 'vitest';
import { redeemMachine } from '../../../machines/buying/redeem.ts';
import { createFlowInput, store, titleSummary } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext, doneEvent, errorEvent, isSendEffect } from '../../support/steps.ts';
import { createCodeOffer } from '../../../machines/path-models/flows/redeem/paths.ts';

const createCodeInput = (overrides: object) => createFlowInput({ flow: 'redeem', params: { secret: 'hidden' } }, overrides);
const offerLoaded = (overrides: object) => doneEvent('lookUp', createCodeOffer({ titles: [titleSummary], ...overrides }));

test('a resumed redemption continues only for a signed-in customer', () => {
  const getState = (signedIn: boolean): unknown =>
    stepThrough(redeemMachine, createCodeInput({ signedIn, resume: 'redeem' }), offerLoaded({})).snapshot.value;
  expect([getState(true), getState(false)]).toEqual(['redeeming', 'offered']);
});

test('an owned title cannot be chosen', () => {
  const titles = [titleSummary, { ...titleSummary, id: '1002' }];
  const choice = offerLoaded({ kind: 'titles', titles, owned: ['1001'] });
  const chooseTitle = (titleId: string) =>
    getContext(stepThrough(redeemMachine, createCodeInput({ signedIn: true }), choice, { type: 'title.chosen', titleId }))[
      'chosen'
    ];
  expect([chooseTitle('1001'), chooseTitle('1002')]).toEqual([null, '1002']);
});

const goToViewer = [{ type: 'go', to: '/viewer?instanceid=i1', replace: false }];

test.each([
  ['title', 'i1', goToViewer],
  ['title', null, []],
  ['titles', 'i1', goToViewer],
  // A bundle has several titles, and none of them is opened.
  ['bundle', 'i1', []],
])('a redeemed title can be opened if it has one copy: %s, %s', (kind, instanceId, expectedEvents) => {
  const usedOfferLoaded = offerLoaded({ kind, redeemed: true, instanceId });
  const { effects } = stepThrough(redeemMachine, createCodeInput({ signedIn: true }), usedOfferLoaded, { type: 'read.pressed' });
  expect(effects.filter(isSendEffect).map(({ event }) => event)).toEqual(expectedEvents);
});

test.each([
  [false, false, 'closed'],
  [true, false, 'typing'],
  [false, true, 'typing'],
])('codes can be typed if the store takes some: for titles %s, for subscriptions %s', (titles, subscriptions, value) => {
  const properties = { ...store, enableWebTitleRedeem: titles, enableWebSubscriptionRedeem: subscriptions };
  expect(stepThrough(redeemMachine, createFlowInput({ flow: 'redeem' }, { store: properties })).snapshot.value).toBe(value);
});

test('the giver of a gift is removed once the gift is refused', () => {
  const giftLoaded = offerLoaded({ pii: { giver: 'Ann Ferry', message: 'Enjoy it!' } });
  const refusal = errorEvent('redeem', { kind: 'refused', code: 'code_used', message: '' });
  const step = stepThrough(redeemMachine, createCodeInput({ signedIn: true }), giftLoaded, { type: 'redeem.pressed' }, refusal);
  expect(step.snapshot.value).toBe('refused');
  expect(getContext(step)['offer']).toEqual(createCodeOffer({ titles: [titleSummary] }));
});
