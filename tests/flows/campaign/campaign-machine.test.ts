import { expect, test } from 'vitest';
import { campaignMachine } from '../../../machines/browsing/campaign.ts';
import { progressOf } from '../../../machines/model/catalogue/campaign.ts';
import { flowInput, summary } from '../../../machines/path-models/path-model.ts';
import { after, contextOf, done, isSend } from '../../support/steps.ts';
import { campaign } from '../../../machines/path-models/flows/campaign/paths.ts';

const second = { title: { ...summary, id: '1011' }, isReward: true, price: null };
const loaded = done('loadCampaign', { ...campaign, titles: [...campaign.titles, second] });
const line = (titleId: string, isReward = false) => ({ titleId, isReward });
const owned = (titleId: string) => ({ titleId, isReward: false, unpaid: 'owned' as const });
const bought = [line('1001'), line('1003')];

test.each([
  ['before it is reached', [line('1001')], 'shown'],
  ['when one of two is not for sale any more', [line('1001'), { ...line('1003'), unpaid: 'notSold' as const }], 'shown'],
  ['once it is reached', bought, 'changing'],
  ['when it was chosen already', [...bought, line('1010', true)], 'shown'],
])('the one reward of a campaign is chosen %s: %s', (_, lines, value) => {
  const input = flowInput({ flow: 'campaign', params: { campaign: campaign.id } }, { signedIn: true });
  const added = { type: 'title.added', titleId: '1011' };
  expect(after(campaignMachine, input, loaded, done('readLines', lines), added).snapshot.value).toBe(value);
});

const open = (more: object) => flowInput({ flow: 'campaign', params: { campaign: campaign.id } }, more);

test('a title that the customer owns does not count, leaves the cart, and is named', () => {
  const read = done('readLines', [owned('1001'), line('1003')]);
  const removing = after(campaignMachine, open({ signedIn: true }), loaded, read);
  expect(removing.snapshot.value).toBe('removingOwned');
  expect(progressOf(campaign, [owned('1001'), line('1003')])).toMatchObject({ bought: 1, isReached: false });
  const removed = after(campaignMachine, open({ signedIn: true }), loaded, read, done('removeOwned', [line('1003')]));
  expect([removed.snapshot.value, contextOf(removed)['removedOwned']]).toEqual(['shown', ['1001']]);
});

test('a title that a visitor added goes into the cart after sign-in, once', () => {
  const { effects } = after(campaignMachine, open({ signedIn: false }), loaded, { type: 'title.added', titleId: '1001' });
  expect(effects.filter(isSend).map(({ event }) => event)).toEqual([{ type: 'signIn.needed', action: 'add:1001' }]);
  const signedIn = open({ signedIn: true, resume: 'add:1001' });
  const adding = after(campaignMachine, signedIn, loaded, done('readLines', []));
  expect([adding.snapshot.value, contextOf(adding)['change']]).toEqual([
    'changing',
    { campaignId: campaign.id, titleId: '1001', isAdded: true },
  ]);
  const there = after(campaignMachine, signedIn, loaded, done('readLines', [line('1001')]));
  expect([there.snapshot.value, contextOf(there)['resumed']]).toEqual(['shown', null]);
});

test('nothing is added after sign-in that the campaign does not have, nor for a visitor', () => {
  for (const input of [open({ signedIn: true, resume: 'add:9999' }), open({ signedIn: false, resume: 'add:1001' })]) {
    expect(after(campaignMachine, input, loaded, done('readLines', [])).snapshot.value).not.toBe('changing');
  }
});
