import * as v from 'valibot';
import type { ForgotPasswordForm } from '../../../machines/model/account/password.ts';
import type { ResetForm, ResetWay } from '../../../machines/model/account/reset.ts';
import { xmlAnswer } from '../wire/answer.ts';
import type { Api } from '../wire/client.ts';
import { isoDate } from '../wire/date.ts';
import { jsonAnswer } from '../wire/json.ts';
import { problemOfFailure, raise } from '../wire/problem.ts';
import { orWhenUnknownCall } from '../wire/unknown-call.ts';
import { xmlBody } from '../wire/xml-body.ts';
import { flagIn } from '../wire/xml-node.ts';

/**
 * Has a link for a new password sent, if there is an account with the address: the answer does not
 * say.
 * @param isNotMe the customer says that another person has changed the account; a server that does
 * not know the word passes it over
 */
export const requestLink = async (
  api: Api,
  { email, isNotMe }: ForgotPasswordForm & { isNotMe: boolean },
  signal: AbortSignal,
): Promise<object> => {
  const query = { email, appid: api.config.appId, ...(isNotMe ? { notme: true } : {}) };
  const sending = api.client.GET('/user/forgotpassword', { params: { query }, ...api.changing(undefined, signal) });
  await xmlAnswer(api, 'user/forgotpassword', sending, 'result');
  return {};
};

/** A step of a path is no secret: the call would be another one. */
const isStep = (token: string): boolean => /^\.*$/.test(token);

/** Whether a link is still good: the server says so, or says nothing against it. */
export const checkLink = async (api: Api, token: string, signal: AbortSignal): Promise<boolean> => {
  if (isStep(token)) return false;
  const sending = api.client.GET('/user/token/{token}', { params: { path: { token } }, ...api.reading(signal) });
  const isMadeUp = (error: unknown): boolean => {
    const problem = problemOfFailure(error);
    return problem.kind === 'refused' && ['bad_request', 'not_found'].includes(problem.code);
  };
  return xmlAnswer(api, 'user/token', sending, 'resettoken').then(
    (root) => flagIn(root, 'Valid') ?? true,
    (error: unknown) => (isMadeUp(error) ? false : raise(problemOfFailure(error))),
  );
};

/** One of a kind that this shop does not know is left out. */
const Known = v.object({
  kind: v.picklist(['passkey', 'provider', 'phone', 'device']),
  wayId: v.pipe(v.string(), v.nonEmpty()),
  name: v.string(),
  usedAt: v.optional(v.string(), ''),
  always: v.optional(v.boolean(), false),
});

const Ways = v.object({ ways: v.array(v.unknown()) });

/**
 * The other ways into the account of a link; empty where the server does not know the call (404,
 * 501): then the page offers no list.
 * @throws Problem `refused link_over` where the link has been used, or is too old.
 */
export const resetWays = async (api: Api, token: string, signal: AbortSignal): Promise<ResetWay[]> => {
  const sending = api.client.GET('/user/token/{token}/ways', { params: { path: { token } }, ...api.reading(signal) });
  const answer = await jsonAnswer(api, 'user/token/ways', sending, Ways).catch((error: unknown) =>
    orWhenUnknownCall(error, { ways: [] }),
  );
  return answer.ways.flatMap((each) => {
    const read = v.safeParse(Known, each);
    if (!read.success) return [];
    const { kind, wayId: id, name, usedAt, always: goesAnyway } = read.output;
    return [{ kind, id, name, usedAt: isoDate(usedAt), goesAnyway }];
  });
};

/** @throws Problem `refused link_over` where the link has been used, or is too old. */
export const setPassword = async (
  api: Api,
  { token, password, removed }: { token: string; password: string; removed: ResetForm['removed'] },
  signal: AbortSignal,
): Promise<object> => {
  const ways = removed.map(({ kind, id }) => ({ Kind: kind, WayId: id }));
  const sending = api.client.POST('/user/resetpassword', {
    body: { Token: token, Password: password, ...(ways.length === 0 ? {} : { RemovedWays: ways }) },
    bodySerializer: xmlBody('ResetPassword'),
    ...api.changing(null, signal),
    headers: { 'Content-Type': 'text/xml' },
  });
  await xmlAnswer(api, 'user/resetpassword', sending, 'result');
  return {};
};
