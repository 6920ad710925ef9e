import { setup } from 'xstate';
import { fails, keepProblem } from '../loadable.ts';
import type { SubscriptionStatus } from '../app/frame.ts';
import type { FlowInput, FlowNews } from '../model/flow.ts';
import type { Problem } from '../model/problem.ts';
import { outputIn, requestPort } from '../ports.ts';

type Context = { sells: boolean; signedIn: boolean; problem: Problem | null };

/** The page of subscriptions: what one brings, and whether the customer has it. */
export const subscriptionMachine = setup({
  types: {} as {
    context: Context;
    events: FlowNews | { type: 'retry.pressed' };
    input: FlowInput;
  },
  actors: {
    /** The signed-in customer's. */
    subscriptionStatus: requestPort<SubscriptionStatus>(),
  },
  actions: {
    keepProblem: keepProblem(),
  },
  guards: {
    sellsNone: ({ context }) => !context.sells,
    isVisitor: ({ context }) => !context.signedIn,
    isSubscribed: (_, { subscribed }: SubscriptionStatus) => subscribed,
  },
}).createMachine({
  id: 'subscription',
  context: ({ input }) => ({ sells: input.store.enableSubscription, signedIn: input.signedIn, problem: null }),
  initial: 'deciding',
  states: {
    deciding: {
      always: [{ guard: 'sellsNone', target: 'closed' }, { guard: 'isVisitor', target: 'offered' }, { target: 'checking' }],
    },
    checking: {
      tags: 'busy',
      invoke: {
        id: 'subscriptionStatus',
        src: 'subscriptionStatus',
        onDone: [{ guard: { type: 'isSubscribed', params: outputIn }, target: 'subscribed' }, { target: 'offered' }],
        onError: fails,
      },
    },
    offered: {},
    subscribed: {},
    closed: {},
    failed: { on: { 'retry.pressed': 'checking' } },
  },
});
