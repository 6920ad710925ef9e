import type { campaignMachine } from '../../../browsing/campaign.ts';
import type { CampaignChange } from '../../../browsing/campaign-setup.ts';
import type { Campaign, CampaignLine } from '../../../model/catalogue/campaign.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, getSentEvents, type MomentOf } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';
import { isSameJson } from '../../../same-json.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof campaignMachine>();
type Moment = MomentOf<typeof campaignMachine>;

const getChange = (moment: Moment): CampaignChange | undefined => getPortInput<CampaignChange>(moment, 'changeLines');

export const rules: Record<string, MachineRules> = {
  campaign: {
    rules: [
      leadsTo('a campaign loads or its failure is shown', {
        after: (moment) => getPortInput(moment, 'loadCampaign') !== undefined,
        to: ({ snapshot }) => !snapshot.matches('loading') && !snapshot.matches('reading'),
      }),
      always('a loaded campaign leads to the screen for its state', (moment) => {
        const campaign = getPortOutput<Campaign>(moment, 'loadCampaign');
        if (campaign === undefined) return true;
        const { value, context } = moment.snapshot;
        if (!isSameJson(context.campaign, campaign)) return false;
        if (campaign.state !== 'running') return value === campaign.state;
        return value === (context.signedIn ? 'reading' : 'shown');
      }),
      always('a missing campaign leads to notFound, and any other failure to failed', (moment) => {
        const problem = getPortProblem(moment, 'loadCampaign');
        if (problem === null) return true;
        const isMissing =
          (problem.kind === 'refused' && problem.code === 'not_found') || (problem.kind === 'http' && problem.status === 404);
        return moment.snapshot.value === (isMissing ? 'notFound' : 'failed');
      }),
      always('the cart lines are those of the server’s last answer', (moment) => {
        const expectedLines =
          getPortOutput<CampaignLine[]>(moment, 'readLines', 'changeLines', 'putBack', 'removeOwned') ??
          moment.before?.context.lines ??
          [];
        return isSameJson(moment.snapshot.context.lines, expectedLines);
      }),
      onlyAfter('the cart changes only after a press, now or before sign-in', {
        cause: ({ event, before }) =>
          before?.context.resumed != null ||
          ['title.added', 'title.removed', 'campaign.removed', 'undo.pressed'].includes(event.type),
        what: (moment) => getChange(moment) !== undefined || getPortInput(moment, 'putBack') !== undefined,
        each: true,
      }),
      always('the requested change is the one that was pressed', (moment) => {
        const change = getChange(moment);
        if (change === undefined) return true;
        const { event, before } = moment;
        const resumed = before?.context.resumed ?? null;
        const { campaignId } = moment.snapshot.context;
        if (resumed !== null) return isSameJson(change, { campaignId, titleId: resumed, isAdded: true });
        const titleId = event.type === 'campaign.removed' ? null : (event['titleId'] as unknown);
        return isSameJson(change, {
          campaignId,
          titleId,
          isAdded: event.type === 'title.added',
        });
      }),
      always('a reward is added only once it is earned, up to the number of rewards', (moment) => {
        const change = getChange(moment);
        const { campaign, lines } = moment.snapshot.context;
        const offer = campaign?.titles.find(({ title }) => title.id === change?.titleId);
        if (change?.isAdded !== true || offer?.isReward !== true) return change?.isAdded !== true || offer !== undefined;
        const rewardIds = new Set(campaign?.titles.flatMap(({ title, isReward }) => (isReward ? title.id : [])));
        const purchaseCount = lines.filter(({ titleId, unpaid }) => unpaid === undefined && !rewardIds.has(titleId)).length;
        const rewardCount = lines.filter(({ isReward }) => isReward).length;
        return purchaseCount >= (campaign?.buyCount ?? 0) && rewardCount < (campaign?.rewardCount ?? 0);
      }),
      always('an undo restores all removed titles, the bought ones before the rewards', (moment) => {
        const input = getPortInput<{ titleIds: readonly string[] }>(moment, 'putBack');
        const rewardIds = new Set(
          moment.snapshot.context.campaign?.titles.flatMap(({ title, isReward }) => (isReward ? title.id : [])),
        );
        const { titleIds = [] } = input ?? {};
        const firstReward = titleIds.findIndex((id) => rewardIds.has(id));
        return (
          input === undefined ||
          (titleIds.length > 0 &&
            isSameJson(titleIds, moment.before?.context.removed) &&
            (firstReward < 0 || titleIds.slice(firstReward).every((id) => rewardIds.has(id))))
        );
      }),
      always('a removed campaign keeps its titles for an undo, which clears them', (moment) => {
        const { removed } = moment.snapshot.context;
        const isRemoved = moment.before?.context.change?.titleId === null && getPortOutput(moment, 'changeLines') !== undefined;
        if (isRemoved)
          return isSameJson(removed.toSorted(), moment.before?.context.lines.map(({ titleId }) => titleId).toSorted());
        return getPortOutput(moment, 'putBack') === undefined || removed.length === 0;
      }),
      always('a visitor’s press requests sign-in and changes nothing', (moment) => {
        const needsSignIn =
          moment.event.type === 'title.added' && moment.before?.matches('shown') === true && !moment.snapshot.context.signedIn;
        return getSentEvents(moment, 'signIn.needed').length === (needsSignIn ? 1 : 0) && !(needsSignIn && getChange(moment));
      }),
      always('only owned titles are removed without a press, and the page names them', (moment) => {
        const input = getPortInput<{ titleIds: readonly string[] }>(moment, 'removeOwned');
        if (input === undefined) return true;
        const { lines, removedOwned } = moment.snapshot.context;
        const ownedTitleIds = lines.filter(({ unpaid }) => unpaid === 'owned').map(({ titleId }) => titleId);
        return ownedTitleIds.length > 0 && isSameJson(input.titleIds, ownedTitleIds) && isSameJson(removedOwned, ownedTitleIds);
      }),
      always('a failed change shows its problem', (moment) => {
        const problem = getPortProblem(moment, 'changeLines', 'putBack', 'removeOwned');
        return problem === null || (moment.snapshot.matches('shown') && isSameJson(moment.snapshot.context.problem, problem));
      }),
      invariant(
        'a change is stored exactly while it is sent',
        ({ value, context }) => (value === 'changing') === (context.change !== null),
      ),
      leadsTo('every change of the cart ends', {
        after: ({ snapshot }) => snapshot.matches('changing') || snapshot.matches('puttingBack'),
        to: ({ snapshot }) => snapshot.matches('shown'),
      }),
    ],
    externalExits: { 'campaign.notFound': 'a link leads to all titles' },
  },
};
