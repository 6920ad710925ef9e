import { assign, setup } from 'xstate';
import { createFormActions } from '../form.ts';
import type { AddedPasskey, Passkey, PasskeyNameForm, Passkeys } from '../model/account/passkey.ts';
import type { Problem } from '../model/problem.ts';
import type { FieldProblems } from '../model/account/session.ts';
import { requestPort } from '../ports.ts';
import { type RemovalDecision } from './removal.ts';

/** The passkey that was just added, renamed or deleted, by its name. */
export type PasskeyNotice = { what: 'added' | 'deleted' | 'renamed'; name: string };

type Context = {
  passkeys: Passkey[];
  /** Whether this browser can create a passkey. */
  canAdd: boolean;
  /** The passkey that an action applies to, or applied to last. */
  chosen: string | null;
  /** The chosen passkey is being renamed. */
  isNamed: boolean;
  /** The field problems of the chosen passkey's new name. */
  fields: FieldProblems;
  notice: PasskeyNotice | null;
  problem: Problem | null;
  /** The typed passkey name, held until the request settles. */
  pii: { form: PasskeyNameForm | null };
};

const findPasskeyName = (passkeys: Passkey[], passkeyId: string | null): string =>
  passkeys.find(({ id }) => id === passkeyId)?.name ?? '';

type Events =
  | { type: 'retry.pressed' }
  | { type: 'add.pressed' }
  | { type: 'rename.pressed'; passkeyId: string }
  | { type: 'name.submitted'; pii: { form: PasskeyNameForm } }
  | { type: 'name.rejected'; fields: FieldProblems }
  | { type: 'cancel.pressed' }
  | { type: 'remove.pressed'; passkeyId: string }
  | RemovalDecision;

/** The ports, actions and guards of the customer's passkeys. */
export const passkeysSetup = setup({
  types: {} as {
    context: Context;
    events: Events;
  },
  actors: {
    /** The account's passkeys; null if the server does not support passkeys. */
    loadPasskeys: requestPort<Passkeys | null>(),
    /**
     * Waits up to five minutes for the customer to confirm on their device. Rejects with `refused`:
     * `passkey_cancelled` if the customer cancels, `passkey_known` if this device has a passkey,
     * `sign_in_again` if the sign-in is not recent, `passkeys_full`, `passkey_over`,
     * `passkey_refused`.
     */
    addPasskey: requestPort<AddedPasskey>(),
    /** Returns all passkeys with their new names. */
    renamePasskey: requestPort<Passkey[], { passkeyId: string; pii: { form: PasskeyNameForm | null } }>(),
    /**
     * Returns the remaining passkeys. Rejects with `refused`: `last_way_in` if no other sign-in
     * method remains, `sign_in_again` if the sign-in is not recent.
     */
    removePasskey: requestPort<Passkey[], { passkeyId: string }>(),
  },
  actions: {
    keepLoaded: assign({
      passkeys: (_, result: Passkeys | null) => result?.passkeys ?? [],
      canAdd: (_, result: Passkeys | null) => result?.canAdd === true,
      problem: null,
    }),
    keepAdded: assign({
      passkeys: (_, { passkeys }: AddedPasskey) => passkeys,
      notice: (_, { passkeys, addedId }: AddedPasskey) => ({ what: 'added' as const, name: findPasskeyName(passkeys, addedId) }),
    }),
    keepRemoved: assign({
      notice: ({ context }) => ({ what: 'deleted' as const, name: findPasskeyName(context.passkeys, context.chosen) }),
      passkeys: (_, passkeys: Passkey[]) => passkeys,
      chosen: null,
    }),
    keepRenamed: assign(({ context: { chosen } }, passkeys: Passkey[]) => ({
      notice: { what: 'renamed' as const, name: findPasskeyName(passkeys, chosen) },
      passkeys,
      chosen: null,
    })),
    ...createFormActions<Context, Events, PasskeyNameForm>(),
    keepChosen: assign({ chosen: (_, passkeyId: string) => passkeyId }),
    restart: assign({ notice: null, problem: null, chosen: null, isNamed: false, fields: {} }),
    keepNamed: assign({ isNamed: true }),
  },
  guards: {
    hasNone: (_, result: Passkeys | null) => result === null,
    isThere: ({ context }, passkeyId: string) => context.passkeys.some(({ id }) => id === passkeyId),
    canAdd: ({ context }) => context.canAdd,
    isCancelled: (_, problem: Problem) => problem.kind === 'refused' && problem.code === 'passkey_cancelled',
  },
});
