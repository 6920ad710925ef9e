import { assign, sendParent, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { FlowInput, FlowSignal } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import type { Route } from '../flows/route.ts';
import { type HeldSubscription, canChangeTo, type Plan, type PlanQuote, isRunning } from '../model/buying/subscription.ts';
import { requestPort } from '../ports.ts';

type Context = {
  sells: boolean;
  signedIn: boolean;
  /** The id of the only plan to show, from the address; or empty. */
  wanted: string;
  plans: Plan[];
  /** The customer's running subscription, if any. */
  held: HeldSubscription | null;
  /** The plan to change to, and the quote for it. */
  chosen: string | null;
  quote: PlanQuote | null;
  problem: Problem | null;
};

export const getRequestedPlan = ({ query }: Route): string => query['planid'] ?? '';

/** The ports, actions and guards of the subscription page. */
export const subscriptionSetup = setup({
  types: {} as {
    context: Context;
    events:
      | FlowSignal
      | { type: 'retry.pressed' }
      | { type: 'change.pressed'; planId: string }
      | { type: 'change.confirmed' }
      | { type: 'change.declined' };
    input: FlowInput;
  },
  actors: {
    /** The plans on offer, or the requested one; empty if that does not exist. */
    loadPlans: requestPort<Plan[], { planId: string }>(),
    /** The signed-in customer's current or last subscription. */
    loadSubscription: requestPort<HeldSubscription | null>(),
    /** The price of another plan, and the day on which it would begin. */
    quotePlan: requestPort<PlanQuote, { planId: string }>(),
    /**
     * Changes the plan as quoted; idempotent, so it charges once.
     * @returns the page that the customer continues on
     */
    changePlan: requestPort<{ url: string }, { quote: PlanQuote | null }>(),
  },
  actions: {
    keepWanted: assign({ wanted: (_, route: Route) => getRequestedPlan(route) }),
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
    isSubscribed: (_, held: HeldSubscription | null) => isRunning(held),
    mayChangeTo: ({ context }, planId: string) => canChangeTo(context.held, planId, context.plans),
    isOtherPlan: ({ context }, route: Route) => getRequestedPlan(route) !== context.wanted,
    isUnknown: ({ context }, plans: Plan[]) => context.wanted !== '' && plans.length === 0,
  },
});
