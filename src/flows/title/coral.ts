import * as v from 'valibot';
import type { Api } from '../../client/client.ts';
import { jsonAnswer } from '../../client/json.ts';

const Token = v.object({ token: v.pipe(v.string(), v.nonEmpty()) });

/** The token by which the store's comments know the customer. */
export const coralToken = async (api: Api, signal?: AbortSignal): Promise<string> => {
  const { token } = await jsonAnswer(api, 'coral/token', api.client.GET('/coral/token', api.reading(signal)), Token);
  return token;
};
