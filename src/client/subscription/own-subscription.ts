import * as v from 'valibot';
import { HeldSubscription } from '../../../machines/model/buying/subscription.ts';
import { GatewayPage } from '../payment/gateway-page.ts';
import { readXmlResponse } from '../wire/xml-response.ts';
import type { Api } from '../wire/client.ts';
import { toIsoDate } from '../wire/date.ts';
import { readJsonResponse } from '../wire/json.ts';
import { fetchSubscriptionStatus } from './subscription.ts';
import { fallbackIfUnavailable } from '../wire/unsupported-call.ts';

const SubscriptionResponse = v.object({ subscription: v.nullable(HeldSubscription) });

/** The subscription from a server that only reports whether the customer has subscribed. */
const fetchByStatus = async (api: Api, signal: AbortSignal): Promise<HeldSubscription | null> => {
  const { subscribed, data } = await fetchSubscriptionStatus(api, signal);
  if (!subscribed) return null;
  const planId = data ?? '';
  return {
    planId,
    name: '',
    status: 'active',
    price: null,
    interval: null,
    credits: 0,
    until: null,
    // A change of plan requires the current plan's id.
    ...(planId === '' ? {} : { changeable: true }),
  };
};

/** The customer's current or last subscription; null without one. */
export const fetchSubscription = async (api: Api, signal: AbortSignal): Promise<HeldSubscription | null> => {
  const resultPromise = readJsonResponse(
    api,
    'user/subscription',
    api.client.GET('/user/subscription', api.readOptions(signal)),
    SubscriptionResponse,
  );
  const answer = await resultPromise.catch((error: unknown) =>
    fallbackIfUnavailable(api, 'user/subscription', error, () => null),
  );
  if (answer === null) return fetchByStatus(api, signal);
  const { subscription } = answer;
  return subscription && { ...subscription, until: toIsoDate(subscription.until ?? '') || null };
};

/** Cancels the subscription; idempotent. */
export const cancelSubscription = async (api: Api, signal: AbortSignal): Promise<object> => {
  const call = 'user/subscription/cancel';
  await readXmlResponse(api, call, api.client.GET('/user/subscription/cancel', api.changeOptions(null, signal)), 'result');
  return {};
};

/** Reactivates a cancelled subscription; idempotent. */
export const resumeSubscription = async (api: Api, signal: AbortSignal): Promise<object> => {
  const call = 'user/subscription/resume';
  await readXmlResponse(api, call, api.client.GET('/user/subscription/resume', api.changeOptions(null, signal)), 'result');
  return {};
};

/** The gateway's page for changing the subscription's card. */
export const fetchPortalPage = (api: Api, signal: AbortSignal): Promise<{ url: string }> =>
  readJsonResponse(
    api,
    'customer/portal/session',
    api.client.GET('/customer/portal/session', api.readOptions(signal)),
    GatewayPage(api),
  );
