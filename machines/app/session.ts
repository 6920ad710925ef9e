import { assign, sendParent, setup, type EventObject } from 'xstate';
import type { SessionChange } from '../flows/flow-input.ts';
import { channelPort, outputIn, requestPort, safePort } from '../ports.ts';

/** A customer as machines hold one: the address is personal, the token stays in the port. */
export type SignedIn = { userId: string; pii: { email: string } };

/** A customer who has just come by a provider or a telephone; `asks`: the store asks for something that they have not answered. */
export type CameBy = SignedIn & { asks?: true };

export type TabsFact = ({ type: 'session.startedElsewhere' } & SignedIn) | { type: 'session.endedElsewhere' };

type Context = { userId: string | null; ended: boolean; pii: { email: string | null } };
type Events =
  | TabsFact
  | ({ type: 'session.started' } & SignedIn)
  | { type: 'session.refused'; call?: string }
  | { type: 'signOut.pressed' };

/** Whose session it is: a visitor's or a signed-in customer's, the same in every tab. */
export const sessionMachine = setup({
  types: {} as { context: Context; events: Events },
  actors: {
    /** The stored session, validated with the server when it can be reached; null for a visitor. */
    restoreSession: requestPort<SignedIn | null>(),
    /** Removes the customer's items from storage; other tabs notice it and do the same. */
    forgetSession: safePort<null>(),
    /** What other tabs do with the session. */
    tabs: channelPort<EventObject, TabsFact>(),
  },
  actions: {
    keepCustomer: assign({
      userId: (_, { userId }: SignedIn) => userId,
      ended: false,
      pii: (_, { pii }: SignedIn) => ({ email: pii.email }),
    }),
    keepEnded: assign({ ended: true }),
    dropCustomer: assign({ userId: null, pii: { email: null } }),
    reportCustomer: sendParent(({ context: { userId, ended } }): SessionChange => ({ type: 'session.changed', userId, ended })),
  },
  guards: {
    isCustomer: (_, customer: SignedIn | null) => customer !== null,
  },
}).createMachine({
  id: 'session',
  context: { userId: null, ended: false, pii: { email: null } },
  initial: 'restoring',
  states: {
    restoring: {
      tags: 'busy',
      // Another call has heard of it sooner.
      on: { 'session.refused': 'open.visitor' },
      invoke: {
        id: 'restoreSession',
        src: 'restoreSession',
        onDone: [
          {
            guard: { type: 'isCustomer', params: outputIn },
            target: 'open.signedIn',
            actions: { type: 'keepCustomer', params: ({ event }) => event.output ?? { userId: '', pii: { email: '' } } },
          },
          { target: 'open.visitor' },
        ],
        onError: 'open.visitor',
      },
    },
    open: {
      invoke: { id: 'tabs', src: 'tabs' },
      initial: 'visitor',
      states: {
        visitor: {
          entry: ['dropCustomer', 'reportCustomer'],
          on: {
            'session.started': { target: 'signedIn', actions: { type: 'keepCustomer', params: ({ event }) => event } },
            'session.startedElsewhere': {
              target: 'signedIn',
              actions: { type: 'keepCustomer', params: ({ event }) => event },
            },
          },
        },
        signedIn: {
          entry: 'reportCustomer',
          on: {
            'signOut.pressed': 'leaving',
            // The same customer, by another address: nobody else can sign in before they have signed out.
            'session.started': { actions: { type: 'keepCustomer', params: ({ event }) => event } },
            // Whoever was told 401 has cleared the storage by then.
            'session.refused': { target: 'visitor', actions: 'keepEnded' },
            'session.endedElsewhere': 'visitor',
            'session.startedElsewhere': {
              target: 'signedIn',
              reenter: true,
              actions: { type: 'keepCustomer', params: ({ event }) => event },
            },
          },
        },
        leaving: {
          tags: 'busy',
          invoke: { id: 'forgetSession', src: 'forgetSession', onDone: 'visitor' },
        },
      },
    },
  },
});
