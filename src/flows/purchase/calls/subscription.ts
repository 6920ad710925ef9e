import * as v from 'valibot';
import { type Base, webAddress } from '../../../client/wire/address.ts';
import { xmlAnswer } from '../../../client/wire/answer.ts';
import type { Api } from '../../../client/wire/client.ts';
import { jsonAnswer } from '../../../client/wire/json.ts';
import { flagIn, numberIn, textIn } from '../../../client/wire/xml-node.ts';

/** The trial days that a code adds to a plan; does not use the code. */
export const codeTrial = async (
  api: Api,
  code: string,
  signal: AbortSignal,
): Promise<{ planId: string | null; trialDays: number } | null> => {
  const query = { code, subscription: true };
  const root = await xmlAnswer(
    api,
    'redeem/apply',
    api.client.GET('/redeem/apply', { params: { query }, ...api.reading(signal) }),
    'redemption',
  );
  const [planId, trialDays] = [textIn(root, 'PlanId'), numberIn(root, 'TrialDays')];
  // A server that does not describe the code's benefit may still accept it with the payment.
  const isGood = textIn(root, 'Kind') === undefined ? trialDays !== 0 : planId !== undefined && (trialDays ?? 0) > 0;
  return isGood && flagIn(root, 'Redeemed') !== true ? { planId: planId ?? null, trialDays: trialDays ?? 0 } : null;
};

/**
 * Starts a subscription, without a charge.
 * @param code for a trial; empty without one
 * @returns the gateway's page, and the transaction, which a server may leave out
 */
export const subscriptionSession = (
  api: Api,
  { planId, code }: { planId: string; code: string },
  signal: AbortSignal,
): Promise<{ url: string; transId: string }> => {
  const url = v.pipe(
    v.string(),
    v.transform((text) => webAddress(text, api.base)),
    v.nonEmpty('no http(s) address'),
  );
  const sending = api.client.GET('/checkout/subscription/session', {
    params: { query: { planId, method: 'card', code: code || undefined } },
    // Idempotent: a second start returns the first.
    ...api.changing(null, signal),
  });
  return jsonAnswer(api, 'checkout/subscription/session', sending, v.object({ url, transId: v.nullish(v.string(), '') }));
};

/**
 * A payment by a saved card, not charged yet; `url` where the card's bank requires an action first.
 */
type CardPayment = { subscriptionId: string; intentId: string; url: string | null };

const Payment = (base: Base) =>
  v.object({
    subscriptionId: v.pipe(v.string(), v.nonEmpty()),
    intentId: v.pipe(v.string(), v.nonEmpty()),
    url: v.nullish(
      v.pipe(
        v.string(),
        v.transform((text) => webAddress(text, base) || null),
      ),
      null,
    ),
  });

/** Starts a subscription with a saved card, without a charge. */
export const purchaseSubscription = (
  api: Api,
  { planId, cardId, code }: { planId: string; cardId: string; code: string },
  signal?: AbortSignal,
): Promise<CardPayment> => {
  const sending = api.client.GET('/subscription/purchase', {
    params: { query: { planId, cardId, code: code || undefined } },
    // Idempotent: a second start returns the first.
    ...api.changing(null, signal),
  });
  return jsonAnswer(api, 'subscription/purchase', sending, Payment(api.base));
};

/** Status words of servers for a payment that has not started the subscription. */
const notBegun = /action|fail|declin|incomplete|cancel|expire|past_?due|unpaid|pending|processing|require/i;

const Begun = v.object({
  status: v.optional(
    v.pipe(
      v.string(),
      v.check((word) => !notBegun.test(word), 'the subscription has not begun'),
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
    ...api.changing(null),
  });
  return jsonAnswer(api, 'subscription/confirm', sending, Begun);
};
