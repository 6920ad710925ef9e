import { expect, test } from 'vitest';
import { campaignMachine } from '../../../machines/browsing/campaign.ts';
import { getCampaignProgress } from '../../../machines/model/catalogue/campaign.ts';
import { createFlowInput, titleSummary } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext, doneEvent, isSendEffect } from '../../support/steps.ts';
import { campaign } from '../../../machines/path-models/flows/campaign/paths.ts';

const secondTitle = { title: { ...titleSummary, id: '1011' }, isReward: true, price: null };
const campaignLoaded = doneEvent('loadCampaign', { ...campaign, titles: [...campaign.titles, secondTitle] });
const createLine = (titleId: string, isReward = false) => ({ titleId, isReward });
const createOwnedLine = (titleId: string) => ({ titleId, isReward: false, unpaid: 'owned' as const });
const boughtLines = [createLine('1001'), createLine('1003')];

test.each([
  ['before its goal is reached', [createLine('1001')], 'shown'],
  [
    'when one of two titles is not for sale any more',
    [createLine('1001'), { ...createLine('1003'), unpaid: 'notSold' as const }],
    'shown',
  ],
  ['once its goal is reached', boughtLines, 'changing'],
  ['when the reward has already been chosen', [...boughtLines, createLine('1010', true)], 'shown'],
])('adding the only reward of a campaign %s leads to the state “%s”', (_, lines, value) => {
  const input = createFlowInput({ flow: 'campaign', params: { campaign: campaign.id } }, { signedIn: true });
  const titleAdded = { type: 'title.added', titleId: '1011' };
  expect(stepThrough(campaignMachine, input, campaignLoaded, doneEvent('readLines', lines), titleAdded).snapshot.value).toBe(
    value,
  );
});

const createCampaignInput = (overrides: object) =>
  createFlowInput({ flow: 'campaign', params: { campaign: campaign.id } }, overrides);

test('an owned title does not count towards the goal of a campaign, and is removed from the cart', () => {
  const linesRead = doneEvent('readLines', [createOwnedLine('1001'), createLine('1003')]);
  const removingStep = stepThrough(campaignMachine, createCampaignInput({ signedIn: true }), campaignLoaded, linesRead);
  expect(removingStep.snapshot.value).toBe('removingOwned');
  expect(getCampaignProgress(campaign, [createOwnedLine('1001'), createLine('1003')])).toMatchObject({
    bought: 1,
    isReached: false,
  });
  const stepAfterRemoval = stepThrough(
    campaignMachine,
    createCampaignInput({ signedIn: true }),
    campaignLoaded,
    linesRead,
    doneEvent('removeOwned', [createLine('1003')]),
  );
  expect([stepAfterRemoval.snapshot.value, getContext(stepAfterRemoval)['removedOwned']]).toEqual(['shown', ['1001']]);
});

test('a title that a visitor added goes into the cart after sign-in, unless it is in the cart already', () => {
  const { effects } = stepThrough(campaignMachine, createCampaignInput({ signedIn: false }), campaignLoaded, {
    type: 'title.added',
    titleId: '1001',
  });
  expect(effects.filter(isSendEffect).map(({ event }) => event)).toEqual([{ type: 'signIn.needed', action: 'add:1001' }]);
  const signedIn = createCampaignInput({ signedIn: true, resume: 'add:1001' });
  const addingStep = stepThrough(campaignMachine, signedIn, campaignLoaded, doneEvent('readLines', []));
  expect([addingStep.snapshot.value, getContext(addingStep)['change']]).toEqual([
    'changing',
    { campaignId: campaign.id, titleId: '1001', isAdded: true },
  ]);
  const inCartStep = stepThrough(campaignMachine, signedIn, campaignLoaded, doneEvent('readLines', [createLine('1001')]));
  expect([inCartStep.snapshot.value, getContext(inCartStep)['resumed']]).toEqual(['shown', null]);
});

test('after sign-in only titles of the campaign are added, and none for a visitor', () => {
  for (const input of [
    createCampaignInput({ signedIn: true, resume: 'add:9999' }),
    createCampaignInput({ signedIn: false, resume: 'add:1001' }),
  ]) {
    expect(stepThrough(campaignMachine, input, campaignLoaded, doneEvent('readLines', [])).snapshot.value).not.toBe('changing');
  }
});
