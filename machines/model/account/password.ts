import * as v from 'valibot';
import { isEmail, MAX_EMAIL_CHARS } from './email.ts';

/** The form that requests an e-mailed link for a new password. */
export const ForgotPasswordForm = v.object({
  email: v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(MAX_EMAIL_CHARS, 'tooLong'), v.check(isEmail, 'email')),
});
export type ForgotPasswordForm = v.InferOutput<typeof ForgotPasswordForm>;

/** The form that asks for the account's password again before an irreversible action. */
export const OwnPasswordForm = v.object({
  password: v.pipe(v.string(), v.nonEmpty('required'), v.maxLength(200, 'tooLong')),
});
export type OwnPasswordForm = v.InferOutput<typeof OwnPasswordForm>;

const currentPassword = OwnPasswordForm.entries.password;

/** The form before an irreversible action if the account has no password. */
export const EmptyForm = v.object({});

/** The account's password; missing if the account has none. */
export type OwnPassword = { password?: string };

/** The form for a new e-mail address of the account, with the current password. */
export const NewEmailForm = v.object({ ...ForgotPasswordForm.entries, current: currentPassword });

/** The values of `NewEmailForm`; `current` is missing if the account has no password. */
export type NewEmail = { email: string; current?: string };

/** The inputs of a new password, which the customer types twice. */
export const repeatedPassword = v.object({
  password: v.pipe(v.string(), v.nonEmpty('required'), v.minLength(8, 'tooShort'), v.maxLength(200, 'tooLong')),
  again: v.pipe(v.string(), v.nonEmpty('required')),
});

export const passwordsMatch = ({ password, again }: v.InferOutput<typeof repeatedPassword>): boolean =>
  again === '' || password === again;

/** The values of `repeatedPassword`. */
export type NewPasswordForm = v.InferOutput<typeof repeatedPassword>;

/** The form that replaces the current password. */
export const PasswordChangeForm = v.pipe(
  v.object({ ...repeatedPassword.entries, current: currentPassword }),
  v.forward(v.partialCheck([['password'], ['again']], passwordsMatch, 'mismatch'), ['again']),
);
export type PasswordChangeForm = v.InferOutput<typeof PasswordChangeForm>;
