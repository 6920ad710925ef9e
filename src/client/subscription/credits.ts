import * as v from 'valibot';
import type { CreditBalance } from '../../../machines/model/buying/subscription.ts';
import type { Api } from '../wire/client.ts';
import { jsonAnswer } from '../wire/json.ts';
import { orWhenMissing } from '../wire/problem.ts';

const Balance = v.object({
  CreditBalance: v.optional(v.number(), 0),
  CreditCurrency: v.optional(v.string(), ''),
  EnableBuyWithCredits: v.optional(v.boolean(), false),
});

/** The customer's credits; none in a store that knows no credits. */
export const creditBalance = async (api: Api, signal: AbortSignal): Promise<CreditBalance> => {
  const asking = jsonAnswer(api, 'credits/balance', api.client.GET('/credits/balance', api.reading(signal)), Balance);
  const answer = await asking.catch((error: unknown) => orWhenMissing(error, null));
  if (answer === null) return { balance: 0, currency: '', accepted: false };
  return { balance: answer.CreditBalance, currency: answer.CreditCurrency, accepted: answer.EnableBuyWithCredits };
};
