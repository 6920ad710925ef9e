import { failed, failedOrNotFound } from '../loadable.ts';
import { getOutput, getProblem } from '../ports.ts';
import { campaignSetup } from './campaign-setup.ts';

/** Matches the action that adds a title after sign-in; the group is the title's id. */
const addActionPattern = /^add:(.+)$/;

/**
 * A campaign page: terms and titles, the customer's progress, and the choice of rewards once enough
 * titles are in the cart.
 */
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
    resumed: signedIn ? (addActionPattern.exec(resume ?? '')?.[1] ?? null) : null,
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
            guard: { type: 'hasNotStarted', params: getOutput },
            target: 'notBegun',
            actions: { type: 'keepCampaign', params: getOutput },
          },
          { guard: { type: 'isOver', params: getOutput }, target: 'over', actions: { type: 'keepCampaign', params: getOutput } },
          { guard: 'isVisitor', target: 'shown', actions: { type: 'keepCampaign', params: getOutput } },
          { target: 'reading', actions: { type: 'keepCampaign', params: getOutput } },
        ],
        onError: failedOrNotFound,
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
            guard: { type: 'hasOwned', params: getOutput },
            target: 'removingOwned',
            actions: { type: 'keepLines', params: getOutput },
          },
          { target: 'shown', actions: { type: 'keepLines', params: getOutput } },
        ],
        onError: { target: 'failed', actions: { type: 'keepProblem', params: getProblem } },
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
          { guard: 'isVisitor', actions: { type: 'requestSignIn', params: ({ event }) => event.titleId } },
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
            guard: { type: 'hasOwned', params: getOutput },
            target: 'removingOwned',
            actions: ['keepRemoved', { type: 'keepLines', params: getOutput }],
          },
          { target: 'shown', actions: ['keepRemoved', { type: 'keepLines', params: getOutput }] },
        ],
        onError: { target: 'shown', actions: { type: 'keepProblem', params: getProblem } },
      },
    },
    /** Removes titles that the customer owns: they are not sold again and earn no reward. */
    removingOwned: {
      tags: 'busy',
      entry: ['dropChange', 'keepRemovedOwned'],
      invoke: {
        id: 'removeOwned',
        src: 'removeOwned',
        input: ({ context: { campaignId, removedOwned } }) => ({ campaignId, titleIds: removedOwned }),
        onDone: { target: 'shown', actions: { type: 'keepLines', params: getOutput } },
        onError: { target: 'shown', actions: ['dropRemovedOwned', { type: 'keepProblem', params: getProblem }] },
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
            guard: { type: 'hasOwned', params: getOutput },
            target: 'removingOwned',
            actions: ['dropRemoved', { type: 'keepLines', params: getOutput }],
          },
          { target: 'shown', actions: ['dropRemoved', { type: 'keepLines', params: getOutput }] },
        ],
        // A retry puts back only the titles that are still missing.
        onError: { target: 'shown', actions: { type: 'keepProblem', params: getProblem } },
      },
    },
    notBegun: { on: { 'language.changed': 'loading' } },
    over: { on: { 'language.changed': 'loading' } },
    notFound: {},
    failed,
  },
});
