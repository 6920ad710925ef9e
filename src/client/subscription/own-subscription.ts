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

/** Of a store that only says whether the customer has subscribed. */
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
    // Which plan it is has to be known for another one.
    ...(planId === '' ? {} : { changeable: true }),
  };
};

/** The subscription that the customer has, or had last. */
export const ownSubscription = async (api: Api, signal: AbortSignal): Promise<HeldSubscription | null> => {
  const asking = jsonAnswer(api, 'user/subscription', api.client.GET('/user/subscription', api.reading(signal)), Answer);
  const answer = await asking.catch((error: unknown) => orWithoutCall(api, 'user/subscription', error, () => null));
  if (answer === null) return knownByStatus(api, signal);
  const { subscription } = answer;
  return subscription && { ...subscription, until: isoDate(subscription.until ?? '') || null };
};

/** Cancels the subscription; one that is cancelled already is what was wanted. */
export const cancelSubscription = async (api: Api, signal: AbortSignal): Promise<object> => {
  const call = 'user/subscription/cancel';
  await xmlAnswer(api, call, api.client.GET('/user/subscription/cancel', api.changing(null, signal)), 'result');
  return {};
};

/** Takes a cancelled subscription up again; one that is not cancelled is what was wanted. */
export const resumeSubscription = async (api: Api, signal: AbortSignal): Promise<object> => {
  const call = 'user/subscription/resume';
  await xmlAnswer(api, call, api.client.GET('/user/subscription/resume', api.changing(null, signal)), 'result');
  return {};
};

/** The gateway's page where the subscription is given another card. */
export const customerPortal = (api: Api, signal: AbortSignal): Promise<{ url: string }> =>
  jsonAnswer(api, 'customer/portal/session', api.client.GET('/customer/portal/session', api.reading(signal)), gatewayPage(api));
