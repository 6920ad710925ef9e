import { PlanQuote } from '../../../machines/model/buying/subscription.ts';
import type { Api } from '../../client/wire/client.ts';
import { gatewayPage } from '../../client/payment/gateway-page.ts';
import { jsonAnswer } from '../../client/wire/json.ts';
import { orWithoutCall } from '../../client/wire/unknown-call.ts';

/** The cost and the beginning of another plan, where the server says so; changes nothing. */
export const quotePlan = (api: Api, planId: string, signal: AbortSignal): Promise<PlanQuote> => {
  const call = 'subscription/change';
  const asking = api.client.GET('/subscription/change', { params: { query: { planId } }, ...api.reading(signal) });
  const unknown = { planId, starts: 'unknown', due: { amount: 0, currency: '', symbol: '' }, at: null, quotedAt: '' } as const;
  return jsonAnswer(api, call, asking, PlanQuote).catch((error: unknown) =>
    orWithoutCall<PlanQuote>(api, call, error, () => unknown),
  );
};

/**
 * Gives the subscription another plan, as it was quoted.
 * @returns where the customer goes on: in the shop, or at the gateway
 */
export const changePlan = (
  api: Api,
  { planId, starts, due, quotedAt }: PlanQuote,
  signal: AbortSignal,
): Promise<{ url: string }> => {
  const sending = api.client.GET('/customer/portal/session', {
    params: { query: { upgradeplan: planId, ...(starts === 'unknown' ? {} : { due: due.amount, quotedAt }) } },
    // Sent again it changes, and charges, nothing more.
    ...api.changing(null, signal),
  });
  return jsonAnswer(api, 'customer/portal/session', sending, gatewayPage(api));
};
