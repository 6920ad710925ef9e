import * as v from 'valibot';
import type { SubscriptionStatus } from '../../../machines/app/frame-setup.ts';
import type { Api } from '../wire/client.ts';
import { readJsonResponse } from '../wire/json.ts';

/**
 * The plan's id, which `data` is or contains; null without one. Nothing else is read of a document
 * about the subscription: it may name the payer and the means of payment.
 */
const findPlanId = (data: unknown): string | null => {
  if (typeof data === 'string' || typeof data === 'number') return String(data);
  if (typeof data !== 'object' || data === null) return null;
  const fields = new Map(Object.entries(data).map(([name, value]) => [name.toLowerCase(), value as unknown]));
  const plan = fields.get('planid') ?? fields.get('id');
  return typeof plan === 'object' ? null : findPlanId(plan);
};

/** Without a flag for the subscription, the answer names the plan of a customer who has one. */
const StatusResponse = v.pipe(
  v.object({ subscribed: v.optional(v.boolean()), data: v.pipe(v.unknown(), v.transform(findPlanId)) }),
  v.transform(({ subscribed, data }) => ({ subscribed: subscribed ?? data !== null, data })),
);

/** Whether the signed-in customer has subscribed. */
export const fetchSubscriptionStatus = (api: Api, signal?: AbortSignal): Promise<SubscriptionStatus> =>
  readJsonResponse(api, 'subscription/status', api.client.GET('/subscription/status', api.readOptions(signal)), StatusResponse);
