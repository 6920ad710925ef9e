import { assign, setup, type EventObject } from 'xstate';
import type { SessionChange } from '../flows/flow-input.ts';
import { channelPort, outputIn, requestPort } from '../ports.ts';

/**
 * How a customer has titles, by their ids: `own`, or `subscription` where theirs opens it, which `everyTitle` says of all that are
 * listed. No title's id has a star in it.
 */
export type OwnedCopies = Readonly<Record<string, 'own' | 'subscription'>>;
export const everyTitle = '*';

export type GrantFact = { type: 'title.granted' };

type Context = { signedIn: boolean; copies: OwnedCopies };

const none: OwnedCopies = {};

/** Which titles are the customer's, for every place that shows a title: asked for once, and again when another one is theirs. */
export const ownedTitlesMachine = setup({
  types: {} as { context: Context; events: SessionChange | GrantFact; input: { signedIn: boolean } },
  actors: {
    /** All of the signed-in customer's copies; rejects with a Problem. */
    ownedCopies: requestPort<OwnedCopies>(),
    /** Tells that a title was bought, or taken for nothing, in this tab. */
    grants: channelPort<EventObject, GrantFact>(),
  },
  actions: {
    keepSession: assign({ signedIn: (_, signedIn: boolean) => signedIn, copies: none }),
    keepCopies: assign({ copies: (_, copies: OwnedCopies) => copies }),
  },
  guards: { isSignedIn: ({ context }) => context.signedIn },
}).createMachine({
  id: 'ownedTitles',
  context: ({ input }) => ({ signedIn: input.signedIn, copies: none }),
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
      invoke: { id: 'grants', src: 'grants' },
      on: { 'title.granted': '.asking' },
      initial: 'asking',
      states: {
        asking: {
          invoke: {
            id: 'ownedCopies',
            src: 'ownedCopies',
            onDone: { target: 'known', actions: { type: 'keepCopies', params: outputIn } },
            // The title's own page still knows whose it is.
            onError: 'known',
          },
        },
        known: {},
      },
    },
  },
});
