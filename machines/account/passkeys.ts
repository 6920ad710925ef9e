import { assign, setup } from 'xstate';
import { failed, fails, keepProblem } from '../loadable.ts';
import type { AddedPasskey, Passkey, Passkeys } from '../model/passkey.ts';
import type { Problem } from '../model/problem.ts';
import { outputIn, problemIn, requestPort } from '../ports.ts';

/** What has just become of a passkey, by its name. */
export type PasskeyNews = { what: 'added' | 'deleted'; name: string };

type Context = {
  passkeys: Passkey[];
  /** Whether this browser can make one. */
  canAdd: boolean;
  /** The one that is asked about, or was last. */
  chosen: string | null;
  news: PasskeyNews | null;
  problem: Problem | null;
};

const nameOf = (passkeys: Passkey[], passkeyId: string | null): string => passkeys.find(({ id }) => id === passkeyId)?.name ?? '';

/** The passkeys that open the account: adding one with this device, and deleting one after a question. */
export const passkeysMachine = setup({
  types: {} as {
    context: Context;
    events:
      | { type: 'retry.pressed' }
      | { type: 'add.pressed' }
      | { type: 'remove.pressed'; passkeyId: string }
      | { type: 'removal.confirmed' }
      | { type: 'removal.cancelled' };
  },
  actors: {
    loadPasskeys: requestPort<Passkeys>(),
    /**
     * Waits for the customer at their device, for five minutes at most. Rejects with `refused`: `passkey_cancelled` when they did not want to after all,
     * `passkey_known` when this device has one already, `sign_in_again` when they signed in too long ago, `passkeys_full`,
     * `passkey_over`, `passkey_refused`.
     */
    addPasskey: requestPort<AddedPasskey>(),
    /** Gives those that are left. */
    removePasskey: requestPort<Passkey[], { passkeyId: string }>(),
  },
  actions: {
    keepLoaded: assign({
      passkeys: (_, { passkeys }: Passkeys) => passkeys,
      canAdd: (_, { canAdd }: Passkeys) => canAdd,
      problem: null,
    }),
    keepAdded: assign({
      passkeys: (_, { passkeys }: AddedPasskey) => passkeys,
      news: (_, { passkeys, addedId }: AddedPasskey) => ({ what: 'added' as const, name: nameOf(passkeys, addedId) }),
    }),
    keepRemoved: assign({
      news: ({ context }) => ({ what: 'deleted' as const, name: nameOf(context.passkeys, context.chosen) }),
      passkeys: (_, passkeys: Passkey[]) => passkeys,
      chosen: null,
    }),
    keepChosen: assign({ chosen: (_, passkeyId: string) => passkeyId }),
    startAnew: assign({ news: null, problem: null, chosen: null }),
    keepProblem: keepProblem(),
  },
  guards: {
    isThere: ({ context }, passkeyId: string) => context.passkeys.some(({ id }) => id === passkeyId),
    canAdd: ({ context }) => context.canAdd,
    isCancelled: (_, problem: Problem) => problem.kind === 'refused' && problem.code === 'passkey_cancelled',
  },
}).createMachine({
  id: 'passkeys',
  context: { passkeys: [], canAdd: false, chosen: null, news: null, problem: null },
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'loadPasskeys',
        src: 'loadPasskeys',
        onDone: { target: 'shown', actions: { type: 'keepLoaded', params: outputIn } },
        onError: fails,
      },
    },
    shown: {
      on: {
        'add.pressed': { guard: 'canAdd', target: 'adding', actions: 'startAnew' },
        'remove.pressed': {
          guard: { type: 'isThere', params: ({ event }) => event.passkeyId },
          target: 'asking',
          actions: ['startAnew', { type: 'keepChosen', params: ({ event }) => event.passkeyId }],
        },
      },
    },
    /** The customer is asked by their device. */
    adding: {
      tags: 'busy',
      invoke: {
        id: 'addPasskey',
        src: 'addPasskey',
        onDone: { target: 'shown', actions: { type: 'keepAdded', params: outputIn } },
        onError: [
          { guard: { type: 'isCancelled', params: problemIn }, target: 'shown' },
          { target: 'shown', actions: { type: 'keepProblem', params: problemIn } },
        ],
      },
    },
    asking: { on: { 'removal.confirmed': 'removing', 'removal.cancelled': 'shown' } },
    removing: {
      tags: 'busy',
      invoke: {
        id: 'removePasskey',
        src: 'removePasskey',
        input: ({ context }) => ({ passkeyId: context.chosen ?? '' }),
        onDone: { target: 'shown', actions: { type: 'keepRemoved', params: outputIn } },
        onError: { target: 'shown', actions: { type: 'keepProblem', params: problemIn } },
      },
    },
    failed,
  },
});
