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
  /** The id of the only plan to show, from the URL; empty for all plans. */
  wanted: string;
  plans: Plan[];
  /** The customer's subscription, unless it has ended; null without one. */
  held: HeldSubscription | null;
  /** The plan to change to. */
  chosen: string | null;
  /** The price quote for the change to `chosen`. */
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
    /** The plans on offer, or only the requested plan; empty if that plan does not exist. */
    loadPlans: requestPort<Plan[], { planId: string }>(),
    /** The signed-in customer's current or last subscription. */
    loadSubscription: requestPort<HeldSubscription | null>(),
    /** The amount due now for another plan, and the day on which that plan would start. */
    quotePlan: requestPort<PlanQuote, { planId: string }>(),
    /**
     * Changes the plan as quoted; idempotent, so it charges once. Returns the URL of the page that
     * the customer continues on.
     */
    changePlan: requestPort<{ url: string }, { quote: PlanQuote | null }>(),
  },
  actions: {
    keepWanted: assign({ wanted: (_, route: Route) => getRequestedPlan(route) }),
    keepPlans: assign({ plans: (_, plans: Plan[]) => plans, problem: null }),
    keepHeld: assign({ held: (_, subscription: HeldSubscription | null) => subscription }),
    choose: assign({ chosen: (_, planId: string) => planId, quote: null, problem: null }),
    keepQuote: assign({ quote: (_, quote: PlanQuote) => quote }),
    clearChoice: assign({ chosen: null, quote: null }),
    leaveShop: sendParent((_, { url }: { url: string }) => ({ type: 'leave', url })),
    keepProblem: keepProblem(),
  },
  guards: {
    sellsNone: ({ context }) => !context.sells,
    isVisitor: ({ context }) => !context.signedIn,
    isSubscribed: (_, subscription: HeldSubscription | null) => isRunning(subscription),
    mayChangeTo: ({ context }, planId: string) => canChangeTo(context.held, planId, context.plans),
    isOtherPlan: ({ context }, route: Route) => getRequestedPlan(route) !== context.wanted,
    isUnknown: ({ context }, plans: Plan[]) => context.wanted !== '' && plans.length === 0,
  },
});
