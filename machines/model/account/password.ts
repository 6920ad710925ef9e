import * as v from 'valibot';
import { isEmail, longestEmail } from './email.ts';

/** What is typed to have a link for a new password sent. */
export const ForgotPasswordForm = v.object({
  email: v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(longestEmail, 'tooLong'), v.check(isEmail, 'email')),
});
export type ForgotPasswordForm = v.InferOutput<typeof ForgotPasswordForm>;

/** The password of the account, asked for again before what cannot be undone. */
export const OwnPasswordForm = v.object({
  password: v.pipe(v.string(), v.nonEmpty('required'), v.maxLength(200, 'tooLong')),
});
export type OwnPasswordForm = v.InferOutput<typeof OwnPasswordForm>;

const current = OwnPasswordForm.entries.password;

/** What is asked for before what cannot be undone where the account has no password: nothing. */
export const NothingForm = v.object({});

/** The account's password, where it has one. */
export type OwnPassword = { password?: string };

/** Another address for the account, and its password. */
export const NewEmailForm = v.object({ ...ForgotPasswordForm.entries, current });

/** Another address for the account, and its password where it has one. */
export type NewEmail = { email: string; current?: string };

/** A new password as it is typed, once and again. */
export const twice = v.object({
  password: v.pipe(v.string(), v.nonEmpty('required'), v.minLength(8, 'tooShort'), v.maxLength(200, 'tooLong')),
  again: v.pipe(v.string(), v.nonEmpty('required')),
});

export const isTheSame = ({ password, again }: v.InferOutput<typeof twice>): boolean => again === '' || password === again;

/** A new password, typed twice. */
export type NewPasswordForm = v.InferOutput<typeof twice>;

/** Another password in the place of the current one. */
export const PasswordChangeForm = v.pipe(
  v.object({ ...twice.entries, current }),
  v.forward(v.partialCheck([['password'], ['again']], isTheSame, 'mismatch'), ['again']),
);
export type PasswordChangeForm = v.InferOutput<typeof PasswordChangeForm>;
