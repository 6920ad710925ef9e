import type { Price } from '../../../../machines/model/catalogue/title.ts';
import type { Api } from '../../../client/wire/client.ts';
import { isStillGood } from '../../../client/payment/code-refusals.ts';
import { problemOfFailure, raise } from '../../../client/wire/problem.ts';
import { dropFromQuery, secretInQuery } from '../../../history/secret-in-address.ts';
import { forgetCode, keepCode, keptCode } from '../../../storage/kept-code.ts';
import { codePrices, type CodeRequest } from '../calls/title.ts';

/**
 * A title's prices with a code: the address's code, or one that was looked up in this tab before.
 * Null without a code, or where it takes nothing off.
 */
export const discountOn = async (
  api: Api,
  { titleId, prices: usual }: Omit<CodeRequest, 'code'>,
  signal: AbortSignal,
): Promise<{ code: string; prices: Price[] } | null> => {
  const typed = secretInQuery('code');
  if (typed !== null && typed !== '') keepCode(typed);
  const code = keptCode();
  if (code === '') return null;
  try {
    const prices = await codePrices(api, { code, titleId, prices: usual }, signal);
    return prices.length === 0 ? null : { code, prices };
  } catch (error) {
    const problem = problemOfFailure(error);
    if (problem.kind !== 'refused') return raise(problem);
    if (!isStillGood(problem.code)) forgetCode();
    return null;
  }
};

/** Removes the code from the address, since that one would be looked up before a stored one. */
const dropFromAddress = (): void => {
  if (secretInQuery('code') !== null) dropFromQuery('code');
};

/**
 * Applies a typed code to a title's prices and stores it in place of any other.
 * @throws Problem `refused` for a code that takes nothing off this title
 */
export const applyCode = async (api: Api, coded: CodeRequest, signal: AbortSignal) => {
  const prices = await codePrices(api, coded, signal);
  if (prices.length === 0) return raise({ kind: 'refused', code: 'code_misfit', message: '' });
  keepCode(coded.code);
  dropFromAddress();
  return prices;
};

/** Removes the code from later calls. */
export const removeCode = (): void => {
  forgetCode();
  dropFromAddress();
};
