import { assign, setup, type EventObject } from 'xstate';
import type { SessionChange } from '../flows/flow-input.ts';
import type { CreditBalance } from '../model/buying/subscription.ts';
import { channelPort, getOutput, requestPort } from '../ports.ts';

/** The credit balance may have changed: here, in another tab, or by a renewal in the background. */
export type CreditsFact = { type: 'credits.changed' };

type Input = {
  signedIn: boolean;
  /** Whether this store accepts credits for titles. */
  takesCredits: boolean;
};

type Context = Input & {
  /** Whether the balance was loaded; an unknown balance is hidden, not shown as 0. */
  isKnown: boolean;
  balance: number;
  /** The store's name for its credits; empty if the store has no name for them. */
  currency: string;
};

const unknownCredits = { isKnown: false, balance: 0, currency: '' };

/**
 * The customer's credit balance, for the top bar of a store that accepts credits; reloaded whenever
 * it may have changed.
 */
export const ownCreditsMachine = setup({
  types: {} as { context: Context; events: SessionChange | CreditsFact; input: Input },
  actors: {
    /** Rejects like any call. */
    creditBalance: requestPort<CreditBalance>(),
    creditSignals: channelPort<EventObject, CreditsFact>(),
  },
  actions: {
    restart: assign((_, signedIn: boolean) => ({ ...unknownCredits, signedIn })),
    keepBalance: assign((_, { balance, currency }: CreditBalance) => ({ isKnown: true, balance, currency })),
    dropBalance: assign(unknownCredits),
  },
  delays: { readAgain: 60_000 },
  guards: { isShown: ({ context }) => context.takesCredits && context.signedIn },
}).createMachine({
  id: 'ownCredits',
  context: ({ input }) => ({ ...input, ...unknownCredits }),
  initial: 'deciding',
  on: {
    'session.changed': {
      target: '.deciding',
      actions: { type: 'restart', params: ({ event }) => event.userId !== null },
    },
  },
  states: {
    deciding: { always: [{ guard: 'isShown', target: 'customer' }, { target: 'none' }] },
    /** A visitor, or a store without credits. */
    none: { meta: { spec: ['S4.logout-credits'] } },
    customer: {
      invoke: { id: 'creditSignals', src: 'creditSignals' },
      on: { 'credits.changed': '.asking' },
      initial: 'asking',
      states: {
        asking: {
          meta: { spec: ['S7.credits/balance'] },
          invoke: {
            id: 'creditBalance',
            src: 'creditBalance',
            onDone: { target: 'known', actions: { type: 'keepBalance', params: getOutput } },
            onError: { target: 'unknown', actions: 'dropBalance' },
          },
        },
        known: { meta: { spec: ['S3.credit-balance'] } },
        unknown: { after: { readAgain: 'asking' } },
      },
    },
  },
});
