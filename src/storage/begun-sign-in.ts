import * as v from 'valibot';
import { safeSessionStorage } from './storage.ts';

const name = 'colophon.begunSignIn';

/** A sign-in by a provider that this tab has begun: the state that it ends with, how long the session is kept, and where to go on. */
const BegunSignIn = v.object({
  state: v.pipe(v.string(), v.nonEmpty()),
  remember: v.boolean(),
  /** It joins the provider to the account that is signed in. */
  joins: v.optional(v.boolean()),
  /** The path of `way` with its secrets, such as a code to redeem, where it has some. */
  wholePath: v.optional(v.string()),
  way: v.object({ path: v.string(), action: v.nullable(v.string()) }),
});
export type BegunSignIn = v.InferOutput<typeof BegunSignIn>;

/** One sign-in at a time: the last one that was begun. */
export const keepBegunSignIn = (begun: BegunSignIn): void => safeSessionStorage.setItem(name, JSON.stringify(begun));

const read = (): BegunSignIn | null => {
  try {
    return v.parse(BegunSignIn, JSON.parse(safeSessionStorage.getItem(name) ?? ''));
  } catch {
    return null;
  }
};

/** Takes the sign-in that ends with this state, which can be done once; null when this tab has not begun it. */
export const takeBegunSignIn = (state: string): BegunSignIn | null => {
  const begun = read();
  if (begun === null || begun.state !== state) return null;
  safeSessionStorage.removeItem(name);
  return begun;
};
