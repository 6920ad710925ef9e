import { readXmlResponse } from '../wire/xml-response.ts';
import type { Api } from '../wire/client.ts';

/**
 * Deletes the account that a fresh token was issued for.
 * @param isSession whether the token is the session's: only then a 401 ends the session
 * @throws Problem `refused`: `payment_open` while a payment is pending, `sign_in_again` for an
 * older token.
 */
export const deleteAccount = async (
  api: Api,
  { token, isSession }: { token: string; isSession: boolean },
  signal: AbortSignal,
): Promise<object> => {
  // A session without a token has none to send, though our own server's contract requires one.
  const authorization = (token === '' ? {} : { Authorization: `Bearer ${token}` }) as { Authorization: string };
  const { headers, ...init } = api.changeOptions(undefined, signal);
  for (const [name, value] of Object.entries(authorization)) headers.set(name, value);
  const responsePromise = api.client.GET('/user/delete', {
    params: { header: authorization },
    ...init,
    headers,
  });
  await readXmlResponse(
    { runCall: (call, run) => api.runCall(call, run, isSession ? token : null) },
    'user/delete',
    responsePromise,
    'result',
  );
  return {};
};
