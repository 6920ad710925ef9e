import * as v from 'valibot';
import { type Base, toWebAddress } from '../../../client/wire/address.ts';
import { readXmlResponse } from '../../../client/wire/xml-response.ts';
import type { Api } from '../../../client/wire/client.ts';
import { readJsonResponse } from '../../../client/wire/json.ts';
import { getFlag, getNumber, getText } from '../../../client/wire/xml-node.ts';

/**
 * Looks up the trial days that a code adds, without using the code.
 * @returns null for a code that is used or adds no trial; `planId` is null for a code that is valid
 * for every plan
 */
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
  const hasTrial = getText(root, 'Kind') === undefined ? trialDays !== 0 : planId !== undefined && (trialDays ?? 0) > 0;
  return hasTrial && getFlag(root, 'Redeemed') !== true ? { planId: planId ?? null, trialDays: trialDays ?? 0 } : null;
};

/**
 * Starts a subscription, without a charge.
 * @param code for a trial; empty without one
 * @returns the gateway's page, and the transaction's id, which is empty where the server leaves it
 * out
 */
export const startSubscription = (
  api: Api,
  { planId, code }: { planId: string; code: string },
  signal: AbortSignal,
): Promise<{ url: string; transId: string }> => {
  const PaymentUrl = v.pipe(
    v.string(),
    v.transform((text) => toWebAddress(text, api.base)),
    v.nonEmpty('expected an http(s) URL'),
  );
  const responsePromise = api.client.GET('/checkout/subscription/session', {
    params: { query: { planId, method: 'card', code: code || undefined } },
    // Idempotent: a second start returns the first payment.
    ...api.changeOptions(null, signal),
  });
  return readJsonResponse(
    api,
    'checkout/subscription/session',
    responsePromise,
    v.object({ url: PaymentUrl, transId: v.nullish(v.string(), '') }),
  );
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
  const responsePromise = api.client.GET('/subscription/purchase', {
    params: { query: { planId, cardId, code: code || undefined } },
    // Idempotent: a second start returns the first payment.
    ...api.changeOptions(null, signal),
  });
  return readJsonResponse(api, 'subscription/purchase', responsePromise, CardPaymentResponse(api.base));
};

/** The words that servers use for the status of a payment that has not started the subscription. */
const NOT_STARTED_PATTERN = /action|fail|declin|incomplete|cancel|expire|past_?due|unpaid|pending|processing|require/i;

const ConfirmResponse = v.object({
  status: v.optional(
    v.pipe(
      v.string(),
      v.check((text) => !NOT_STARTED_PATTERN.test(text), 'expected the status of a started subscription'),
    ),
    '',
  ),
});

/** Charges the authorised payment and starts the subscription. Idempotent. */
export const confirmSubscription = async (
  api: Api,
  { subscriptionId, intentId }: { subscriptionId: string; intentId: string },
): Promise<object> => {
  const responsePromise = api.client.GET('/subscription/confirm', {
    params: { query: { subscriptionId, intentId } },
    ...api.changeOptions(null),
  });
  return readJsonResponse(api, 'subscription/confirm', responsePromise, ConfirmResponse);
};
