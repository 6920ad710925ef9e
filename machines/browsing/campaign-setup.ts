import { assign, sendParent, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import { getCampaignProgress, type Campaign, type CampaignLine } from '../model/catalogue/campaign.ts';
import type { FlowInput, FlowSignal } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import { isMissing, requestPort } from '../ports.ts';

/**
 * A change of the cart: adds or removes a title of the campaign; without a title, removes all
 * titles of the campaign.
 */
export type CampaignChange = { campaignId: string; titleId: string | null; isAdded: boolean };

type Context = {
  campaignId: string;
  signedIn: boolean;
  campaign: Campaign | null;
  /** The campaign's titles in the cart. */
  lines: CampaignLine[];
  /** The change that is being saved. */
  change: CampaignChange | null;
  /**
   * The titles that were removed with all of the campaign and can be put back: bought titles before
   * their rewards.
   */
  removed: string[];
  /** The titles that were removed because the customer owns them already. */
  removedOwned: string[];
  /** The title that a visitor pressed; it is added to the cart after sign-in. */
  resumed: string | null;
  problem: Problem | null;
};

/** The ports, actions and guards of a campaign. */
export const campaignSetup = setup({
  types: {} as {
    context: Context;
    events:
      | FlowSignal
      | { type: 'title.added'; titleId: string }
      | { type: 'title.removed'; titleId: string }
      | { type: 'campaign.removed' }
      | { type: 'undo.pressed' }
      | { type: 'retry.pressed' };
    input: FlowInput;
  },
  actors: {
    /** Rejects with `refused not_found` for an unknown campaign. */
    loadCampaign: requestPort<Campaign, { campaignId: string }>(),
    /** The campaign's titles in the customer's cart. */
    readLines: requestPort<CampaignLine[], { campaignId: string }>(),
    /** The campaign's titles in the cart after the change. */
    changeLines: requestPort<CampaignLine[], CampaignChange>(),
    /** The campaign's titles in the cart after removing these, which the customer owns. */
    removeOwned: requestPort<CampaignLine[], { campaignId: string; titleIds: readonly string[] }>(),
    /** The campaign's titles in the cart after putting these back. */
    putBack: requestPort<CampaignLine[], { campaignId: string; titleIds: readonly string[] }>(),
  },
  actions: {
    keepCampaign: assign({ campaign: (_, campaign: Campaign) => campaign, problem: null }),
    keepLines: assign({ lines: (_, lines: CampaignLine[]) => lines, problem: null }),
    keepChange: assign(({ context: { campaignId } }, change: Omit<CampaignChange, 'campaignId'>) => ({
      change: { campaignId, ...change },
      removed: [],
      removedOwned: [],
      resumed: null,
      problem: null,
    })),
    dropChange: assign({ change: null }),
    keepRemoved: assign({
      removed: ({ context: { change, lines } }) => (change?.titleId === null ? toOrderedIds(lines) : []),
    }),
    dropRemoved: assign({ removed: [] }),
    keepRemovedOwned: assign({ removedOwned: ({ context: { lines } }) => getOwnedIds(lines) }),
    dropRemovedOwned: assign({ removedOwned: [] }),
    dropResumed: assign({ resumed: null }),
    dropProblem: assign({ problem: null }),
    keepProblem: keepProblem(),
    requestSignIn: sendParent((_, titleId: string) => ({ type: 'signIn.needed', action: `add:${titleId}` })),
  },
  guards: {
    isMissing,
    hasNotStarted: (_, { state }: Campaign) => state === 'notBegun',
    isOver: (_, { state }: Campaign) => state === 'over',
    isVisitor: ({ context }) => !context.signedIn,
    /**
     * A title of the campaign that is not in the cart; for a reward, one must be left to choose.
     */
    mayBeAdded: ({ context: { campaign, lines } }, titleId: string | null) => {
      const offer = campaign?.titles.find(({ title }) => title.id === titleId);
      if (campaign === null || offer === undefined || lines.some((line) => line.titleId === titleId)) return false;
      const { isReached, chosen, toChoose } = getCampaignProgress(campaign, lines);
      return !offer.isReward || (isReached && chosen < toChoose);
    },
    hasOwned: (_, lines: CampaignLine[]) => getOwnedIds(lines).length > 0,
    isInCart: ({ context }, titleId: string) => context.lines.some((line) => line.titleId === titleId),
    resumes: ({ context }) => context.resumed !== null,
    hasLines: ({ context }) => context.lines.length > 0,
    canBePutBack: ({ context: { lines, removed } }) => lines.length === 0 && removed.length > 0,
  },
});

function getOwnedIds(lines: readonly CampaignLine[]): string[] {
  return lines.filter(({ unpaid }) => unpaid === 'owned').map(({ titleId }) => titleId);
}

/**
 * The campaign's titles in the order in which the cart accepts them: bought titles before the
 * rewards that they earn.
 */
function toOrderedIds(lines: readonly CampaignLine[]): string[] {
  return lines.toSorted((one, other) => Number(one.isReward) - Number(other.isReward)).map(({ titleId }) => titleId);
}
