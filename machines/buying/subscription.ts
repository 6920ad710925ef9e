import { assign, setup } from 'xstate';
import { fails, keepProblem } from '../loadable.ts';
import type { SubscriptionStatus } from '../app/frame.ts';
import type { FlowInput, FlowNews } from '../model/flow.ts';
import type { Problem } from '../model/problem.ts';
import type { Route } from '../model/route.ts';
import type { Plan } from '../model/subscription.ts';
import { outputIn, requestPort } from '../ports.ts';

type Context = {
  sells: boolean;
  signedIn: boolean;
  /** The one plan that the address asks for, or empty. */
  wanted: string;
  plans: Plan[];
  /** The plan that the customer has, where they have one. */
  planId: string | null;
  problem: Problem | null;
};

const wantedIn = ({ query }: Route): string => query['planid'] ?? '';

/** The page of subscriptions: the plans, and whether the customer has one. */
export const subscriptionMachine = setup({
  types: {} as {
    context: Context;
    events: FlowNews | { type: 'retry.pressed' };
    input: FlowInput;
  },
  actors: {
    /** The plans on offer, or the one that is asked for; none where that cannot be found. */
    loadPlans: requestPort<Plan[], { planId: string }>(),
    /** The signed-in customer's. */
    subscriptionStatus: requestPort<SubscriptionStatus>(),
  },
  actions: {
    keepWanted: assign({ wanted: (_, route: Route) => wantedIn(route) }),
    keepPlans: assign({ plans: (_, plans: Plan[]) => plans, problem: null }),
    keepStatus: assign({ planId: (_, { data }: SubscriptionStatus) => data, problem: null }),
    keepProblem: keepProblem(),
  },
  guards: {
    sellsNone: ({ context }) => !context.sells,
    isVisitor: ({ context }) => !context.signedIn,
    isSubscribed: (_, { subscribed }: SubscriptionStatus) => subscribed,
    isOtherPlan: ({ context }, route: Route) => wantedIn(route) !== context.wanted,
    isUnknown: ({ context }, plans: Plan[]) => context.wanted !== '' && plans.length === 0,
  },
}).createMachine({
  id: 'subscription',
  context: ({ input }) => ({
    sells: input.store.enableSubscription,
    signedIn: input.signedIn,
    wanted: wantedIn(input.route),
    plans: [],
    planId: null,
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
    deciding: { always: [{ guard: 'sellsNone', target: 'closed' }, { target: 'loading' }] },
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
      invoke: {
        id: 'subscriptionStatus',
        src: 'subscriptionStatus',
        onDone: [
          {
            guard: { type: 'isSubscribed', params: outputIn },
            target: 'subscribed',
            actions: { type: 'keepStatus', params: outputIn },
          },
          { target: 'offered' },
        ],
        onError: fails,
      },
    },
    offered: { meta: { spec: ['S2./subscription'] } },
    subscribed: {},
    /** The plan that the address asks for is not on offer. */
    notFound: {},
    closed: {},
    failed: { on: { 'retry.pressed': 'loading' } },
  },
});
