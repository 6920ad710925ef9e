import { assign, sendParent, setup } from 'xstate';
import { failed, failsOrIsMissing, keepProblem } from '../loadable.ts';
import { progressOf, type Campaign, type CampaignLine } from '../model/catalogue/campaign.ts';
import type { FlowInput, FlowNews } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import { isMissing, outputIn, problemIn, requestPort } from '../ports.ts';

/** A title goes into the cart from the campaign, or out of it; without one, all of the campaign goes out. */
export type CampaignChange = { campaignId: string; titleId: string | null; isAdded: boolean };

type Context = {
  campaignId: string;
  signedIn: boolean;
  campaign: Campaign | null;
  /** What is in the cart of it. */
  lines: CampaignLine[];
  /** On its way to the cart, or out of it. */
  change: CampaignChange | null;
  /** The titles that went out with all of the campaign, and can be put back: what is bought before its rewards. */
  removed: string[];
  /** The titles that were removed because the customer owns them already. */
  removedOwned: string[];
  /** The title that a visitor added, which goes into the cart after sign-in. */
  resumed: string | null;
  problem: Problem | null;
};

/** Adding a title is resumed after sign-in, by its id. */
const adding = /^add:(.+)$/;

const ownedIn = (lines: readonly CampaignLine[]): string[] =>
  lines.filter(({ unpaid }) => unpaid === 'owned').map(({ titleId }) => titleId);

/** What of a campaign is in the cart, in the order in which it can go in: rewards come for what is bought. */
const inOrder = (lines: readonly CampaignLine[]): string[] =>
  lines.toSorted((one, other) => Number(one.isReward) - Number(other.isReward)).map(({ titleId }) => titleId);

/** A campaign: its terms and titles, how far the customer has come with it, and the rewards to choose once it is reached. */
export const campaignMachine = setup({
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
    /** What of the campaign is in the customer's cart. */
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
}).createMachine({
  id: 'campaign',
  context: ({ input: { route, signedIn, resume } }) => ({
    campaignId: route.params['campaign'] ?? '',
    signedIn,
    campaign: null,
    lines: [],
    change: null,
    removed: [],
    removedOwned: [],
    resumed: signedIn ? (adding.exec(resume ?? '')?.[1] ?? null) : null,
    problem: null,
  }),
  initial: 'loading',
  states: {
    loading: {
      meta: { spec: ['S7.campaign/titles'] },
      tags: 'busy',
      on: { 'language.changed': { target: 'loading', reenter: true } },
      invoke: {
        id: 'loadCampaign',
        src: 'loadCampaign',
        input: ({ context: { campaignId } }) => ({ campaignId }),
        onDone: [
          {
            guard: { type: 'hasNotBegun', params: outputIn },
            target: 'notBegun',
            actions: { type: 'keepCampaign', params: outputIn },
          },
          { guard: { type: 'isOver', params: outputIn }, target: 'over', actions: { type: 'keepCampaign', params: outputIn } },
          { guard: 'isVisitor', target: 'shown', actions: { type: 'keepCampaign', params: outputIn } },
          { target: 'reading', actions: { type: 'keepCampaign', params: outputIn } },
        ],
        onError: failsOrIsMissing,
      },
    },
    reading: {
      tags: 'busy',
      invoke: {
        id: 'readLines',
        src: 'readLines',
        input: ({ context: { campaignId } }) => ({ campaignId }),
        onDone: [
          {
            guard: { type: 'hasOwned', params: outputIn },
            target: 'removingOwned',
            actions: { type: 'keepLines', params: outputIn },
          },
          { target: 'shown', actions: { type: 'keepLines', params: outputIn } },
        ],
        onError: { target: 'failed', actions: { type: 'keepProblem', params: problemIn } },
      },
    },
    shown: {
      meta: { spec: ['S2./campaign'] },
      entry: 'dropChange',
      always: [
        {
          guard: { type: 'mayBeAdded', params: ({ context }) => context.resumed },
          target: 'changing',
          actions: { type: 'keepChange', params: ({ context }) => ({ titleId: context.resumed, isAdded: true }) },
        },
        { guard: 'resumes', actions: 'dropResumed' },
      ],
      on: {
        'title.added': [
          { guard: 'isVisitor', actions: { type: 'askSignIn', params: ({ event }) => event.titleId } },
          {
            guard: { type: 'mayBeAdded', params: ({ event }) => event.titleId },
            target: 'changing',
            actions: { type: 'keepChange', params: ({ event: { titleId } }) => ({ titleId, isAdded: true }) },
          },
        ],
        'title.removed': {
          guard: { type: 'isInCart', params: ({ event }) => event.titleId },
          target: 'changing',
          actions: { type: 'keepChange', params: ({ event: { titleId } }) => ({ titleId, isAdded: false }) },
        },
        'campaign.removed': {
          guard: 'hasLines',
          target: 'changing',
          actions: { type: 'keepChange', params: { titleId: null, isAdded: false } },
        },
        'undo.pressed': { guard: 'canBePutBack', target: 'puttingBack', actions: 'dropProblem' },
        'language.changed': 'loading',
      },
    },
    changing: {
      meta: { spec: ['S7.cart/removeCampaign'] },
      tags: 'busy',
      invoke: {
        id: 'changeLines',
        src: 'changeLines',
        input: ({ context: { campaignId, change } }) => change ?? { campaignId, titleId: null, isAdded: false },
        onDone: [
          {
            guard: { type: 'hasOwned', params: outputIn },
            target: 'removingOwned',
            actions: ['keepRemoved', { type: 'keepLines', params: outputIn }],
          },
          { target: 'shown', actions: ['keepRemoved', { type: 'keepLines', params: outputIn }] },
        ],
        onError: { target: 'shown', actions: { type: 'keepProblem', params: problemIn } },
      },
    },
    /** A title that the customer owns is not bought again, and earns no reward. */
    removingOwned: {
      tags: 'busy',
      entry: ['dropChange', 'keepRemovedOwned'],
      invoke: {
        id: 'removeOwned',
        src: 'removeOwned',
        input: ({ context: { campaignId, removedOwned } }) => ({ campaignId, titleIds: removedOwned }),
        onDone: { target: 'shown', actions: { type: 'keepLines', params: outputIn } },
        onError: { target: 'shown', actions: ['dropRemovedOwned', { type: 'keepProblem', params: problemIn }] },
      },
    },
    puttingBack: {
      tags: 'busy',
      invoke: {
        id: 'putBack',
        src: 'putBack',
        input: ({ context: { campaignId, removed } }) => ({ campaignId, titleIds: removed }),
        onDone: [
          {
            guard: { type: 'hasOwned', params: outputIn },
            target: 'removingOwned',
            actions: ['dropRemoved', { type: 'keepLines', params: outputIn }],
          },
          { target: 'shown', actions: ['dropRemoved', { type: 'keepLines', params: outputIn }] },
        ],
        // What has come back already is not put in twice: it can be asked for again.
        onError: { target: 'shown', actions: { type: 'keepProblem', params: problemIn } },
      },
    },
    notBegun: { on: { 'language.changed': 'loading' } },
    over: { on: { 'language.changed': 'loading' } },
    notFound: {},
    failed,
  },
});
