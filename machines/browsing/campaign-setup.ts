import { assign, sendParent, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import { progressOf, type Campaign, type CampaignLine } from '../model/catalogue/campaign.ts';
import type { FlowInput, FlowNews } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import { isMissing, requestPort } from '../ports.ts';

/**
 * A title goes into the cart from the campaign, or out of it; without one, all of the campaign goes
 * out.
 */
export type CampaignChange = { campaignId: string; titleId: string | null; isAdded: boolean };

type Context = {
  campaignId: string;
  signedIn: boolean;
  campaign: Campaign | null;
  /** The part of it that is in the cart. */
  lines: CampaignLine[];
  /** On its way to the cart, or out of it. */
  change: CampaignChange | null;
  /**
   * The titles that went out with all of the campaign, and can be put back: bought titles before
   * their rewards.
   */
  removed: string[];
  /** The titles that were removed because the customer owns them already. */
  removedOwned: string[];
  /** The title that a visitor added, which goes into the cart after sign-in. */
  resumed: string | null;
  problem: Problem | null;
};

/** The ports, actions and guards of a campaign. */
export const campaignSetup = setup({
  types: {} as {
    context: Context;
    events:
      | FlowNews
      | { type: 'title.added'; titleId: string }
      | { type: 'title.removed'; titleId: string }
      | { type: 'campaign.removed' }
      | { type: 'undo.pressed' }
      | { type: 'retry.pressed' };
    input: FlowInput;
  },
  actors: {
    /** Rejects with `refused not_found` for an unknown one. */
    loadCampaign: requestPort<Campaign, { campaignId: string }>(),
    /** The part of the campaign that is in the customer's cart. */
    readLines: requestPort<CampaignLine[], { campaignId: string }>(),
    /** The same, after a change. */
    changeLines: requestPort<CampaignLine[], CampaignChange>(),
    /** The same, once these titles are removed, which the customer owns. */
    removeOwned: requestPort<CampaignLine[], { campaignId: string; titleIds: readonly string[] }>(),
    /** The same, once these titles are in the cart again. */
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
      removed: ({ context: { change, lines } }) => (change?.titleId === null ? inOrder(lines) : []),
    }),
    dropRemoved: assign({ removed: [] }),
    keepRemovedOwned: assign({ removedOwned: ({ context: { lines } }) => ownedIn(lines) }),
    dropRemovedOwned: assign({ removedOwned: [] }),
    dropResumed: assign({ resumed: null }),
    dropProblem: assign({ problem: null }),
    keepProblem: keepProblem(),
    askSignIn: sendParent((_, titleId: string) => ({ type: 'signIn.needed', action: `add:${titleId}` })),
  },
  guards: {
    isMissing,
    hasNotBegun: (_, { state }: Campaign) => state === 'notBegun',
    isOver: (_, { state }: Campaign) => state === 'over',
    isVisitor: ({ context }) => !context.signedIn,
    /** It is one of the campaign's titles, and a reward only where there is one left to choose. */
    mayBeAdded: ({ context: { campaign, lines } }, titleId: string | null) => {
      const offer = campaign?.titles.find(({ title }) => title.id === titleId);
      if (campaign === null || offer === undefined || lines.some((line) => line.titleId === titleId)) return false;
      const { isReached, chosen, toChoose } = progressOf(campaign, lines);
      return !offer.isReward || (isReached && chosen < toChoose);
    },
    hasOwned: (_, lines: CampaignLine[]) => ownedIn(lines).length > 0,
    isInCart: ({ context }, titleId: string) => context.lines.some((line) => line.titleId === titleId),
    resumes: ({ context }) => context.resumed !== null,
    hasLines: ({ context }) => context.lines.length > 0,
    canBePutBack: ({ context: { lines, removed } }) => lines.length === 0 && removed.length > 0,
  },
});

function ownedIn(lines: readonly CampaignLine[]): string[] {
  return lines.filter(({ unpaid }) => unpaid === 'owned').map(({ titleId }) => titleId);
}

/**
 * The titles of a campaign in the cart, in the order in which they can go in: rewards come for
 * bought titles.
 */
function inOrder(lines: readonly CampaignLine[]): string[] {
  return lines.toSorted((one, other) => Number(one.isReward) - Number(other.isReward)).map(({ titleId }) => titleId);
}
