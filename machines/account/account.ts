import { assign, sendParent, setup } from 'xstate';
import type { FlowInput, FlowNews } from '../model/flow.ts';
import type { Problem } from '../model/problem.ts';
import type { PurchaseRecord } from '../model/purchase.ts';
import { isUnauthorized, outputIn, problemIn, requestPort } from '../ports.ts';

type Context = { purchases: PurchaseRecord[]; problem: Problem | null };

/** The customer's account: what was bought, when and for how much. */
export const accountMachine = setup({
  types: {} as {
    context: Context;
    events: FlowNews | { type: 'retry.pressed' };
    input: FlowInput;
  },
  actors: {
    /** All purchases, the latest first. */
    purchaseRecords: requestPort<PurchaseRecord[]>(),
  },
  actions: {
    keepPurchases: assign({ purchases: (_, purchases: PurchaseRecord[]) => purchases, problem: null }),
    keepProblem: assign({ problem: (_, problem: Problem) => problem }),
    askSignIn: sendParent({ type: 'signIn.needed', action: null, expired: true }),
  },
  guards: {
    isUnauthorized,
    isSignedIn: (_, signedIn: boolean) => signedIn,
    isEmpty: (_, purchases: PurchaseRecord[]) => purchases.length === 0,
  },
}).createMachine({
  id: 'account',
  context: { purchases: [], problem: null },
  // Another customer's may have begun in another tab: nothing of the one before stays.
  on: { 'session.changed': { guard: { type: 'isSignedIn', params: ({ event }) => event.signedIn }, target: '.loading' } },
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'purchaseRecords',
        src: 'purchaseRecords',
        onDone: [
          { guard: { type: 'isEmpty', params: outputIn }, target: 'empty' },
          { target: 'shown', actions: { type: 'keepPurchases', params: outputIn } },
        ],
        onError: [
          { guard: { type: 'isUnauthorized', params: problemIn }, target: 'expired', actions: 'askSignIn' },
          { target: 'failed', actions: { type: 'keepProblem', params: problemIn } },
        ],
      },
    },
    shown: { meta: { spec: ['S6.account'] } },
    empty: {},
    expired: { tags: 'busy' },
    failed: { on: { 'retry.pressed': 'loading' } },
  },
});
