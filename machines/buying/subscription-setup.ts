import { assign, sendParent, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { FlowInput, FlowNews } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import type { Route } from '../flows/route.ts';
import { type HeldSubscription, mayChangeTo, type Plan, type PlanQuote, runs } from '../model/buying/subscription.ts';
import { requestPort } from '../ports.ts';

type Context = {
  sells: boolean;
  signedIn: boolean;
  /** The one plan that the address asks for, or empty. */
  wanted: string;
  plans: Plan[];
  /** The subscription that the customer has, where one runs. */
  held: HeldSubscription | null;
  /** The plan that it is to be changed to, and what that would cost. */
  chosen: string | null;
  quote: PlanQuote | null;
  problem: Problem | null;
};

export const wantedIn = ({ query }: Route): string => query['planid'] ?? '';

/** The ports, actions and guards of a shop's subscription page. */
export const subscriptionSetup = setup({
  types: {} as {
    context: Context;
    events:
      | FlowNews
      | { type: 'retry.pressed' }
      | { type: 'change.pressed'; planId: string }
      | { type: 'change.confirmed' }
      | { type: 'change.declined' };
    input: FlowInput;
  },
  actors: {
    /** The plans on offer, or the one that is asked for; none where that cannot be found. */
    loadPlans: requestPort<Plan[], { planId: string }>(),
    /** The one that the signed-in customer has, or had last. */
    loadSubscription: requestPort<HeldSubscription | null>(),
    /** The price of another plan, and the day on which it would begin. */
    quotePlan: requestPort<PlanQuote, { planId: string }>(),
    /**
     * Changes the plan as it was quoted, and charges once however often it is asked.
     * @returns the page that the customer continues on
     */
    changePlan: requestPort<{ url: string }, { quote: PlanQuote | null }>(),
  },
  actions: {
    keepWanted: assign({ wanted: (_, route: Route) => wantedIn(route) }),
    keepPlans: assign({ plans: (_, plans: Plan[]) => plans, problem: null }),
    keepHeld: assign({ held: (_, held: HeldSubscription | null) => held }),
    choose: assign({ chosen: (_, planId: string) => planId, quote: null, problem: null }),
    keepQuote: assign({ quote: (_, quote: PlanQuote) => quote }),
    unchoose: assign({ chosen: null, quote: null }),
    goOn: sendParent((_, { url }: { url: string }) => ({ type: 'leave', url })),
    keepProblem: keepProblem(),
  },
  guards: {
    sellsNone: ({ context }) => !context.sells,
    isVisitor: ({ context }) => !context.signedIn,
    isSubscribed: (_, held: HeldSubscription | null) => runs(held),
    mayChangeTo: ({ context }, planId: string) => mayChangeTo(context.held, planId, context.plans),
    isOtherPlan: ({ context }, route: Route) => wantedIn(route) !== context.wanted,
    isUnknown: ({ context }, plans: Plan[]) => context.wanted !== '' && plans.length === 0,
  },
});
