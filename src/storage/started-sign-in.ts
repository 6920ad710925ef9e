import * as v from 'valibot';
import { safeSessionStorage } from './storage.ts';

const storageKey = 'colophon.begunSignIn';

/**
 * A sign-in with a provider that this tab has started: its state, how long the session is kept, and
 * where to continue.
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

/** One sign-in at a time: the last one started. */
export const saveStartedSignIn = (begun: StartedSignIn): void => safeSessionStorage.setItem(storageKey, JSON.stringify(begun));

const readStartedSignIn = (): StartedSignIn | null => {
  try {
    return v.parse(StartedSignIn, JSON.parse(safeSessionStorage.getItem(storageKey) ?? ''));
  } catch {
    return null;
  }
};

/**
 * Consumes the sign-in with this state, which is possible once; null when this tab has not started
 * it.
 */
export const consumeStartedSignIn = (state: string): StartedSignIn | null => {
  const begun = readStartedSignIn();
  if (begun === null || begun.state !== state) return null;
  safeSessionStorage.removeItem(storageKey);
  return begun;
};
