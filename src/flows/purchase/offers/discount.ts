import type { Price } from '../../../../machines/model/catalogue/title.ts';
import type { Api } from '../../../client/wire/client.ts';
import { isCodeStillValid } from '../../../client/payment/code-refusals.ts';
import { toFetchProblem, throwProblem } from '../../../client/wire/problem.ts';
import { removeFromQuery, readQuerySecret } from '../../../history/secret-in-address.ts';
import { forgetCode, saveCode, readCode } from '../../../storage/stored-code.ts';
import { fetchCodePrices, type CodeRequest } from '../calls/title.ts';

/**
 * Finds a title's prices with a code: the code in the URL, or one that was looked up in this tab
 * before. Null without a code, or if the code does not reduce the price.
 */
export const findDiscount = async (
  api: Api,
  { titleId, prices: usualPrices }: Omit<CodeRequest, 'code'>,
  signal: AbortSignal,
): Promise<{ code: string; prices: Price[] } | null> => {
  const codeInAddress = readQuerySecret('code');
  if (codeInAddress !== null && codeInAddress !== '') saveCode(codeInAddress);
  const code = readCode();
  if (code === '') return null;
  try {
    const prices = await fetchCodePrices(api, { code, titleId, prices: usualPrices }, signal);
    return prices.length === 0 ? null : { code, prices };
  } catch (error) {
    const problem = toFetchProblem(error);
    if (problem.kind !== 'refused') return throwProblem(problem);
    if (!isCodeStillValid(problem.code)) forgetCode();
    return null;
  }
};

/** Removes the code from the URL, where it would take precedence over a stored one. */
const dropCodeFromAddress = (): void => {
  if (readQuerySecret('code') !== null) removeFromQuery('code');
};

/**
 * Applies a typed code to a title's prices, and stores it in place of any other code.
 * @throws Problem `refused` for a code that does not reduce the title's price
 */
export const applyCode = async (api: Api, request: CodeRequest, signal: AbortSignal) => {
  const prices = await fetchCodePrices(api, request, signal);
  if (prices.length === 0) return throwProblem({ kind: 'refused', code: 'code_misfit', message: '' });
  saveCode(request.code);
  dropCodeFromAddress();
  return prices;
};

/** Forgets the code, so that later calls do not send it. */
export const removeCode = (): void => {
  forgetCode();
  dropCodeFromAddress();
};
