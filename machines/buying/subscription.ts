import { toFailed } from '../loadable.ts';
import type { HeldSubscription } from '../model/buying/subscription.ts';
import { getOutput, getProblem } from '../ports.ts';
import { subscriptionSetup, getRequestedPlan } from './subscription-setup.ts';

const loadSubscription = {
  id: 'loadSubscription',
  src: 'loadSubscription',
  onDone: [
    {
      guard: { type: 'isSubscribed', params: getOutput<HeldSubscription | null> },
      target: 'subscribed',
      actions: { type: 'keepHeld', params: getOutput<HeldSubscription | null> },
    },
    { target: 'offered' },
  ],
} as const;

/**
 * The subscription page: the plans and the customer's subscription. A subscriber can change the
 * plan: the first press requests a quote, the second confirms the change.
 */
export const subscriptionMachine = subscriptionSetup.createMachine({
  id: 'subscription',
  context: ({ input }) => ({
    sells: input.store.enableSubscription,
    signedIn: input.signedIn,
    wanted: getRequestedPlan(input.route),
    plans: [],
    held: null,
    chosen: null,
    quote: null,
    problem: null,
  }),
  on: {
    'route.changed': {
      guard: { type: 'isOtherPlan', params: ({ event }) => event.route },
      target: '.deciding',
      actions: { type: 'keepWanted', params: ({ event }) => event.route },
    },
    // The store writes the plans' texts, so another language reloads them.
    'language.changed': '.deciding',
  },
  initial: 'deciding',
  states: {
    deciding: { entry: 'clearChoice', always: [{ guard: 'sellsNone', target: 'closed' }, { target: 'loading' }] },
    loading: {
      meta: { spec: ['S7.plans', 'S7.plans/id', 'S8.plan'] },
      tags: 'busy',
      invoke: {
        id: 'loadPlans',
        src: 'loadPlans',
        input: ({ context }) => ({ planId: context.wanted }),
        onDone: [
          {
            guard: { type: 'isUnknown', params: getOutput },
            target: 'notFound',
            actions: { type: 'keepPlans', params: getOutput },
          },
          { guard: 'isVisitor', target: 'offered', actions: { type: 'keepPlans', params: getOutput } },
          { target: 'checking', actions: { type: 'keepPlans', params: getOutput } },
        ],
        onError: toFailed,
      },
    },
    checking: {
      tags: 'busy',
      invoke: { ...loadSubscription, onError: toFailed },
    },
    offered: { meta: { spec: ['S2./subscription'] } },
    subscribed: {
      on: {
        'change.pressed': {
          guard: { type: 'mayChangeTo', params: ({ event }) => event.planId },
          target: 'quoting',
          actions: { type: 'choose', params: ({ event }) => event.planId },
        },
      },
    },
    quoting: {
      tags: 'busy',
      invoke: {
        id: 'quotePlan',
        src: 'quotePlan',
        input: ({ context }) => ({ planId: context.chosen ?? '' }),
        onDone: { target: 'asking', actions: { type: 'keepQuote', params: getOutput } },
        onError: { target: 'subscribed', actions: ['clearChoice', { type: 'keepProblem', params: getProblem }] },
      },
    },
    asking: { on: { 'change.confirmed': 'changing', 'change.declined': { target: 'subscribed', actions: 'clearChoice' } } },
    /** A customer who returns by the Back button finds the plans. */
    changing: {
      meta: { spec: ['S7.customer/portal/session'] },
      tags: 'busy',
      invoke: {
        id: 'changePlan',
        src: 'changePlan',
        input: ({ context }) => ({ quote: context.quote }),
        onDone: { target: 'subscribed', actions: ['clearChoice', { type: 'leaveShop', params: getOutput }] },
        onError: { target: 'refreshing', actions: ['clearChoice', { type: 'keepProblem', params: getProblem }] },
      },
    },
    /** The change failed, or its outcome is unknown: reads the subscription from the server. */
    refreshing: {
      tags: 'busy',
      invoke: { ...loadSubscription, onError: 'subscribed' },
    },
    /** The plan in the URL is not on offer. */
    notFound: {},
    closed: {},
    failed: { on: { 'retry.pressed': 'loading' } },
  },
});
