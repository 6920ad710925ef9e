import * as v from 'valibot';
import type { Api } from '../wire/client.ts';
import { jsonAnswer } from '../wire/json.ts';

const UserData = v.record(v.string(), v.unknown());

/** All that the store keeps about the customer, as text for a file. */
export const userData = async (api: Api, signal: AbortSignal): Promise<string> => {
  const data = await jsonAnswer(api, 'user/data', api.client.GET('/user/data', api.reading(signal)), UserData);
  return JSON.stringify(data, null, 2);
};
