import * as v from 'valibot';
import type { Api } from '../wire/client.ts';
import { readJsonResponse } from '../wire/json.ts';

const UserData = v.record(v.string(), v.unknown());

/** All data that the store keeps about the customer, as text for a file. */
export const fetchUserData = async (api: Api, signal: AbortSignal): Promise<string> => {
  const data = await readJsonResponse(api, 'user/data', api.client.GET('/user/data', api.readOptions(signal)), UserData);
  return JSON.stringify(data, null, 2);
};
