import { expect, test } from 'vitest';
import { redeemMachine } from '../../../machines/buying/redeem.ts';
import { createFlowInput, store, summary } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext, doneEvent, errorEvent, isSendEffect } from '../../support/steps.ts';
import { createCodeOffer } from '../../../machines/path-models/flows/redeem/paths.ts';

const inputAtCode = (more: object) => createFlowInput({ flow: 'redeem', params: { secret: 'hidden' } }, more);
const offerLoaded = (part: object) => doneEvent('lookUp', createCodeOffer({ titles: [summary], ...part }));

test('a resumed redemption continues only for a signed-in customer', () => {
  const value = (signedIn: boolean): unknown =>
    stepThrough(redeemMachine, inputAtCode({ signedIn, resume: 'redeem' }), offerLoaded({})).snapshot.value;
  expect([value(true), value(false)]).toEqual(['redeeming', 'offered']);
});

test('an owned title cannot be chosen', () => {
  const titles = [summary, { ...summary, id: '1002' }];
  const choice = offerLoaded({ kind: 'titles', titles, owned: ['1001'] });
  const chosen = (titleId: string) =>
    getContext(stepThrough(redeemMachine, inputAtCode({ signedIn: true }), choice, { type: 'title.chosen', titleId }))['chosen'];
  expect([chosen('1001'), chosen('1002')]).toEqual([null, '1002']);
});

const goToViewer = [{ type: 'go', to: '/viewer?instanceid=i1', replace: false }];

test.each([
  ['title', 'i1', goToViewer],
  ['title', null, []],
  ['titles', 'i1', goToViewer],
  // With several titles none is the one to open.
  ['bundle', 'i1', []],
])('a redeemed title can be opened if it has one copy: %s, %s', (kind, instanceId, sent) => {
  const used = offerLoaded({ kind, redeemed: true, instanceId });
  const { effects } = stepThrough(redeemMachine, inputAtCode({ signedIn: true }), used, { type: 'read.pressed' });
  expect(effects.filter(isSendEffect).map(({ event }) => event)).toEqual(sent);
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
  const given = offerLoaded({ pii: { giver: 'Ann Ferry', message: 'Enjoy it!' } });
  const refusal = errorEvent('redeem', { kind: 'refused', code: 'code_used', message: '' });
  const step = stepThrough(redeemMachine, inputAtCode({ signedIn: true }), given, { type: 'redeem.pressed' }, refusal);
  expect(step.snapshot.value).toBe('refused');
  expect(getContext(step)['offer']).toEqual(createCodeOffer({ titles: [summary] }));
});
