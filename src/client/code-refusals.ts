import { forgetCode } from '../storage/kept-code.ts';
import { problemOfFailure, raise } from './problem.ts';

/** Refusals of a code that is good for something else, or later. */
export const isStillGood = (code: string): boolean => code === 'code_misfit' || code.startsWith('too_many_');

/** A code that is refused at the payment, or where its tax is asked for, leaves what is bought at another price. */
export const asPriceChange = (error: unknown): never => {
  const problem = problemOfFailure(error);
  const isOfCode = problem.kind === 'refused' && /^(?:code|title_codes)_/.test(problem.code);
  if (isOfCode) forgetCode();
  return raise(isOfCode ? { kind: 'refused', code: 'price_changed', message: problem.message } : problem);
};
