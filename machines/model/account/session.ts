import * as v from 'valibot';
import type { CustomProblem } from './custom-field.ts';
import { isEmail, MAX_EMAIL_CHARS } from './email.ts';

/** The customer data that machines hold; the access token stays in the session port. */
export const Customer = v.object({ userId: v.pipe(v.string(), v.nonEmpty()), email: v.string() });
export type Customer = v.InferOutput<typeof Customer>;

const email = v.pipe(
  v.string(),
  v.trim(),
  v.nonEmpty('required'),
  v.maxLength(MAX_EMAIL_CHARS, 'tooLong'),
  v.check(isEmail, 'email'),
);

/** Validation errors as keys that views translate. */
export type FieldProblem =
  | 'required'
  | 'email'
  | 'tooShort'
  | 'tooLong'
  | 'agree'
  | 'mismatch'
  | 'taken'
  | 'day'
  | 'link'
  | 'cardNumber'
  | 'cardExpiry'
  | 'cardCode'
  | CustomProblem;
export type FieldProblems = Record<string, FieldProblem>;

export const SignInForm = v.object({
  email,
  password: v.pipe(v.string(), v.nonEmpty('required'), v.maxLength(200, 'tooLong')),
  remember: v.boolean(),
});
export type SignInForm = v.InferOutput<typeof SignInForm>;

export const SignUpForm = v.object({
  name: v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(200, 'tooLong')),
  email,
  password: v.pipe(v.string(), v.nonEmpty('required'), v.minLength(8, 'tooShort'), v.maxLength(200, 'tooLong')),
  agree: v.literal(true, 'agree'),
  /** Only stores that send newsletters show this checkbox. */
  newsletter: v.optional(v.boolean(), false),
});
/** The submitted values; `custom` holds the answers to the store's own fields, by their ids. */
export type SignUpForm = v.InferOutput<typeof SignUpForm> & { custom: Record<string, string> };

/** Validates a form: returns its values, or else the first problem of each invalid field. */
export const readForm = <Form extends v.GenericSchema>(
  form: Form,
  values: unknown,
): { values: v.InferOutput<Form> } | { fields: FieldProblems } => {
  const result = v.safeParse(form, values, { abortPipeEarly: true });
  if (result.success) return { values: result.output };
  const fields: FieldProblems = {};
  for (const issue of result.issues) {
    const field = v.getDotPath(issue) ?? '';
    fields[field] ??= issue.message as FieldProblem;
  }
  return { fields };
};
