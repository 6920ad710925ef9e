import * as v from 'valibot';
import { passwordsMatch, repeatedPassword, type NewPasswordForm } from './password.ts';

/** A sign-in method besides the password, or a known device of the account. */
export type RemovableLogin = {
  kind: 'passkey' | 'provider' | 'phone' | 'device';
  id: string;
  name: string;
  /** When it was last used to sign in; empty if unknown. */
  usedAt: string;
  /** It is removed even if not ticked: the e-mail address was not confirmed before. */
  goesAnyway: boolean;
};

/** A new password set by a link, and the sign-in methods to remove with it. */
export type ResetForm = NewPasswordForm & { removed: Pick<RemovableLogin, 'kind' | 'id'>[] };

/** The name of a sign-in method's checkbox in the form. */
export const loginInputName = ({ kind, id }: Pick<RemovableLogin, 'kind' | 'id'>): string => `way-${kind}-${id}`;

/**
 * The number of sign-in methods to remove: ticked ones, and those removed in any case, whether or
 * not the form contains them.
 */
export const countRemoved = (ways: readonly RemovableLogin[], removed: ResetForm['removed']): number =>
  new Set([...removed, ...ways.filter(({ goesAnyway }) => goesAnyway)].map(loginInputName)).size;

/** The form with a checkbox for each sign-in method. */
export const resetForm = (ways: readonly RemovableLogin[]) => {
  const ticks = Object.fromEntries(ways.map((way) => [loginInputName(way), v.optional(v.boolean(), false)]));
  return v.pipe(
    v.object({ ...repeatedPassword.entries, ...ticks }),
    v.forward(v.partialCheck([['password'], ['again']], passwordsMatch, 'mismatch'), ['again']),
    v.transform((values): ResetForm => {
      const typed: Readonly<Record<string, unknown>> = values;
      const removed = ways.filter((way) => typed[loginInputName(way)] === true).map(({ kind, id }) => ({ kind, id }));
      return { password: values.password, again: values.again, removed };
    }),
  );
};
