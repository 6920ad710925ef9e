import { assign, setup } from 'xstate';
import { failed, fails, keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import type { CreditBalance } from '../model/buying/subscription.ts';
import { outputIn, requestPort } from '../ports.ts';

type Context = { credits: CreditBalance | null; problem: Problem | null };

/** How many credits the customer has, in a store that takes some, and wherever some are left. */
export const creditsMachine = setup({
  types: {} as { context: Context; events: { type: 'retry.pressed' } },
  actors: {
    loadCredits: requestPort<CreditBalance>(),
  },
  actions: {
    keepCredits: assign({ credits: (_, credits: CreditBalance) => credits, problem: null }),
    keepProblem: keepProblem(),
  },
  guards: {
    isWorthShowing: (_, { balance, accepted }: CreditBalance) => accepted || balance !== 0,
  },
}).createMachine({
  id: 'credits',
  context: { credits: null, problem: null },
  initial: 'loading',
  states: {
    loading: {
      meta: { spec: ['S7.credits/balance'] },
      tags: 'busy',
      invoke: {
        id: 'loadCredits',
        src: 'loadCredits',
        onDone: [
          {
            guard: { type: 'isWorthShowing', params: outputIn },
            target: 'shown',
            actions: { type: 'keepCredits', params: outputIn },
          },
          { target: 'none' },
        ],
        onError: fails,
      },
    },
    shown: { meta: { spec: ['S3.credit-balance'] } },
    none: {},
    failed,
  },
});
