import * as v from 'valibot';
import type { SignedInUser } from '../../../machines/app/session.ts';
import { Customer, type SignInForm, type SignUpForm } from '../../../machines/model/account/session.ts';
import { readXmlResponse } from '../wire/xml-response.ts';
import type { Api } from '../wire/client.ts';
import { toCustomValues } from './custom-values.ts';
import { readJsonResponse } from '../wire/json.ts';
import { validate, malformedProblem, toFetchProblem, throwProblem } from '../wire/problem.ts';
import { saveCustomer } from '../../storage/name-customer.ts';
import { getStoredCustomer, UNKNOWN_CUSTOMER } from '../../storage/session-storage.ts';
import { createXmlSerializer } from '../wire/xml-body.ts';
import { getFlag, getText } from '../wire/xml-node.ts';

/** A browser as the store's device list shows it; `id` is random and kept by the browser. */
export type BrowserDevice = { id: string; name: string };

/**
 * A new session; only the session port may read the token. The token is empty where the server
 * issued none: such a customer counts as signed in until a call is answered 401. `asks`: the store
 * asks questions that are not answered yet.
 */
export type IssuedSession = { token: string; customer: Customer; asks: boolean };

const SessionResponse = v.object({ token: v.string(), customer: Customer, asks: v.boolean() });

const toBasicAuthorization = (email: string, password: string): string => {
  const bytes = new TextEncoder().encode(`${email}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
};

export const createDeviceQuery = (api: Api, device: BrowserDevice) => ({
  appid: api.config.appId,
  deviceid: device.id,
  devicename: device.name.slice(0, 100),
});

/**
 * Reads the session from an answer. A 401 is about the sent credentials, not about a session.
 * @param email the address of an account that the call has created, since the answer may have none
 */
export const readIssuedSession = async (
  api: Api,
  call: string,
  responsePromise: Promise<{ response: Response }>,
  email = '',
): Promise<IssuedSession> => {
  const expectedRoot = email === '' ? 'signin' : 'result';
  const root = await readXmlResponse(
    { runCall: (name, run) => api.runCall(name, run, null) },
    call,
    responsePromise,
    expectedRoot,
  );
  const hasTokenOrCustomer = ['IdToken', 'UserId', 'EmailId'].some((field) => getText(root, field));
  // An answer with neither a token nor a customer is not a sign-in.
  if (!hasTokenOrCustomer && email === '')
    return throwProblem(malformedProblem(call, 'IdToken', 'the answer has neither a token nor a customer'));
  const customer = { userId: getText(root, 'UserId') ?? UNKNOWN_CUSTOMER, email: getText(root, 'EmailId') ?? email };
  return validate(call, SessionResponse, {
    token: getText(root, 'IdToken') ?? '',
    customer,
    asks: getFlag(root, 'QuestionsOpen') ?? false,
  });
};

/** @throws Problem `unauthorized` for a wrong e-mail or password. */
export const signIn = (api: Api, form: Pick<SignInForm, 'email' | 'password'>, device: BrowserDevice): Promise<IssuedSession> => {
  const responsePromise = api.client.GET('/user/signin', {
    params: { query: createDeviceQuery(api, device) },
    ...api.changeOptions(null),
    headers: { Authorization: toBasicAuthorization(form.email, form.password) },
  });
  return readIssuedSession(api, 'user/signin', responsePromise);
};

/**
 * @throws Problem `refused`: `email_taken` when an account with this e-mail exists; for a password
 * that is easily guessed `weak_password`, `common_password`, `simple_password`, `password_is_email`
 * or `password_is_shop`.
 */
export const signUp = (api: Api, form: SignUpForm, device: BrowserDevice): Promise<IssuedSession> => {
  const customValues = toCustomValues({ ...form.custom, ...(form.newsletter ? { newsletter: 'true' } : {}) });
  const responsePromise = api.client.POST('/user/signup', {
    params: { query: createDeviceQuery(api, device) },
    body: {
      Email: form.email,
      Name: form.name,
      AgreeTerms: form.agree,
      ...(customValues.length > 0 ? { CustomFields: customValues } : {}),
    },
    bodySerializer: createXmlSerializer('Signup'),
    ...api.changeOptions(null),
    headers: { Authorization: toBasicAuthorization(form.email, form.password), 'Content-Type': 'text/xml' },
  });
  return readIssuedSession(api, 'user/signup', responsePromise, form.email);
};

const TokenValidity = v.object({ valid: v.boolean(), userId: v.optional(v.string(), ''), emailId: v.optional(v.string(), '') });

/**
 * Returns the customer that a token belongs to.
 * @throws Problem `unauthorized` when the token is not valid.
 */
export const validateToken = async (api: Api, token: string, signal?: AbortSignal): Promise<Customer> => {
  const call = 'user/validate';
  const responsePromise = api.client.GET('/user/validate', {
    params: { query: { accesstoken: token } },
    ...api.readOptions(signal),
  });
  const { valid, userId, emailId } = await readJsonResponse(api, call, responsePromise, TokenValidity);
  return valid ? validate(call, Customer, { userId, email: emailId }) : throwProblem({ kind: 'unauthorized' });
};

/**
 * Validates the token in this browser and returns its customer, as stored with the token.
 * @throws Problem `unauthorized` when the token is not valid.
 */
export const fetchCustomer = async (api: Api, token: string, signal: AbortSignal): Promise<SignedInUser> => {
  const { userId, email } = await validateToken(api, token, signal);
  // A server that does not repeat the address has not changed it.
  return saveCustomer({ userId, pii: { email: email || (getStoredCustomer()?.pii.email ?? '') } });
};

/**
 * Ends the session of a token that this browser has already forgotten. The page may close before
 * the call ends; after a failure the session remains on the server, but no browser holds its token.
 */
export const signOut = async (api: Api, token: string): Promise<void> => {
  const call = 'user/signout';
  const responsePromise = api.client.POST('/user/signout', {
    params: { query: { accesstoken: token } },
    ...api.changeOptions(null),
    keepalive: true,
  });
  await readXmlResponse({ runCall: (name, run) => api.runCall(name, run, null) }, call, responsePromise, 'result').catch(
    (error: unknown) => api.report(call, toFetchProblem(error)),
  );
};
