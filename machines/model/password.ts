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

/** A new password, typed twice. */
export const NewPasswordForm = v.pipe(
  v.object({
    password: v.pipe(v.string(), v.nonEmpty('required'), v.minLength(8, 'tooShort'), v.maxLength(200, 'tooLong')),
    again: v.pipe(v.string(), v.nonEmpty('required')),
  }),
  v.forward(
    v.partialCheck([['password'], ['again']], ({ password, again }) => again === '' || password === again, 'mismatch'),
    ['again'],
  ),
);
export type NewPasswordForm = v.InferOutput<typeof NewPasswordForm>;
