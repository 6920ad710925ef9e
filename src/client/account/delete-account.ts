import { xmlAnswer } from '../wire/answer.ts';
import type { Api } from '../wire/client.ts';

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
  // A session without a token has none to send; the contract of our own server asks for one.
  const authorization = (token === '' ? {} : { Authorization: `Bearer ${token}` }) as { Authorization: string };
  const { headers, ...init } = api.changing(undefined, signal);
  for (const [name, value] of Object.entries(authorization)) headers.set(name, value);
  const sending = api.client.GET('/user/delete', {
    params: { header: authorization },
    ...init,
    headers,
  });
  await xmlAnswer({ runCall: (call, run) => api.runCall(call, run, isSession ? token : null) }, 'user/delete', sending, 'result');
  return {};
};
