import { PlanQuote } from '../../../machines/model/buying/subscription.ts';
import type { Api } from '../../client/wire/client.ts';
import { GatewayPage } from '../../client/payment/gateway-page.ts';
import { readJsonResponse } from '../../client/wire/json.ts';
import { fallbackIfUnavailable } from '../../client/wire/unsupported-call.ts';

/**
 * Fetches the price and the start of a change to another plan, without changing anything. If the
 * server does not report them, the start is `unknown`.
 */
export const quotePlanChange = (api: Api, planId: string, signal: AbortSignal): Promise<PlanQuote> => {
  const call = 'subscription/change';
  const responsePromise = api.client.GET('/subscription/change', { params: { query: { planId } }, ...api.readOptions(signal) });
  const unknownQuote = {
    planId,
    starts: 'unknown',
    due: { amount: 0, currency: '', symbol: '' },
    at: null,
    quotedAt: '',
  } as const;
  return readJsonResponse(api, call, responsePromise, PlanQuote).catch((error: unknown) =>
    fallbackIfUnavailable<PlanQuote>(api, call, error, () => unknownQuote),
  );
};

/**
 * Changes the subscription's plan, at the quoted terms.
 * @returns the address where the customer continues: in the shop, or at the gateway
 * @throws Problem `refused` with `price_changed`, `plan_unchanged` or `plan_changing`, or for a
 * declined card
 */
export const changePlan = (
  api: Api,
  { planId, starts, due, quotedAt }: PlanQuote,
  signal: AbortSignal,
): Promise<{ url: string }> => {
  const responsePromise = api.client.GET('/customer/portal/session', {
    params: { query: { upgradeplan: planId, ...(starts === 'unknown' ? {} : { due: due.amount, quotedAt }) } },
    // Idempotent: a repetition changes and charges nothing more.
    ...api.changeOptions(null, signal),
  });
  return readJsonResponse(api, 'customer/portal/session', responsePromise, GatewayPage(api));
};
