import * as v from 'valibot';
import type { SubscriptionStatus } from '../../../machines/app/frame-setup.ts';
import type { Api } from '../wire/client.ts';
import { jsonAnswer } from '../wire/json.ts';

/**
 * The plan's id, which `data` is or holds. Of a document about the subscription nothing else is kept: it may say who pays, and
 * with what.
 */
const planIn = (data: unknown): string | null => {
  if (typeof data === 'string' || typeof data === 'number') return String(data);
  if (typeof data !== 'object' || data === null) return null;
  const fields = new Map(Object.entries(data).map(([name, value]) => [name.toLowerCase(), value as unknown]));
  const plan = fields.get('planid') ?? fields.get('id');
  return typeof plan === 'object' ? null : planIn(plan);
};

/** A server that does not say whether the customer has subscribed names the plan, or none. */
const Status = v.pipe(
  v.object({ subscribed: v.optional(v.boolean()), data: v.pipe(v.unknown(), v.transform(planIn)) }),
  v.transform(({ subscribed, data }) => ({ subscribed: subscribed ?? data !== null, data })),
);

/** Whether the signed-in customer has subscribed. */
export const subscriptionStatus = (api: Api, signal?: AbortSignal): Promise<SubscriptionStatus> =>
  jsonAnswer(api, 'subscription/status', api.client.GET('/subscription/status', api.reading(signal)), Status);
