import * as v from 'valibot';
import { HeldSubscription } from '../../../machines/model/buying/subscription.ts';
import { gatewayPage } from '../payment/gateway-page.ts';
import { xmlAnswer } from '../wire/answer.ts';
import type { Api } from '../wire/client.ts';
import { isoDate } from '../wire/date.ts';
import { jsonAnswer } from '../wire/json.ts';
import { subscriptionStatus } from './subscription.ts';
import { orWithoutCall } from '../wire/unknown-call.ts';

const Answer = v.object({ subscription: v.nullable(HeldSubscription) });

/** For a store that only reports whether the customer has subscribed. */
const knownByStatus = async (api: Api, signal: AbortSignal): Promise<HeldSubscription | null> => {
  const { subscribed, data } = await subscriptionStatus(api, signal);
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

/** The customer's current or last subscription. */
export const ownSubscription = async (api: Api, signal: AbortSignal): Promise<HeldSubscription | null> => {
  const asking = jsonAnswer(api, 'user/subscription', api.client.GET('/user/subscription', api.reading(signal)), Answer);
  const answer = await asking.catch((error: unknown) => orWithoutCall(api, 'user/subscription', error, () => null));
  if (answer === null) return knownByStatus(api, signal);
  const { subscription } = answer;
  return subscription && { ...subscription, until: isoDate(subscription.until ?? '') || null };
};

/** Cancels the subscription; idempotent. */
export const cancelSubscription = async (api: Api, signal: AbortSignal): Promise<object> => {
  const call = 'user/subscription/cancel';
  await xmlAnswer(api, call, api.client.GET('/user/subscription/cancel', api.changing(null, signal)), 'result');
  return {};
};

/** Reactivates a cancelled subscription; idempotent. */
export const resumeSubscription = async (api: Api, signal: AbortSignal): Promise<object> => {
  const call = 'user/subscription/resume';
  await xmlAnswer(api, call, api.client.GET('/user/subscription/resume', api.changing(null, signal)), 'result');
  return {};
};

/** The gateway's page for changing the subscription's card. */
export const customerPortal = (api: Api, signal: AbortSignal): Promise<{ url: string }> =>
  jsonAnswer(api, 'customer/portal/session', api.client.GET('/customer/portal/session', api.reading(signal)), gatewayPage(api));
