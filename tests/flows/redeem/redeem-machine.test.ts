import { expect, test } from 'vitest';
import { redeemMachine } from '../../../machines/buying/redeem.ts';
import { flowInput, store, summary } from '../../../machines/path-models/path-model.ts';
import { after, contextOf, done, failed, isSend } from '../../support/steps.ts';
import { offer } from '../../../machines/path-models/flows/redeem/paths.ts';

const atCode = (more: object) => flowInput({ flow: 'redeem', params: { secret: 'hidden' } }, more);
const gives = (part: object) => done('lookUp', offer({ titles: [summary], ...part }));

test('what goes on after sign-in goes on for nobody who has not signed in', () => {
  const value = (signedIn: boolean): unknown =>
    after(redeemMachine, atCode({ signedIn, resume: 'redeem' }), gives({})).snapshot.value;
  expect([value(true), value(false)]).toEqual(['redeeming', 'offered']);
});

test('of several titles none is chosen that the customer has', () => {
  const titles = [summary, { ...summary, id: '1002' }];
  const choice = gives({ kind: 'titles', titles, owned: ['1001'] });
  const chosen = (titleId: string) =>
    contextOf(after(redeemMachine, atCode({ signedIn: true }), choice, { type: 'title.chosen', titleId }))['chosen'];
  expect([chosen('1001'), chosen('1002')]).toEqual([null, '1002']);
});

const reads = [{ type: 'go', to: '/viewer?instanceid=i1', replace: false }];

test.each([
  ['title', 'i1', reads],
  ['title', null, []],
  ['titles', 'i1', reads],
  // Of several none is meant.
  ['bundle', 'i1', []],
])('what was redeemed is read where there is one copy of it: %s, %s', (kind, instanceId, sent) => {
  const used = gives({ kind, redeemed: true, instanceId });
  const { effects } = after(redeemMachine, atCode({ signedIn: true }), used, { type: 'read.pressed' });
  expect(effects.filter(isSend).map(({ event }) => event)).toEqual(sent);
});

test.each([
  [false, false, 'closed'],
  [true, false, 'typing'],
  [false, true, 'typing'],
])('codes are typed where the store takes some: for titles %s, for subscriptions %s', (titles, subscriptions, value) => {
  const properties = { ...store, enableWebTitleRedeem: titles, enableWebSubscriptionRedeem: subscriptions };
  expect(after(redeemMachine, flowInput({ flow: 'redeem' }, { store: properties })).snapshot.value).toBe(value);
});

test('who gives a gift is not held once it is refused', () => {
  const given = gives({ pii: { giver: 'Ann Ferry', message: 'Enjoy it!' } });
  const refusal = failed('redeem', { kind: 'refused', code: 'code_used', message: '' });
  const step = after(redeemMachine, atCode({ signedIn: true }), given, { type: 'redeem.pressed' }, refusal);
  expect(step.snapshot.value).toBe('refused');
  expect(contextOf(step)['offer']).toEqual(offer({ titles: [summary] }));
});
