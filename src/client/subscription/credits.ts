import * as v from 'valibot';
import type { CreditBalance } from '../../../machines/model/buying/subscription.ts';
import type { Api } from '../wire/client.ts';
import { readJsonResponse } from '../wire/json.ts';
import { fallbackIfMissing } from '../wire/problem.ts';

const BalanceResponse = v.object({
  CreditBalance: v.optional(v.number(), 0),
  CreditCurrency: v.optional(v.string(), ''),
  EnableBuyWithCredits: v.optional(v.boolean(), false),
});

/** The customer's credits; 0 in a store without credits. */
export const fetchCreditBalance = async (api: Api, signal: AbortSignal): Promise<CreditBalance> => {
  const resultPromise = readJsonResponse(
    api,
    'credits/balance',
    api.client.GET('/credits/balance', api.readOptions(signal)),
    BalanceResponse,
  );
  const answer = await resultPromise.catch((error: unknown) => fallbackIfMissing(error, null));
  if (answer === null) return { balance: 0, currency: '', accepted: false };
  return { balance: answer.CreditBalance, currency: answer.CreditCurrency, accepted: answer.EnableBuyWithCredits };
};
