import { failed, failsOrIsMissing } from '../loadable.ts';
import { outputIn, problemIn } from '../ports.ts';
import { campaignSetup } from './campaign-setup.ts';

/** Adding a title is resumed after sign-in, by its id. */
const adding = /^add:(.+)$/;

/** A campaign: its terms and titles, how far the customer has come with it, and the rewards to choose once it is reached. */
export const campaignMachine = campaignSetup.createMachine({
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
