import { assign, setup } from 'xstate';
import { formActions } from '../form.ts';
import type { AddedPasskey, Passkey, PasskeyNameForm, Passkeys } from '../model/account/passkey.ts';
import type { Problem } from '../model/problem.ts';
import type { FieldProblems } from '../model/account/session.ts';
import { requestPort } from '../ports.ts';
import { type RemovalAnswer } from './removal.ts';

/** The passkey that was just added, renamed or removed, by its name. */
export type PasskeyNews = { what: 'added' | 'deleted' | 'renamed'; name: string };

type Context = {
  passkeys: Passkey[];
  /** Whether this browser can make one. */
  canAdd: boolean;
  /** The one that is asked about, or was last. */
  chosen: string | null;
  /** It was chosen to be called otherwise. */
  isNamed: boolean;
  /** The problems of its new name. */
  fields: FieldProblems;
  news: PasskeyNews | null;
  problem: Problem | null;
  /** The name that the customer gives a passkey, while it is on its way. */
  pii: { form: PasskeyNameForm | null };
};

const nameOf = (passkeys: Passkey[], passkeyId: string | null): string => passkeys.find(({ id }) => id === passkeyId)?.name ?? '';

type Events =
  | { type: 'retry.pressed' }
  | { type: 'add.pressed' }
  | { type: 'rename.pressed'; passkeyId: string }
  | { type: 'name.submitted'; pii: { form: PasskeyNameForm } }
  | { type: 'name.rejected'; fields: FieldProblems }
  | { type: 'cancel.pressed' }
  | { type: 'remove.pressed'; passkeyId: string }
  | RemovalAnswer;

/** The ports, actions and guards of the customer's passkeys. */
export const passkeysSetup = setup({
  types: {} as {
    context: Context;
    events: Events;
  },
  actors: {
    /** null where the server has no passkeys. */
    loadPasskeys: requestPort<Passkeys | null>(),
    /**
     * Waits for the customer at their device, for five minutes at most. Rejects with `refused`:
     * `passkey_cancelled` when they did not want to after all, `passkey_known` when this device has
     * one already, `sign_in_again` when they signed in too long ago, `passkeys_full`,
     * `passkey_over`, `passkey_refused`.
     */
    addPasskey: requestPort<AddedPasskey>(),
    /** Gives all of them, as they are called then. */
    renamePasskey: requestPort<Passkey[], { passkeyId: string; pii: { form: PasskeyNameForm | null } }>(),
    /**
     * Gives those that are left. Rejects with `refused`: `last_way_in` where nothing else opens the
     * account, `sign_in_again` for a sign-in of too long ago.
     */
    removePasskey: requestPort<Passkey[], { passkeyId: string }>(),
  },
  actions: {
    keepLoaded: assign({
      passkeys: (_, loaded: Passkeys | null) => loaded?.passkeys ?? [],
      canAdd: (_, loaded: Passkeys | null) => loaded?.canAdd === true,
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
    keepRenamed: assign(({ context: { chosen } }, passkeys: Passkey[]) => ({
      news: { what: 'renamed' as const, name: nameOf(passkeys, chosen) },
      passkeys,
      chosen: null,
    })),
    ...formActions<Context, Events, PasskeyNameForm>(),
    keepChosen: assign({ chosen: (_, passkeyId: string) => passkeyId }),
    startAnew: assign({ news: null, problem: null, chosen: null, isNamed: false, fields: {} }),
    keepNamed: assign({ isNamed: true }),
  },
  guards: {
    hasNone: (_, loaded: Passkeys | null) => loaded === null,
    isThere: ({ context }, passkeyId: string) => context.passkeys.some(({ id }) => id === passkeyId),
    canAdd: ({ context }) => context.canAdd,
    isCancelled: (_, problem: Problem) => problem.kind === 'refused' && problem.code === 'passkey_cancelled',
  },
});
