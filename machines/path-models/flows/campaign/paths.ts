import type { SnapshotFrom } from 'xstate';
import { campaignMachine } from '../../../browsing/campaign.ts';
import type { Campaign, CampaignLine } from '../../../model/catalogue/campaign.ts';
import type { Problem } from '../../../model/problem.ts';
import { described } from '../../description.ts';
import { flowInput, problems, rejections, summary, type PathModel } from '../../path-model.ts';
import { campaignDescription } from './descriptions.ts';

const other = { ...summary, id: '1003', name: 'The Weighing Room' };
const reward = { ...summary, id: '1010', name: 'The Umbrella Committee' };

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
    { title: summary, isReward: false, price: { amount: 7.99, currency: 'USD', symbol: '$' } },
    { title: other, isReward: false, price: null },
    { title: reward, isReward: true, price: null },
  ],
};

const refused = (code: string): Problem => ({ kind: 'refused', code, message: 'No' });
const line = (titleId: string, isReward = false): CampaignLine => ({ titleId, isReward });
const some = [line('1001')];
const reached = [line('1001'), line('1003')];
const withOwned: CampaignLine[] = [line('1001'), { ...line('1003'), unpaid: 'owned' }];
const chosen = [...reached, line('1010', true)];

const stands: Record<Campaign['state'], string> = { running: 'it runs', notBegun: 'it has not begun', over: 'it is over' };

type Context = Pick<
  SnapshotFrom<typeof campaignMachine>['context'],
  'lines' | 'campaign' | 'change' | 'removed' | 'problem' | 'resumed'
>;

/** A campaign of the demo store; only one that runs is ever asked for what of it is in the cart. */
const model = (id: string, known: Campaign, signedIn = false, resume: string | null = null): PathModel => ({
  name: 'campaign',
  machine: campaignMachine,
  description: campaignDescription,
  given: `${resume !== null ? 'As a visitor, press “Add to cart” at The Keeper’s Third Log and sign in:' : signedIn ? 'Signed in' : 'As a visitor'}, open /campaign/${id}.`,
  input: flowInput({ flow: 'campaign', path: `/campaign/${id}`, params: { campaign: id } }, { signedIn, resume }),
  kind: ({ value, context }): unknown[] => {
    const { lines, campaign: known, change, removed, problem, resumed } = context as Context;
    return [value, lines, known?.state, change?.titleId === null, removed.length > 0, problem?.kind, resumed];
  },
  cases: {
    'xstate.done.actor.loadCampaign': [described(stands[known.state], { output: known })],
    'xstate.error.actor.loadCampaign': rejections(problems.offline, problems.notFound),
    'xstate.done.actor.readLines': [
      described('nothing', { output: [] }, 'Have nothing of the campaign in the cart'),
      described(
        'enough for a reward',
        { output: reached },
        'Press “Add to cart” at two titles on the page of the campaign, and leave it',
      ),
      described(
        'two titles, one of which the customer owns',
        { output: withOwned },
        'Press “Add to cart” at two titles on the page of the campaign, leave it, and buy the second on its own page',
      ),
    ],
    'xstate.done.actor.removeOwned': [described('the other one', { output: [line('1001')] })],
    'xstate.error.actor.removeOwned': rejections(problems.offline),
    'xstate.error.actor.readLines': rejections(problems.offline),
    'title.added': [
      described('“Add to cart”, of one that is to be bought', { titleId: '1001' }),
      described('“Choose”, of a reward', { titleId: '1010' }),
      described('of one that is none of the campaign', { titleId: '9999' }),
    ],
    'title.removed': [described('that is in the cart', { titleId: '1001' }), described('that is not', { titleId: '1010' })],
    'xstate.done.actor.changeLines': [
      described('one title', { output: some }),
      described('enough, and a reward', { output: chosen }),
      described('nothing', { output: [] }),
      described('a title that the customer has bought in another tab', { output: withOwned }),
    ],
    'xstate.error.actor.changeLines': [
      described('it has ended meanwhile', { error: refused('campaign_over') }),
      ...rejections(problems.offline),
    ],
    'xstate.done.actor.putBack': [
      described('all that was', { output: reached }),
      described('one of which was bought in another tab', { output: withOwned }),
    ],
    'xstate.error.actor.putBack': [
      described('it has ended meanwhile', { error: refused('campaign_over') }),
      ...rejections(problems.offline),
    ],
  },
});

export const models: PathModel[] = [
  model('evening-reads', campaign, true),
  model('evening-reads', campaign),
  model('evening-reads', campaign, true, 'add:1001'),
  model('winter-lights', { ...campaign, state: 'notBegun', startsAt: '2027-12-01T00:00:00Z' }),
  model('harbour-day', { ...campaign, state: 'over' }),
];
