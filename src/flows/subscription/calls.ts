import { PlanQuote } from '../../../machines/model/subscription.ts';
import type { Api } from '../../client/client.ts';
import { gatewayPage } from '../../client/gateway-page.ts';
import { jsonAnswer } from '../../client/json.ts';

/** What another plan would cost, and when it would begin; changes nothing. */
export const quotePlan = (api: Api, planId: string, signal: AbortSignal): Promise<PlanQuote> => {
  const asking = api.client.GET('/subscription/change', { params: { query: { planId } }, ...api.reading(signal) });
  return jsonAnswer(api, 'subscription/change', asking, PlanQuote);
};

/**
 * Gives the subscription another plan, as it was quoted.
 * @returns where the customer goes on: in the shop, or at the gateway
 */
export const changePlan = (api: Api, { planId, due, quotedAt }: PlanQuote, signal: AbortSignal): Promise<{ url: string }> => {
  const sending = api.client.GET('/customer/portal/session', {
    params: { query: { upgradeplan: planId, due: due.amount, quotedAt } },
    // Sent again it changes, and charges, nothing more.
    ...api.changing(null, signal),
  });
  return jsonAnswer(api, 'customer/portal/session', sending, gatewayPage(api));
};
