import * as v from 'valibot';
import { safeSessionStorage } from './storage.ts';

const storageKey = 'colophon.begunSignIn';

/**
 * A sign-in with a provider that this tab has started: its OAuth state, whether the session
 * outlives the tab (`remember`), and the path and action to continue with (`way`).
 */
const StartedSignIn = v.object({
  state: v.pipe(v.string(), v.nonEmpty()),
  remember: v.boolean(),
  /** Whether it joins the provider to the signed-in customer's account. */
  joins: v.optional(v.boolean()),
  /** The path of `way` with its secrets, such as a code to redeem, if it has any. */
  wholePath: v.optional(v.string()),
  way: v.object({ path: v.string(), action: v.nullable(v.string()) }),
});
export type StartedSignIn = v.InferOutput<typeof StartedSignIn>;

/** Stores a started sign-in, in place of an earlier one. */
export const saveStartedSignIn = (signIn: StartedSignIn): void => safeSessionStorage.setItem(storageKey, JSON.stringify(signIn));

const readStartedSignIn = (): StartedSignIn | null => {
  try {
    return v.parse(StartedSignIn, JSON.parse(safeSessionStorage.getItem(storageKey) ?? ''));
  } catch {
    return null;
  }
};

/**
 * Removes and returns the sign-in with this state; null when this tab has not started it, or it has
 * been consumed.
 */
export const consumeStartedSignIn = (state: string): StartedSignIn | null => {
  const signIn = readStartedSignIn();
  if (signIn === null || signIn.state !== state) return null;
  safeSessionStorage.removeItem(storageKey);
  return signIn;
};
