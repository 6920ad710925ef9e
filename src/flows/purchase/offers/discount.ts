import type { Price } from '../../../../machines/model/catalogue/title.ts';
import type { Api } from '../../../client/wire/client.ts';
import { isCodeStillValid } from '../../../client/payment/code-refusals.ts';
import { toFetchProblem, throwProblem } from '../../../client/wire/problem.ts';
import { removeFromQuery, readQuerySecret } from '../../../history/secret-in-address.ts';
import { forgetCode, saveCode, readCode } from '../../../storage/stored-code.ts';
import { fetchCodePrices, type CodeRequest } from '../calls/title.ts';

/**
 * A title's prices with a code: the address's code, or one that was looked up in this tab before.
 * Null without a code, or where it takes nothing off.
 */
export const findDiscount = async (
  api: Api,
  { titleId, prices: usual }: Omit<CodeRequest, 'code'>,
  signal: AbortSignal,
): Promise<{ code: string; prices: Price[] } | null> => {
  const typed = readQuerySecret('code');
  if (typed !== null && typed !== '') saveCode(typed);
  const code = readCode();
  if (code === '') return null;
  try {
    const prices = await fetchCodePrices(api, { code, titleId, prices: usual }, signal);
    return prices.length === 0 ? null : { code, prices };
  } catch (error) {
    const problem = toFetchProblem(error);
    if (problem.kind !== 'refused') return throwProblem(problem);
    if (!isCodeStillValid(problem.code)) forgetCode();
    return null;
  }
};

/** Removes the code from the address, since that one would be looked up before a stored one. */
const dropCodeFromAddress = (): void => {
  if (readQuerySecret('code') !== null) removeFromQuery('code');
};

/**
 * Applies a typed code to a title's prices and stores it in place of any other.
 * @throws Problem `refused` for a code that takes nothing off this title
 */
export const applyCode = async (api: Api, coded: CodeRequest, signal: AbortSignal) => {
  const prices = await fetchCodePrices(api, coded, signal);
  if (prices.length === 0) return throwProblem({ kind: 'refused', code: 'code_misfit', message: '' });
  saveCode(coded.code);
  dropCodeFromAddress();
  return prices;
};

/** Removes the code from later calls. */
export const removeCode = (): void => {
  forgetCode();
  dropCodeFromAddress();
};
