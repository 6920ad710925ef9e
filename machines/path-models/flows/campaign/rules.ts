import type { campaignMachine } from '../../../browsing/campaign.ts';
import type { CampaignChange } from '../../../browsing/campaign-setup.ts';
import type { Campaign, CampaignLine } from '../../../model/catalogue/campaign.ts';
import {
  getPortOutput,
  getPortInput,
  getPortProblem,
  rulesFor,
  isSame,
  getSentEvents,
  type MomentOf,
} from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof campaignMachine>();
type Moment = MomentOf<typeof campaignMachine>;

const getChange = (moment: Moment): CampaignChange | undefined => getPortInput<CampaignChange>(moment, 'changeLines');

export const rules: Record<string, MachineRules> = {
  campaign: {
    rules: [
      leadsTo('a campaign comes, or a word why not', {
        after: (moment) => getPortInput(moment, 'loadCampaign') !== undefined,
        to: ({ snapshot }) => !snapshot.matches('loading') && !snapshot.matches('reading'),
      }),
      always('a campaign is shown as it stands, and nothing can be taken from one of another time', (moment) => {
        const campaign = getPortOutput<Campaign>(moment, 'loadCampaign');
        if (campaign === undefined) return true;
        const { value, context } = moment.snapshot;
        if (!isSame(context.campaign, campaign)) return false;
        if (campaign.state !== 'running') return value === campaign.state;
        return value === (context.signedIn ? 'reading' : 'shown');
      }),
      always('a campaign that is not there is said to be none', (moment) => {
        const problem = getPortProblem(moment, 'loadCampaign');
        if (problem === null) return true;
        const isMissing =
          (problem.kind === 'refused' && problem.code === 'not_found') || (problem.kind === 'http' && problem.status === 404);
        return moment.snapshot.value === (isMissing ? 'notFound' : 'failed');
      }),
      always('what is in the cart is what the server has told of', (moment) => {
        const told =
          getPortOutput<CampaignLine[]>(moment, 'readLines', 'changeLines', 'putBack', 'removeOwned') ??
          moment.before?.context.lines ??
          [];
        return isSame(moment.snapshot.context.lines, told);
      }),
      onlyAfter('the cart is changed by a press alone, now or before sign-in', {
        cause: ({ event, before }) =>
          before?.context.resumed != null ||
          ['title.added', 'title.removed', 'campaign.removed', 'undo.pressed'].includes(event.type),
        what: (moment) => getChange(moment) !== undefined || getPortInput(moment, 'putBack') !== undefined,
        each: true,
      }),
      always('what is changed is what was pressed', (moment) => {
        const change = getChange(moment);
        if (change === undefined) return true;
        const { event, before } = moment;
        const resumed = before?.context.resumed ?? null;
        const { campaignId } = moment.snapshot.context;
        if (resumed !== null) return isSame(change, { campaignId, titleId: resumed, isAdded: true });
        const titleId = event.type === 'campaign.removed' ? null : (event['titleId'] as unknown);
        return isSame(change, {
          campaignId,
          titleId,
          isAdded: event.type === 'title.added',
        });
      }),
      always('a reward is only asked for where it is reached, and no more of them than there are', (moment) => {
        const change = getChange(moment);
        const { campaign, lines } = moment.snapshot.context;
        const offer = campaign?.titles.find(({ title }) => title.id === change?.titleId);
        if (change?.isAdded !== true || offer?.isReward !== true) return change?.isAdded !== true || offer !== undefined;
        const rewards = new Set(campaign?.titles.flatMap(({ title, isReward }) => (isReward ? title.id : [])));
        const bought = lines.filter(({ titleId, unpaid }) => unpaid === undefined && !rewards.has(titleId)).length;
        const chosen = lines.filter(({ isReward }) => isReward).length;
        return bought >= (campaign?.buyCount ?? 0) && chosen < (campaign?.rewardCount ?? 0);
      }),
      always('what went out with the campaign comes back, what is bought before its rewards', (moment) => {
        const asked = getPortInput<{ titleIds: readonly string[] }>(moment, 'putBack');
        const rewards = new Set(
          moment.snapshot.context.campaign?.titles.flatMap(({ title, isReward }) => (isReward ? title.id : [])),
        );
        const { titleIds = [] } = asked ?? {};
        const firstReward = titleIds.findIndex((id) => rewards.has(id));
        return (
          asked === undefined ||
          (titleIds.length > 0 &&
            isSame(titleIds, moment.before?.context.removed) &&
            (firstReward < 0 || titleIds.slice(firstReward).every((id) => rewards.has(id))))
        );
      }),
      always('whoever takes the campaign out can put it back, until it is', (moment) => {
        const { removed } = moment.snapshot.context;
        const gone = moment.before?.context.change?.titleId === null && getPortOutput(moment, 'changeLines') !== undefined;
        if (gone) return isSame(removed.toSorted(), moment.before?.context.lines.map(({ titleId }) => titleId).toSorted());
        return getPortOutput(moment, 'putBack') === undefined || removed.length === 0;
      }),
      always('a visitor’s press asks for sign-in, and changes nothing', (moment) => {
        const isVisitors =
          moment.event.type === 'title.added' && moment.before?.matches('shown') === true && !moment.snapshot.context.signedIn;
        return getSentEvents(moment, 'signIn.needed').length === (isVisitors ? 1 : 0) && !(isVisitors && getChange(moment));
      }),
      always('only titles that the customer owns are removed without a press, and they are named', (moment) => {
        const asked = getPortInput<{ titleIds: readonly string[] }>(moment, 'removeOwned');
        if (asked === undefined) return true;
        const { lines, removedOwned } = moment.snapshot.context;
        const owned = lines.filter(({ unpaid }) => unpaid === 'owned').map(({ titleId }) => titleId);
        return owned.length > 0 && isSame(asked.titleIds, owned) && isSame(removedOwned, owned);
      }),
      always('what did not happen is told, and the lines stay', (moment) => {
        const problem = getPortProblem(moment, 'changeLines', 'putBack', 'removeOwned');
        return problem === null || (moment.snapshot.matches('shown') && isSame(moment.snapshot.context.problem, problem));
      }),
      invariant(
        'one change at a time is on its way',
        ({ value, context }) => (value === 'changing') === (context.change !== null),
      ),
      leadsTo('every press is answered', {
        after: ({ snapshot }) => snapshot.matches('changing') || snapshot.matches('puttingBack'),
        to: ({ snapshot }) => snapshot.matches('shown'),
      }),
    ],
    externalExits: { 'campaign.notFound': 'the way to all titles' },
  },
};
