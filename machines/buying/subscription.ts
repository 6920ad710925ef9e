import { fails } from '../loadable.ts';
import type { HeldSubscription } from '../model/buying/subscription.ts';
import { outputIn, problemIn } from '../ports.ts';
import { subscriptionSetup, wantedIn } from './subscription-setup.ts';

const loadSubscription = {
  id: 'loadSubscription',
  src: 'loadSubscription',
  onDone: [
    {
      guard: { type: 'isSubscribed', params: outputIn<HeldSubscription | null> },
      target: 'subscribed',
      actions: { type: 'keepHeld', params: outputIn<HeldSubscription | null> },
    },
    { target: 'offered' },
  ],
} as const;

/** The page of subscriptions: the plans, whether the customer has one, and another one for who has: quoted first, changed by a press. */
export const subscriptionMachine = subscriptionSetup.createMachine({
  id: 'subscription',
  context: ({ input }) => ({
    sells: input.store.enableSubscription,
    signedIn: input.signedIn,
    wanted: wantedIn(input.route),
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
    // The plans are told in the store's own words.
    'language.changed': '.deciding',
  },
  initial: 'deciding',
  states: {
    deciding: { entry: 'unchoose', always: [{ guard: 'sellsNone', target: 'closed' }, { target: 'loading' }] },
    loading: {
      meta: { spec: ['S7.plans', 'S7.plans/id', 'S8.plan'] },
      tags: 'busy',
      invoke: {
        id: 'loadPlans',
        src: 'loadPlans',
        input: ({ context }) => ({ planId: context.wanted }),
        onDone: [
          {
            guard: { type: 'isUnknown', params: outputIn },
            target: 'notFound',
            actions: { type: 'keepPlans', params: outputIn },
          },
          { guard: 'isVisitor', target: 'offered', actions: { type: 'keepPlans', params: outputIn } },
          { target: 'checking', actions: { type: 'keepPlans', params: outputIn } },
        ],
        onError: fails,
      },
    },
    checking: {
      tags: 'busy',
      invoke: { ...loadSubscription, onError: fails },
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
        onDone: { target: 'asking', actions: { type: 'keepQuote', params: outputIn } },
        onError: { target: 'subscribed', actions: ['unchoose', { type: 'keepProblem', params: problemIn }] },
      },
    },
    asking: { on: { 'change.confirmed': 'changing', 'change.declined': { target: 'subscribed', actions: 'unchoose' } } },
    /** Whoever comes back by Back finds the plans. */
    changing: {
      meta: { spec: ['S7.customer/portal/session'] },
      tags: 'busy',
      invoke: {
        id: 'changePlan',
        src: 'changePlan',
        input: ({ context }) => ({ quote: context.quote }),
        onDone: { target: 'subscribed', actions: ['unchoose', { type: 'goOn', params: outputIn }] },
        onError: { target: 'refreshing', actions: ['unchoose', { type: 'keepProblem', params: problemIn }] },
      },
    },
    /** It went wrong, or nobody knows: what the customer has now is the server's to say. */
    refreshing: {
      tags: 'busy',
      invoke: { ...loadSubscription, onError: 'subscribed' },
    },
    /** The plan that the address asks for is not on offer. */
    notFound: {},
    closed: {},
    failed: { on: { 'retry.pressed': 'loading' } },
  },
});
