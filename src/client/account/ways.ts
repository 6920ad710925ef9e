import * as v from 'valibot';
import type { Api } from '../wire/client.ts';
import { jsonAnswer } from '../wire/json.ts';

const Ways = v.object({ hasPassword: v.boolean() });

/** Whether the customer's account has a password. */
export const hasPassword = async (api: Api, signal: AbortSignal): Promise<boolean> =>
  (await jsonAnswer(api, 'user/ways', api.client.GET('/user/ways', api.reading(signal)), Ways)).hasPassword;
