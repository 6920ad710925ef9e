import * as v from 'valibot';
import type { ForgotPasswordForm } from '../../../machines/model/account/password.ts';
import type { ResetForm, RemovableLogin } from '../../../machines/model/account/reset.ts';
import { readXmlResponse } from '../wire/xml-response.ts';
import type { Api } from '../wire/client.ts';
import { toIsoDate } from '../wire/date.ts';
import { readJsonResponse } from '../wire/json.ts';
import { toFetchProblem, throwProblem } from '../wire/problem.ts';
import { fallbackIfUnsupported } from '../wire/unsupported-call.ts';
import { createXmlSerializer } from '../wire/xml-body.ts';
import { getFlag } from '../wire/xml-node.ts';

/**
 * Requests an e-mail with a link for a new password, if an account has the address: the answer does
 * not say whether one does.
 * @param isNotMe whether the customer reports a change that another person made; servers that do
 * not know the field ignore it
 */
export const requestResetLink = async (
  api: Api,
  { email, isNotMe }: ForgotPasswordForm & { isNotMe: boolean },
  signal: AbortSignal,
): Promise<object> => {
  const query = { email, appid: api.config.appId, ...(isNotMe ? { notme: true } : {}) };
  const responsePromise = api.client.GET('/user/forgotpassword', { params: { query }, ...api.changeOptions(undefined, signal) });
  await readXmlResponse(api, 'user/forgotpassword', responsePromise, 'result');
  return {};
};

/** Whether a token is empty or has only dots: the URL with it could resolve to another call. */
const isEmptyOrDots = (token: string): boolean => /^\.*$/.test(token);

/** Whether a reset link is still valid: the server confirms it, or does not reject it. */
export const checkResetLink = async (api: Api, token: string, signal: AbortSignal): Promise<boolean> => {
  if (isEmptyOrDots(token)) return false;
  const responsePromise = api.client.GET('/user/token/{token}', { params: { path: { token } }, ...api.readOptions(signal) });
  const isUnknownToken = (error: unknown): boolean => {
    const problem = toFetchProblem(error);
    return problem.kind === 'refused' && ['bad_request', 'not_found'].includes(problem.code);
  };
  return readXmlResponse(api, 'user/token', responsePromise, 'resettoken').then(
    (root) => getFlag(root, 'Valid') ?? true,
    (error: unknown) => (isUnknownToken(error) ? false : throwProblem(toFetchProblem(error))),
  );
};

/** A sign-in method of a kind that this shop knows; others are left out. */
const KnownMethod = v.object({
  kind: v.picklist(['passkey', 'provider', 'phone', 'device']),
  wayId: v.pipe(v.string(), v.nonEmpty()),
  name: v.string(),
  usedAt: v.optional(v.string(), ''),
  always: v.optional(v.boolean(), false),
});

const MethodList = v.object({ ways: v.array(v.unknown()) });

/**
 * The other sign-in methods of the link's account; empty where the server does not have the call:
 * then the page shows no list.
 * @throws Problem `refused link_over` where the link has been used or has expired.
 */
export const fetchResetMethods = async (api: Api, token: string, signal: AbortSignal): Promise<RemovableLogin[]> => {
  const responsePromise = api.client.GET('/user/token/{token}/ways', { params: { path: { token } }, ...api.readOptions(signal) });
  const answer = await readJsonResponse(api, 'user/token/ways', responsePromise, MethodList).catch((error: unknown) =>
    fallbackIfUnsupported(error, { ways: [] }),
  );
  return answer.ways.flatMap((each) => {
    const result = v.safeParse(KnownMethod, each);
    if (!result.success) return [];
    const { kind, wayId: id, name, usedAt, always: goesAnyway } = result.output;
    return [{ kind, id, name, usedAt: toIsoDate(usedAt), goesAnyway }];
  });
};

/**
 * Sets a new password by a reset link, and removes the chosen sign-in methods.
 * @throws Problem `refused`: `link_over` where the link has been used or has expired, or as
 * `signUp` for a password that is easily guessed.
 */
export const setPassword = async (
  api: Api,
  { token, password, removed }: { token: string; password: string; removed: ResetForm['removed'] },
  signal: AbortSignal,
): Promise<object> => {
  const removedMethods = removed.map(({ kind, id }) => ({ Kind: kind, WayId: id }));
  const responsePromise = api.client.POST('/user/resetpassword', {
    body: { Token: token, Password: password, ...(removedMethods.length === 0 ? {} : { RemovedWays: removedMethods }) },
    bodySerializer: createXmlSerializer('ResetPassword'),
    ...api.changeOptions(null, signal),
    headers: { 'Content-Type': 'text/xml' },
  });
  await readXmlResponse(api, 'user/resetpassword', responsePromise, 'result');
  return {};
};
