import * as v from 'valibot';
import { type Base, webAddress } from '../../../client/wire/address.ts';
import { xmlAnswer } from '../../../client/wire/answer.ts';
import type { Api } from '../../../client/wire/client.ts';
import { jsonAnswer } from '../../../client/wire/json.ts';
import { flagIn, numberIn, textIn } from '../../../client/wire/xml-node.ts';

/** The days for nothing with which a code begins a plan; uses nothing up. */
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
  // A server that does not say what the code gives may still take it with the payment.
  const isGood = textIn(root, 'Kind') === undefined ? trialDays !== 0 : planId !== undefined && (trialDays ?? 0) > 0;
  return isGood && flagIn(root, 'Redeemed') !== true ? { planId: planId ?? null, trialDays: trialDays ?? 0 } : null;
};

/**
 * Begins to subscribe and charges nothing.
 * @param code that gives free days; empty for none
 * @returns the gateway's page, and the transaction, which a server may not name
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
    // To begin again finds what was begun.
    ...api.changing(null, signal),
  });
  return jsonAnswer(api, 'checkout/subscription/session', sending, v.object({ url, transId: v.nullish(v.string(), '') }));
};

/** A payment by a kept card, not charged yet; `url` where its bank asks for something first. */
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

/** Begins to subscribe by a kept card, and charges nothing. */
export const purchaseSubscription = (
  api: Api,
  { planId, cardId, code }: { planId: string; cardId: string; code: string },
  signal?: AbortSignal,
): Promise<CardPayment> => {
  const sending = api.client.GET('/subscription/purchase', {
    params: { query: { planId, cardId, code: code || undefined } },
    // To begin again finds what was begun.
    ...api.changing(null, signal),
  });
  return jsonAnswer(api, 'subscription/purchase', sending, Payment(api.base));
};

/** Words of servers for a payment that has not begun the subscription. */
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

/** Charges the authorised payment, once however often it is asked, and begins the subscription. */
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
