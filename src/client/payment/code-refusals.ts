import { forgetCode, keptCode } from '../../storage/kept-code.ts';
import { problemOfFailure, raise } from '../wire/problem.ts';

/** Refusals of a code that is good for something else, or later. */
export const isStillGood = (code: string): boolean => code === 'code_misfit' || code.startsWith('too_many_');

/**
 * Changes the cart with the code that was typed in this tab. A code that is refused does not hold
 * up the change: it is sent again without one, and a code that is over is forgotten.
 */
export const withKeptCode = async <Answer>(send: (code: string | undefined) => Promise<Answer>): Promise<Answer> => {
  const code = keptCode();
  if (code === '') return send(undefined);
  try {
    return await send(code);
  } catch (error) {
    const problem = problemOfFailure(error);
    if (problem.kind !== 'refused' || !/^(?:code|title_codes|too_many)_/.test(problem.code)) return raise(problem);
    if (!isStillGood(problem.code)) forgetCode();
    return send(undefined);
  }
};

/** A code that is refused at the payment, or with its tax, leaves the goods at another price. */
export const asPriceChange = (error: unknown): never => {
  const problem = problemOfFailure(error);
  const isOfCode = problem.kind === 'refused' && /^(?:code|title_codes)_/.test(problem.code);
  if (isOfCode) forgetCode();
  return raise(isOfCode ? { kind: 'refused', code: 'price_changed', message: problem.message } : problem);
};
