import type { Price } from '../../../machines/model/title.ts';
import type { Api } from '../../client/client.ts';
import { problemOfFailure, raise } from '../../client/problem.ts';
import { secretInQuery } from '../../history/secret-in-address.ts';
import { forgetCode, keepCode, keptCode } from '../../storage/kept-code.ts';
import { codePrices } from './calls.ts';

/** Refusals of a code that is good for something else, or later. */
const isStillGood = (code: string): boolean => code === 'code_misfit' || code.startsWith('too_many_');

/**
 * What a code leaves of a title's prices: that of the address, or one that was looked up in this tab before. Null where there is
 * none, or it takes nothing off.
 */
export const discountOn = async (
  api: Api,
  titleId: string,
  signal: AbortSignal,
): Promise<{ code: string; prices: Price[] } | null> => {
  const typed = secretInQuery('code');
  if (typed !== null && typed !== '') keepCode(typed);
  const code = keptCode();
  if (code === '') return null;
  try {
    const prices = await codePrices(api, { code, titleId }, signal);
    return prices.length === 0 ? null : { code, prices };
  } catch (error) {
    const problem = problemOfFailure(error);
    if (problem.kind !== 'refused') return raise(problem);
    if (!isStillGood(problem.code)) forgetCode();
    return null;
  }
};

/** A code that is refused at the payment leaves the title at another price. */
export const asPriceChange = (error: unknown): never => {
  const problem = problemOfFailure(error);
  const isOfCode = problem.kind === 'refused' && /^(?:code|title_codes)_/.test(problem.code);
  if (isOfCode) forgetCode();
  return raise(isOfCode ? { kind: 'refused', code: 'price_changed', message: problem.message } : problem);
};
