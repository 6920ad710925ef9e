import type { Price } from '../../../../machines/model/catalogue/title.ts';
import type { Api } from '../../../client/wire/client.ts';
import { isStillGood } from '../../../client/payment/code-refusals.ts';
import { problemOfFailure, raise } from '../../../client/wire/problem.ts';
import { dropFromQuery, secretInQuery } from '../../../history/secret-in-address.ts';
import { forgetCode, keepCode, keptCode } from '../../../storage/kept-code.ts';
import { codePrices, type Coded } from '../calls/title.ts';

/**
 * What a code leaves of a title's prices: that of the address, or one that was looked up in this tab before. Null where there is
 * none, or it takes nothing off.
 */
export const discountOn = async (
  api: Api,
  { titleId, prices: usual }: Omit<Coded, 'code'>,
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

/** No code is in the address any more, which would be looked up before one that is kept. */
const dropFromAddress = (): void => {
  if (secretInQuery('code') !== null) dropFromQuery('code');
};

/**
 * What a typed code leaves of a title's prices. It goes along from now on, in place of any other.
 * @throws Problem `refused` for one that takes nothing off this title
 */
export const applyCode = async (api: Api, coded: Coded, signal: AbortSignal) => {
  const prices = await codePrices(api, coded, signal);
  if (prices.length === 0) return raise({ kind: 'refused', code: 'code_misfit', message: '' });
  keepCode(coded.code);
  dropFromAddress();
  return prices;
};

/** No code goes along any more. */
export const removeCode = (): void => {
  forgetCode();
  dropFromAddress();
};
