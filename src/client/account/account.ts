import * as v from 'valibot';
import type { SignedIn } from '../../../machines/app/session.ts';
import { Customer, type SignInForm, type SignUpForm } from '../../../machines/model/account/session.ts';
import { xmlAnswer } from '../wire/answer.ts';
import type { Api } from '../wire/client.ts';
import { customValues } from './custom-values.ts';
import { jsonAnswer } from '../wire/json.ts';
import { checked, malformed, problemOfFailure, raise } from '../wire/problem.ts';
import { nameCustomer } from '../../storage/name-customer.ts';
import { storedCustomer, UNKNOWN_CUSTOMER } from '../../storage/session-storage.ts';
import { xmlBody } from '../wire/xml-body.ts';
import { flagIn, textIn } from '../wire/xml-node.ts';

/** A browser as the store's device list shows it; `id` is random and kept by the browser. */
export type Device = { id: string; name: string };

/**
 * A new session; the token is for the session port alone. It is empty where the server gave none:
 * such a customer counts as signed in until a call is answered 401. `asks`: the store asks
 * questions that are not answered yet.
 */
export type IssuedSession = { token: string; customer: Customer; asks: boolean };

const Issued = v.object({ token: v.string(), customer: Customer, asks: v.boolean() });

const basic = (email: string, password: string): string => {
  const bytes = new TextEncoder().encode(`${email}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
};

export const deviceQuery = (api: Api, device: Device) => ({
  appid: api.config.appId,
  deviceid: device.id,
  devicename: device.name.slice(0, 100),
});

/**
 * The session in an answer. A 401 is about what was typed here, not about a session.
 * @param email of an account that the call has made: its answer may say no more than that
 */
export const issuedSession = async (
  api: Api,
  call: string,
  sending: Promise<{ response: Response }>,
  email = '',
): Promise<IssuedSession> => {
  const expected = email === '' ? 'signin' : 'result';
  const root = await xmlAnswer({ runCall: (name, run) => api.runCall(name, run, null) }, call, sending, expected);
  const isNamed = ['IdToken', 'UserId', 'EmailId'].some((field) => textIn(root, field));
  // An answer that names neither a token nor a customer is no sign-in.
  if (!isNamed && email === '') return raise(malformed(call, 'IdToken', 'neither a token nor a customer came'));
  const customer = { userId: textIn(root, 'UserId') ?? UNKNOWN_CUSTOMER, email: textIn(root, 'EmailId') ?? email };
  return checked(call, Issued, { token: textIn(root, 'IdToken') ?? '', customer, asks: flagIn(root, 'QuestionsOpen') ?? false });
};

/** @throws Problem `unauthorized` for a wrong e-mail or password. */
export const signIn = (api: Api, form: Pick<SignInForm, 'email' | 'password'>, device: Device): Promise<IssuedSession> => {
  const sending = api.client.GET('/user/signin', {
    params: { query: deviceQuery(api, device) },
    ...api.changing(null),
    headers: { Authorization: basic(form.email, form.password) },
  });
  return issuedSession(api, 'user/signin', sending);
};

/** @throws Problem `refused email_taken` when there is an account with this e-mail. */
export const signUp = (api: Api, form: SignUpForm, device: Device): Promise<IssuedSession> => {
  const answers = customValues({ ...form.custom, ...(form.newsletter ? { newsletter: 'true' } : {}) });
  const sending = api.client.POST('/user/signup', {
    params: { query: deviceQuery(api, device) },
    body: {
      Email: form.email,
      Name: form.name,
      AgreeTerms: form.agree,
      ...(answers.length > 0 ? { CustomFields: answers } : {}),
    },
    bodySerializer: xmlBody('Signup'),
    ...api.changing(null),
    headers: { Authorization: basic(form.email, form.password), 'Content-Type': 'text/xml' },
  });
  return issuedSession(api, 'user/signup', sending, form.email);
};

const Validity = v.object({ valid: v.boolean(), userId: v.optional(v.string(), ''), emailId: v.optional(v.string(), '') });

/**
 * Whose token it is.
 * @throws Problem `unauthorized` when it is not live.
 */
export const validateToken = async (api: Api, token: string, signal?: AbortSignal): Promise<Customer> => {
  const call = 'user/validate';
  const sending = api.client.GET('/user/validate', { params: { query: { accesstoken: token } }, ...api.reading(signal) });
  const { valid, userId, emailId } = await jsonAnswer(api, call, sending, Validity);
  return valid ? checked(call, Customer, { userId, email: emailId }) : raise({ kind: 'unauthorized' });
};

/**
 * The customer of the token in this browser, who is kept with it.
 * @throws Problem `unauthorized` when it is not live.
 */
export const validatedCustomer = async (api: Api, token: string, signal: AbortSignal): Promise<SignedIn> => {
  const { userId, email } = await validateToken(api, token, signal);
  // A server that does not repeat the address has not changed it.
  return nameCustomer({ userId, pii: { email: email || (storedCustomer()?.pii.email ?? '') } });
};

/** Ends the session of a token that this browser has forgotten. The page may go meanwhile; what fails stays a session that nobody holds. */
export const signOut = async (api: Api, token: string): Promise<void> => {
  const call = 'user/signout';
  const sending = api.client.POST('/user/signout', {
    params: { query: { accesstoken: token } },
    ...api.changing(null),
    keepalive: true,
  });
  await xmlAnswer({ runCall: (name, run) => api.runCall(name, run, null) }, call, sending, 'result').catch((error: unknown) =>
    api.report(call, problemOfFailure(error)),
  );
};
