import * as v from 'valibot';
import type { SubscriptionStatus } from '../../machines/app/frame.ts';
import type { Api } from './client.ts';
import { jsonAnswer } from './json.ts';

const Status = v.object({ subscribed: v.boolean(), data: v.optional(v.nullable(v.string()), null) });

/** Whether the signed-in customer has subscribed. */
export const subscriptionStatus = (api: Api, signal?: AbortSignal): Promise<SubscriptionStatus> =>
  jsonAnswer(api, 'subscription/status', api.client.GET('/subscription/status', api.reading(signal)), Status);
