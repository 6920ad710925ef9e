import { assign, setup, type EventObject } from 'xstate';
import type { SessionChange } from '../flows/flow-input.ts';
import { channelPort, getOutput, requestPort } from '../ports.ts';

/**
 * A customer's access to titles, by title id: `own`, or `subscription`. The key `ANY_TITLE` applies
 * to all titles in lists; no title's id contains a star.
 */
export type OwnedCopies = Readonly<Record<string, 'own' | 'subscription'>>;
export const ANY_TITLE = '*';

export type GrantFact = { type: 'title.granted' };

type Context = { signedIn: boolean; copies: OwnedCopies };

const noCopies: OwnedCopies = {};

/**
 * The titles that the customer has access to, for every view that shows a title: loaded once, and
 * again after each new title.
 */
export const ownedTitlesMachine = setup({
  types: {} as { context: Context; events: SessionChange | GrantFact; input: { signedIn: boolean } },
  actors: {
    /** All copies of the signed-in customer; rejects with a `Problem`. */
    ownedCopies: requestPort<OwnedCopies>(),
    /** Signals that the customer bought a title, or got a free one, in this tab. */
    ownershipSignals: channelPort<EventObject, GrantFact>(),
  },
  actions: {
    keepSession: assign({ signedIn: (_, signedIn: boolean) => signedIn, copies: noCopies }),
    keepCopies: assign({ copies: (_, copies: OwnedCopies) => copies }),
  },
  guards: { isSignedIn: ({ context }) => context.signedIn },
}).createMachine({
  id: 'ownedTitles',
  context: ({ input }) => ({ signedIn: input.signedIn, copies: noCopies }),
  initial: 'deciding',
  on: {
    'session.changed': {
      target: '.deciding',
      actions: { type: 'keepSession', params: ({ event }) => event.userId !== null },
    },
  },
  states: {
    deciding: { always: [{ guard: 'isSignedIn', target: 'customer' }, { target: 'visitor' }] },
    visitor: {},
    customer: {
      invoke: { id: 'ownershipSignals', src: 'ownershipSignals' },
      on: { 'title.granted': '.asking' },
      initial: 'asking',
      states: {
        asking: {
          invoke: {
            id: 'ownedCopies',
            src: 'ownedCopies',
            onDone: { target: 'known', actions: { type: 'keepCopies', params: getOutput } },
            // The title's own page still checks ownership itself.
            onError: 'known',
          },
        },
        known: {},
      },
    },
  },
});
