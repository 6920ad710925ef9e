import * as v from 'valibot';
import type { Api } from '../wire/client.ts';
import { readJsonResponse } from '../wire/json.ts';

const PasswordStatus = v.object({ hasPassword: v.boolean() });

/** Whether the customer's account has a password. */
export const hasPassword = async (api: Api, signal: AbortSignal): Promise<boolean> =>
  (await readJsonResponse(api, 'user/ways', api.client.GET('/user/ways', api.readOptions(signal)), PasswordStatus)).hasPassword;
