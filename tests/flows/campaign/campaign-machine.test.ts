import { expect, test } from 'vitest';
import { campaignMachine } from '../../../machines/browsing/campaign.ts';
import { getCampaignProgress } from '../../../machines/model/catalogue/campaign.ts';
import { createFlowInput, summary } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext, doneEvent, isSendEffect } from '../../support/steps.ts';
import { campaign } from '../../../machines/path-models/flows/campaign/paths.ts';

const secondTitle = { title: { ...summary, id: '1011' }, isReward: true, price: null };
const campaignLoaded = doneEvent('loadCampaign', { ...campaign, titles: [...campaign.titles, secondTitle] });
const line = (titleId: string, isReward = false) => ({ titleId, isReward });
const ownedLine = (titleId: string) => ({ titleId, isReward: false, unpaid: 'owned' as const });
const boughtLines = [line('1001'), line('1003')];

test.each([
  ['before it is reached', [line('1001')], 'shown'],
  ['when one of two is not for sale any more', [line('1001'), { ...line('1003'), unpaid: 'notSold' as const }], 'shown'],
  ['once it is reached', boughtLines, 'changing'],
  ['when it has already been chosen', [...boughtLines, line('1010', true)], 'shown'],
])('the only reward of a campaign is chosen %s: %s', (_, lines, value) => {
  const input = createFlowInput({ flow: 'campaign', params: { campaign: campaign.id } }, { signedIn: true });
  const added = { type: 'title.added', titleId: '1011' };
  expect(stepThrough(campaignMachine, input, campaignLoaded, doneEvent('readLines', lines), added).snapshot.value).toBe(value);
});

const campaignInput = (more: object) => createFlowInput({ flow: 'campaign', params: { campaign: campaign.id } }, more);

test('an owned title does not count, is removed from the cart, and is named', () => {
  const read = doneEvent('readLines', [ownedLine('1001'), line('1003')]);
  const removing = stepThrough(campaignMachine, campaignInput({ signedIn: true }), campaignLoaded, read);
  expect(removing.snapshot.value).toBe('removingOwned');
  expect(getCampaignProgress(campaign, [ownedLine('1001'), line('1003')])).toMatchObject({ bought: 1, isReached: false });
  const removed = stepThrough(
    campaignMachine,
    campaignInput({ signedIn: true }),
    campaignLoaded,
    read,
    doneEvent('removeOwned', [line('1003')]),
  );
  expect([removed.snapshot.value, getContext(removed)['removedOwned']]).toEqual(['shown', ['1001']]);
});

test('a title that a visitor added goes into the cart after sign-in, once', () => {
  const { effects } = stepThrough(campaignMachine, campaignInput({ signedIn: false }), campaignLoaded, {
    type: 'title.added',
    titleId: '1001',
  });
  expect(effects.filter(isSendEffect).map(({ event }) => event)).toEqual([{ type: 'signIn.needed', action: 'add:1001' }]);
  const signedIn = campaignInput({ signedIn: true, resume: 'add:1001' });
  const adding = stepThrough(campaignMachine, signedIn, campaignLoaded, doneEvent('readLines', []));
  expect([adding.snapshot.value, getContext(adding)['change']]).toEqual([
    'changing',
    { campaignId: campaign.id, titleId: '1001', isAdded: true },
  ]);
  const there = stepThrough(campaignMachine, signedIn, campaignLoaded, doneEvent('readLines', [line('1001')]));
  expect([there.snapshot.value, getContext(there)['resumed']]).toEqual(['shown', null]);
});

test('after sign-in only titles of the campaign are added; for a visitor none', () => {
  for (const input of [
    campaignInput({ signedIn: true, resume: 'add:9999' }),
    campaignInput({ signedIn: false, resume: 'add:1001' }),
  ]) {
    expect(stepThrough(campaignMachine, input, campaignLoaded, doneEvent('readLines', [])).snapshot.value).not.toBe('changing');
  }
});
