import * as v from 'valibot';

/** What a customer calls a passkey. */
export const PasskeyNameForm = v.object({
  name: v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(100, 'tooLong')),
});
export type PasskeyNameForm = v.InferOutput<typeof PasskeyNameForm>;

/** A key by which a customer signs in; the dates are ISO 8601, the last one empty where nobody has used it. */
export type Passkey = { id: string; name: string; addedAt: string; lastUsedAt: string };

/** The passkeys of the account, the latest first, and whether this browser can make another one. */
export type Passkeys = { passkeys: Passkey[]; canAdd: boolean };

/** The passkeys with the one that was added just now. */
export type AddedPasskey = { passkeys: Passkey[]; addedId: string };
