import * as v from 'valibot';

/** The form for a passkey's name. */
export const PasskeyNameForm = v.object({
  name: v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(100, 'tooLong')),
});
export type PasskeyNameForm = v.InferOutput<typeof PasskeyNameForm>;

/** A passkey of the account; the dates are ISO 8601, `lastUsedAt` is empty if it was never used. */
export type Passkey = { id: string; name: string; addedAt: string; lastUsedAt: string };

/** The passkeys of the account, newest first, and whether this browser can create another. */
export type Passkeys = { passkeys: Passkey[]; canAdd: boolean };

/** The account's passkeys after one was added. */
export type AddedPasskey = { passkeys: Passkey[]; addedId: string };
