import { xmlAnswer } from './answer.ts';
import type { Api } from './client.ts';

/**
 * Deletes the account of whoever the token was given to a moment ago. A 401 is about that token, not about a session.
 * @throws Problem `refused payment_open` while a payment is on its way.
 */
export const deleteAccount = async (api: Api, token: string, signal: AbortSignal): Promise<object> => {
  const authorization = `Bearer ${token}`;
  const { headers, ...init } = api.changing(undefined, signal);
  headers.set('Authorization', authorization);
  const sending = api.client.GET('/user/delete', {
    params: { header: { Authorization: authorization } },
    ...init,
    headers,
  });
  await xmlAnswer({ runCall: (run) => api.runCall(run, null) }, 'user/delete', sending, 'result');
  return {};
};
