import { PlanQuote } from '../../../machines/model/buying/subscription.ts';
import type { Api } from '../../client/wire/client.ts';
import { GatewayPage } from '../../client/payment/gateway-page.ts';
import { readJsonResponse } from '../../client/wire/json.ts';
import { fallbackIfUnavailable } from '../../client/wire/unsupported-call.ts';

/** The price and the start of another plan, where the server reports them; read-only. */
export const quotePlanChange = (api: Api, planId: string, signal: AbortSignal): Promise<PlanQuote> => {
  const call = 'subscription/change';
  const asking = api.client.GET('/subscription/change', { params: { query: { planId } }, ...api.readOptions(signal) });
  const unknown = { planId, starts: 'unknown', due: { amount: 0, currency: '', symbol: '' }, at: null, quotedAt: '' } as const;
  return readJsonResponse(api, call, asking, PlanQuote).catch((error: unknown) =>
    fallbackIfUnavailable<PlanQuote>(api, call, error, () => unknown),
  );
};

/**
 * Changes the subscription's plan, at the quoted terms.
 * @returns where the customer continues: in the shop, or at the gateway
 */
export const changePlan = (
  api: Api,
  { planId, starts, due, quotedAt }: PlanQuote,
  signal: AbortSignal,
): Promise<{ url: string }> => {
  const sending = api.client.GET('/customer/portal/session', {
    params: { query: { upgradeplan: planId, ...(starts === 'unknown' ? {} : { due: due.amount, quotedAt }) } },
    // Idempotent: a repetition changes and charges nothing more.
    ...api.changeOptions(null, signal),
  });
  return readJsonResponse(api, 'customer/portal/session', sending, GatewayPage(api));
};
