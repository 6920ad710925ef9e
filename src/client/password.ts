import type { ForgotPasswordForm } from '../../machines/model/password.ts';
import { xmlAnswer } from './answer.ts';
import type { Api } from './client.ts';
import { problemOfFailure, raise } from './problem.ts';
import { xmlBody } from './xml-body.ts';
import { textIn } from './xml-node.ts';

/** Has a link for a new password sent, if there is an account with the address: the answer does not say. */
export const requestLink = async (api: Api, { email }: ForgotPasswordForm, signal: AbortSignal): Promise<object> => {
  const query = { email, appid: api.config.appId };
  const sending = api.client.GET('/user/forgotpassword', { params: { query }, ...api.changing(undefined, signal) });
  await xmlAnswer(api, 'user/forgotpassword', sending, 'result');
  return {};
};

/** What the contract says of a link's secret. */
const tokenShape = /^[\w.~+/=-]{16,512}$/;

/** Whether a link is still good. What cannot be a link's secret is not, and nobody is asked. */
export const checkLink = async (api: Api, token: string, signal: AbortSignal): Promise<boolean> => {
  if (!tokenShape.test(token)) return false;
  const sending = api.client.GET('/user/token/{token}', { params: { path: { token } }, ...api.reading(signal) });
  const isMadeUp = (error: unknown): boolean => {
    const problem = problemOfFailure(error);
    return problem.kind === 'refused' && ['bad_request', 'not_found'].includes(problem.code);
  };
  return xmlAnswer(api, 'user/token', sending, 'resettoken').then(
    (root) => textIn(root, 'Valid')?.toLowerCase() === 'true',
    (error: unknown) => (isMadeUp(error) ? false : raise(problemOfFailure(error))),
  );
};

/** @throws Problem `refused link_over` where the link has been used, or is too old. */
export const setPassword = async (
  api: Api,
  { token, password }: { token: string; password: string },
  signal: AbortSignal,
): Promise<object> => {
  const sending = api.client.POST('/user/resetpassword', {
    body: { Token: token, Password: password },
    bodySerializer: xmlBody('ResetPassword'),
    ...api.changing(null, signal),
    headers: { 'Content-Type': 'text/xml' },
  });
  await xmlAnswer(api, 'user/resetpassword', sending, 'result');
  return {};
};
