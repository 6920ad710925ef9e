import { expect, test } from 'vitest';
import { campaignMachine } from '../../../machines/browsing/campaign.ts';
import { flowInput, summary } from '../../support/path-model.ts';
import { after, done } from '../../support/steps.ts';
import { campaign } from './paths.ts';

const second = { title: { ...summary, id: '1011' }, isReward: true, price: null };
const loaded = done('loadCampaign', { ...campaign, titles: [...campaign.titles, second] });
const line = (titleId: string, isReward = false) => ({ titleId, isReward });
const bought = [line('1001'), line('1003')];

test.each([
  ['before it is reached', [line('1001')], 'shown'],
  ['once it is reached', bought, 'changing'],
  ['when it was chosen already', [...bought, line('1010', true)], 'shown'],
])('the one reward of a campaign is chosen %s: %s', (_, lines, value) => {
  const input = flowInput({ flow: 'campaign', params: { campaign: campaign.id } }, { signedIn: true });
  const added = { type: 'title.added', titleId: '1011' };
  expect(after(campaignMachine, input, loaded, done('readLines', lines), added).snapshot.value).toBe(value);
});
