import { assign, setup } from 'xstate';
import { failed, toFailed, keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import type { CreditBalance } from '../model/buying/subscription.ts';
import { getOutput, requestPort } from '../ports.ts';

type Context = { credits: CreditBalance | null; problem: Problem | null };

/** The customer's credit balance, shown if the store accepts credits or the balance is not 0. */
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
            guard: { type: 'isWorthShowing', params: getOutput },
            target: 'shown',
            actions: { type: 'keepCredits', params: getOutput },
          },
          { target: 'none' },
        ],
        onError: toFailed,
      },
    },
    shown: { meta: { spec: ['S3.credit-balance'] } },
    none: {},
    failed,
  },
});
