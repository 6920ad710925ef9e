import * as v from 'valibot';
import { passwordsMatch, repeatedPassword, type NewPasswordForm } from './password.ts';

/** A sign-in method besides the password, or a known device of the account. */
export type RemovableLogin = {
  kind: 'passkey' | 'provider' | 'phone' | 'device';
  id: string;
  name: string;
  /** The time of its last sign-in (ISO 8601); empty if unknown. */
  usedAt: string;
  /** Removed even if not ticked, because the e-mail address was not confirmed before. */
  goesAnyway: boolean;
};

/** The values of a password reset: the new password, and the sign-in methods to remove with it. */
export type ResetForm = NewPasswordForm & { removed: Pick<RemovableLogin, 'kind' | 'id'>[] };

/** The input name of a sign-in method's checkbox in the form. */
export const loginInputName = ({ kind, id }: Pick<RemovableLogin, 'kind' | 'id'>): string => `way-${kind}-${id}`;

/**
 * The number of sign-in methods that a reset removes: the ticked ones, and those with `goesAnyway`
 * even if the form does not contain them.
 */
export const countRemoved = (logins: readonly RemovableLogin[], removed: ResetForm['removed']): number =>
  new Set([...removed, ...logins.filter(({ goesAnyway }) => goesAnyway)].map(loginInputName)).size;

/** Creates the form of a password reset, with a checkbox for each sign-in method. */
export const createResetForm = (logins: readonly RemovableLogin[]) => {
  const checkboxes = Object.fromEntries(logins.map((login) => [loginInputName(login), v.optional(v.boolean(), false)]));
  return v.pipe(
    v.object({ ...repeatedPassword.entries, ...checkboxes }),
    v.forward(v.partialCheck([['password'], ['again']], passwordsMatch, 'mismatch'), ['again']),
    v.transform((values): ResetForm => {
      const submittedValues: Readonly<Record<string, unknown>> = values;
      const tickedLogins = logins.filter((login) => submittedValues[loginInputName(login)] === true);
      const removed = tickedLogins.map(({ kind, id }) => ({ kind, id }));
      return { password: values.password, again: values.again, removed };
    }),
  );
};
