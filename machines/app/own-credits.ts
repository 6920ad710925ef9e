import { assign, setup, type EventObject } from 'xstate';
import type { SessionChange } from '../flows/flow-input.ts';
import type { CreditBalance } from '../model/buying/subscription.ts';
import { channelPort, outputIn, requestPort } from '../ports.ts';

/** The customer's credits may have become more or fewer: here, in another tab, or at a renewal while nobody looked. */
export type CreditsFact = { type: 'credits.changed' };

type Input = {
  signedIn: boolean;
  /** Whether titles can be had for credits in this store. */
  takesCredits: boolean;
};

type Context = Input & {
  /** What is not known is not shown, not even as 0. */
  isKnown: boolean;
  balance: number;
  /** What the store calls its credits; empty where it has no word of its own. */
  currency: string;
};

const nothing = { isKnown: false, balance: 0, currency: '' };

/** How many credits the customer has, for the top bar of a store that takes them; asked again whenever they may have changed. */
export const ownCreditsMachine = setup({
  types: {} as { context: Context; events: SessionChange | CreditsFact; input: Input },
  actors: {
    /** Rejects as any call. */
    creditBalance: requestPort<CreditBalance>(),
    creditNews: channelPort<EventObject, CreditsFact>(),
  },
  actions: {
    startAnew: assign((_, signedIn: boolean) => ({ ...nothing, signedIn })),
    keepBalance: assign((_, { balance, currency }: CreditBalance) => ({ isKnown: true, balance, currency })),
    dropBalance: assign(nothing),
  },
  delays: { readAgain: 60_000 },
  guards: { isShown: ({ context }) => context.takesCredits && context.signedIn },
}).createMachine({
  id: 'ownCredits',
  context: ({ input }) => ({ ...input, ...nothing }),
  initial: 'deciding',
  on: {
    'session.changed': {
      target: '.deciding',
      actions: { type: 'startAnew', params: ({ event }) => event.userId !== null },
    },
  },
  states: {
    deciding: { always: [{ guard: 'isShown', target: 'customer' }, { target: 'none' }] },
    /** A visitor, or a store without credits. */
    none: { meta: { spec: ['S4.logout-credits'] } },
    customer: {
      invoke: { id: 'creditNews', src: 'creditNews' },
      on: { 'credits.changed': '.asking' },
      initial: 'asking',
      states: {
        asking: {
          meta: { spec: ['S7.credits/balance'] },
          invoke: {
            id: 'creditBalance',
            src: 'creditBalance',
            onDone: { target: 'known', actions: { type: 'keepBalance', params: outputIn } },
            onError: { target: 'unknown', actions: 'dropBalance' },
          },
        },
        known: { meta: { spec: ['S3.credit-balance'] } },
        unknown: { after: { readAgain: 'asking' } },
      },
    },
  },
});
