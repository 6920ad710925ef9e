import * as v from 'valibot';
import { type Base, toWebAddress } from '../../../client/wire/address.ts';
import { readXmlResponse } from '../../../client/wire/xml-response.ts';
import type { Api } from '../../../client/wire/client.ts';
import { readJsonResponse } from '../../../client/wire/json.ts';
import { getFlag, getNumber, getText } from '../../../client/wire/xml-node.ts';

/** The trial days that a code adds to a plan; does not use the code. */
export const fetchCodeTrial = async (
  api: Api,
  code: string,
  signal: AbortSignal,
): Promise<{ planId: string | null; trialDays: number } | null> => {
  const query = { code, subscription: true };
  const root = await readXmlResponse(
    api,
    'redeem/apply',
    api.client.GET('/redeem/apply', { params: { query }, ...api.readOptions(signal) }),
    'redemption',
  );
  const [planId, trialDays] = [getText(root, 'PlanId'), getNumber(root, 'TrialDays')];
  // A server that does not describe the code's benefit may still accept it with the payment.
  const isGood = getText(root, 'Kind') === undefined ? trialDays !== 0 : planId !== undefined && (trialDays ?? 0) > 0;
  return isGood && getFlag(root, 'Redeemed') !== true ? { planId: planId ?? null, trialDays: trialDays ?? 0 } : null;
};

/**
 * Starts a subscription, without a charge.
 * @param code for a trial; empty without one
 * @returns the gateway's page, and the transaction, which a server may leave out
 */
export const startSubscription = (
  api: Api,
  { planId, code }: { planId: string; code: string },
  signal: AbortSignal,
): Promise<{ url: string; transId: string }> => {
  const url = v.pipe(
    v.string(),
    v.transform((text) => toWebAddress(text, api.base)),
    v.nonEmpty('no http(s) address'),
  );
  const sending = api.client.GET('/checkout/subscription/session', {
    params: { query: { planId, method: 'card', code: code || undefined } },
    // Idempotent: a second start returns the first.
    ...api.changeOptions(null, signal),
  });
  return readJsonResponse(api, 'checkout/subscription/session', sending, v.object({ url, transId: v.nullish(v.string(), '') }));
};

/**
 * A payment by a saved card, not charged yet; `url` where the card's bank requires an action first.
 */
type CardPayment = { subscriptionId: string; intentId: string; url: string | null };

const CardPaymentResponse = (base: Base) =>
  v.object({
    subscriptionId: v.pipe(v.string(), v.nonEmpty()),
    intentId: v.pipe(v.string(), v.nonEmpty()),
    url: v.nullish(
      v.pipe(
        v.string(),
        v.transform((text) => toWebAddress(text, base) || null),
      ),
      null,
    ),
  });

/** Starts a subscription with a saved card, without a charge. */
export const startSubscriptionByCard = (
  api: Api,
  { planId, cardId, code }: { planId: string; cardId: string; code: string },
  signal?: AbortSignal,
): Promise<CardPayment> => {
  const sending = api.client.GET('/subscription/purchase', {
    params: { query: { planId, cardId, code: code || undefined } },
    // Idempotent: a second start returns the first.
    ...api.changeOptions(null, signal),
  });
  return readJsonResponse(api, 'subscription/purchase', sending, CardPaymentResponse(api.base));
};

/** Status words of servers for a payment that has not started the subscription. */
const NOT_STARTED = /action|fail|declin|incomplete|cancel|expire|past_?due|unpaid|pending|processing|require/i;

const ConfirmResponse = v.object({
  status: v.optional(
    v.pipe(
      v.string(),
      v.check((word) => !NOT_STARTED.test(word), 'the subscription has not begun'),
    ),
    '',
  ),
});

/** Charges the authorised payment and starts the subscription. Idempotent. */
export const confirmSubscription = async (
  api: Api,
  { subscriptionId, intentId }: { subscriptionId: string; intentId: string },
): Promise<object> => {
  const sending = api.client.GET('/subscription/confirm', {
    params: { query: { subscriptionId, intentId } },
    ...api.changeOptions(null),
  });
  return readJsonResponse(api, 'subscription/confirm', sending, ConfirmResponse);
};
