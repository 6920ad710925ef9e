import type { SnapshotFrom } from 'xstate';
import { campaignMachine } from '../../../browsing/campaign.ts';
import type { Campaign, CampaignLine } from '../../../model/catalogue/campaign.ts';
import type { Problem } from '../../../model/problem.ts';
import { describeCase } from '../../description.ts';
import { createFlowInput, problems, toRejectionCases, titleSummary, type PathModel } from '../../path-model.ts';
import { campaignDescription } from './descriptions.ts';

const otherTitle = { ...titleSummary, id: '1003', name: 'The Weighing Room' };
const rewardTitle = { ...titleSummary, id: '1010', name: 'The Umbrella Committee' };

export const campaign: Campaign = {
  id: 'evening-reads',
  name: 'Evening reads',
  html: '<p>Buy two, choose one.</p>',
  state: 'running',
  startsAt: '',
  endsAt: '2027-12-24T00:00:00Z',
  buyCount: 2,
  rewardCount: 1,
  titles: [
    { title: titleSummary, isReward: false, price: { amount: 7.99, currency: 'USD', symbol: '$' } },
    { title: otherTitle, isReward: false, price: null },
    { title: rewardTitle, isReward: true, price: null },
  ],
};

const toRefusal = (code: string): Problem => ({ kind: 'refused', code, message: 'No' });
const toLine = (titleId: string, isReward = false): CampaignLine => ({ titleId, isReward });
const oneLine = [toLine('1001')];
const enoughLines = [toLine('1001'), toLine('1003')];
const linesWithOwned: CampaignLine[] = [toLine('1001'), { ...toLine('1003'), unpaid: 'owned' }];
const linesWithReward = [...enoughLines, toLine('1010', true)];

const stateTexts: Record<Campaign['state'], string> = { running: 'it runs', notBegun: 'it has not begun', over: 'it is over' };

type Context = Pick<
  SnapshotFrom<typeof campaignMachine>['context'],
  'lines' | 'campaign' | 'change' | 'removed' | 'problem' | 'resumed'
>;

/** The model of a campaign of the demo store. Cart lines are requested only while it runs. */
const createModel = (id: string, demoCampaign: Campaign, signedIn = false, resume: string | null = null): PathModel => ({
  name: 'campaign',
  machine: campaignMachine,
  description: campaignDescription,
  startInstruction: `${resume !== null ? 'Signed in after a press on “Add to cart” at The Keeper’s Third Log as a visitor' : signedIn ? 'Signed in' : 'As a visitor'}, open /campaign/${id}.`,
  input: createFlowInput({ flow: 'campaign', path: `/campaign/${id}`, params: { campaign: id } }, { signedIn, resume }),
  kind: ({ value, context }): unknown[] => {
    const { lines, campaign: shownCampaign, change, removed, problem, resumed } = context as Context;
    return [value, lines, shownCampaign?.state, change?.titleId === null, removed.length > 0, problem?.kind, resumed];
  },
  cases: {
    'xstate.done.actor.loadCampaign': [describeCase(stateTexts[demoCampaign.state], { output: demoCampaign })],
    'xstate.error.actor.loadCampaign': toRejectionCases(problems.offline, problems.notFound),
    'xstate.done.actor.readLines': [
      describeCase('nothing', { output: [] }, 'Have no title of the campaign in the cart'),
      describeCase(
        'enough for a reward',
        { output: enoughLines },
        'Press “Add to cart” at two titles on the page of the campaign, and leave it',
      ),
      describeCase(
        'two titles, one of which the customer owns',
        { output: linesWithOwned },
        'Press “Add to cart” at two titles on the page of the campaign, leave it, and buy the second on its own page',
      ),
    ],
    'xstate.done.actor.removeOwned': [describeCase('the other one', { output: [toLine('1001')] })],
    'xstate.error.actor.removeOwned': toRejectionCases(problems.offline),
    'xstate.error.actor.readLines': toRejectionCases(problems.offline),
    'title.added': [
      describeCase('“Add to cart”, for a title to buy', { titleId: '1001' }),
      describeCase('“Choose”, for a reward', { titleId: '1010' }),
      describeCase('a title that is not in the campaign', { titleId: '9999' }),
    ],
    'title.removed': [
      describeCase('a title in the cart', { titleId: '1001' }),
      describeCase('a title that is not in it', { titleId: '1010' }),
    ],
    'xstate.done.actor.changeLines': [
      describeCase('one title', { output: oneLine }),
      describeCase('enough, and a reward', { output: linesWithReward }),
      describeCase('nothing', { output: [] }),
      describeCase('a title that the customer has bought in another tab', { output: linesWithOwned }),
    ],
    'xstate.error.actor.changeLines': [
      describeCase('the campaign has ended', { error: toRefusal('campaign_over') }),
      ...toRejectionCases(problems.offline),
    ],
    'xstate.done.actor.putBack': [
      describeCase('all of them', { output: enoughLines }),
      describeCase('one that was bought in another tab', { output: linesWithOwned }),
    ],
    'xstate.error.actor.putBack': [
      describeCase('the campaign has ended', { error: toRefusal('campaign_over') }),
      ...toRejectionCases(problems.offline),
    ],
  },
});

export const models: PathModel[] = [
  createModel('evening-reads', campaign, true),
  createModel('evening-reads', campaign),
  createModel('evening-reads', campaign, true, 'add:1001'),
  createModel('winter-lights', { ...campaign, state: 'notBegun', startsAt: '2027-12-01T00:00:00Z' }),
  createModel('harbour-day', { ...campaign, state: 'over' }),
];
