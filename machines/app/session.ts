import { assign, sendParent, setup, type EventObject } from 'xstate';
import { channelPort, outputIn, requestPort } from '../ports.ts';

/** A customer as machines hold one: the address is personal, the token stays in the port. */
export type SignedIn = { userId: string; pii: { email: string } };

export type TabsFact = ({ type: 'session.startedElsewhere' } & SignedIn) | { type: 'session.endedElsewhere' };

type Context = { userId: string | null; pii: { email: string | null } };
type Events = TabsFact | ({ type: 'session.started' } & SignedIn) | { type: 'session.expired' } | { type: 'signOut.pressed' };

/** Who is at the counter: a visitor or a signed-in customer, the same in every tab. */
export const sessionMachine = setup({
  types: {} as { context: Context; events: Events },
  actors: {
    /** The stored session, validated with the server when it can be reached; null for a visitor. */
    restoreSession: requestPort<SignedIn | null>(),
    /** Clears token, secret, user id and reader preferences from storage, and tells the other tabs. */
    forgetSession: requestPort<null>(),
    /** What other tabs do with the session. */
    tabs: channelPort<EventObject, TabsFact>(),
  },
  actions: {
    keepCustomer: assign({
      userId: (_, { userId }: SignedIn) => userId,
      pii: (_, { pii }: SignedIn) => ({ email: pii.email }),
    }),
    dropCustomer: assign({ userId: null, pii: { email: null } }),
    reportCustomer: sendParent(({ context }) => ({ type: 'session.changed', signedIn: context.userId !== null })),
  },
  guards: {
    isCustomer: (_, customer: SignedIn | null) => customer !== null,
  },
}).createMachine({
  id: 'session',
  context: { userId: null, pii: { email: null } },
  initial: 'restoring',
  states: {
    restoring: {
      tags: 'busy',
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
            'session.expired': 'leaving',
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
          invoke: { id: 'forgetSession', src: 'forgetSession', onDone: 'visitor', onError: 'visitor' },
        },
      },
    },
  },
});
