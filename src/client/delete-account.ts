import { xmlAnswer } from './answer.ts';
import type { Api } from './client.ts';

/**
 * Deletes the account of whoever the token was given to a moment ago.
 * @param isSession whether the token is the session's: only then is a 401 about that
 * @throws Problem `refused`: `payment_open` while a payment is on its way, `sign_in_again` for a token of longer ago.
 */
export const deleteAccount = async (
  api: Api,
  { token, isSession }: { token: string; isSession: boolean },
  signal: AbortSignal,
): Promise<object> => {
  const authorization = `Bearer ${token}`;
  const { headers, ...init } = api.changing(undefined, signal);
  headers.set('Authorization', authorization);
  const sending = api.client.GET('/user/delete', {
    params: { header: { Authorization: authorization } },
    ...init,
    headers,
  });
  await xmlAnswer({ runCall: (call, run) => api.runCall(call, run, isSession ? token : null) }, 'user/delete', sending, 'result');
  return {};
};
