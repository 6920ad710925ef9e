import { assign, sendParent, setup, type EventObject } from 'xstate';
import type { SessionChange } from '../flows/flow-input.ts';
import { channelPort, getOutput, requestPort, safePort } from '../ports.ts';

/**
 * A signed-in customer in machines. The e-mail address is personal data; the token stays in the
 * port.
 */
export type SignedInUser = { userId: string; pii: { email: string } };

/**
 * A customer who just signed in by a provider or telephone; `asks` if a required question of the
 * store has no answer.
 */
export type SignInResult = SignedInUser & { asks?: true };

export type TabsFact = ({ type: 'session.startedElsewhere' } & SignedInUser) | { type: 'session.endedElsewhere' };

type Context = { userId: string | null; ended: boolean; pii: { email: string | null } };
type Events =
  | TabsFact
  | ({ type: 'session.started' } & SignedInUser)
  | { type: 'session.refused'; call?: string }
  | { type: 'signOut.pressed' };

/**
 * The session of a visitor or a signed-in customer. Other tabs share it, unless the customer chose
 * not to be remembered: such a session belongs to its tab.
 */
export const sessionMachine = setup({
  types: {} as { context: Context; events: Events },
  actors: {
    /** The stored session, validated with the server if it is reachable; null for a visitor. */
    restoreSession: requestPort<SignedInUser | null>(),
    /** Removes the customer's data from storage; other tabs detect this and sign out as well. */
    forgetSession: safePort<null>(),
    /** Session changes made by other tabs. */
    tabs: channelPort<EventObject, TabsFact>(),
  },
  actions: {
    keepCustomer: assign({
      userId: (_, { userId }: SignedInUser) => userId,
      ended: false,
      pii: (_, { pii }: SignedInUser) => ({ email: pii.email }),
    }),
    keepEnded: assign({ ended: true }),
    dropCustomer: assign({ userId: null, pii: { email: null } }),
    reportCustomer: sendParent(({ context: { userId, ended } }): SessionChange => ({ type: 'session.changed', userId, ended })),
  },
  guards: {
    isCustomer: (_, customer: SignedInUser | null) => customer !== null,
  },
}).createMachine({
  id: 'session',
  context: { userId: null, ended: false, pii: { email: null } },
  initial: 'restoring',
  states: {
    restoring: {
      tags: 'busy',
      // Another call received a 401 before the stored session was restored.
      on: { 'session.refused': 'open.visitor' },
      invoke: {
        id: 'restoreSession',
        src: 'restoreSession',
        onDone: [
          {
            guard: { type: 'isCustomer', params: getOutput },
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
            // The same customer with another e-mail address: another customer can sign in only
            // after a sign-out.
            'session.started': { actions: { type: 'keepCustomer', params: ({ event }) => event } },
            // The call that received the 401 has already cleared the storage.
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
