import { forgetCode, readCode } from '../../storage/stored-code.ts';
import { toFetchProblem, throwProblem } from '../wire/problem.ts';

/** Whether a refused code remains valid for other goods, or later. */
export const isCodeStillValid = (code: string): boolean => code === 'code_misfit' || code.startsWith('too_many_');

/**
 * Changes the cart with the code that was typed in this tab. A refused code does not block the
 * change, which is sent again without it; an expired code is dropped.
 */
export const withStoredCode = async <Answer>(send: (code: string | undefined) => Promise<Answer>): Promise<Answer> => {
  const code = readCode();
  if (code === '') return send(undefined);
  try {
    return await send(code);
  } catch (error) {
    const problem = toFetchProblem(error);
    if (problem.kind !== 'refused' || !/^(?:code|title_codes|too_many)_/.test(problem.code)) return throwProblem(problem);
    if (!isCodeStillValid(problem.code)) forgetCode();
    return send(undefined);
  }
};

/** A code that is refused at the payment or for its tax changes the price of the goods. */
export const throwAsPriceChange = (error: unknown): never => {
  const problem = toFetchProblem(error);
  const isOfCode = problem.kind === 'refused' && /^(?:code|title_codes)_/.test(problem.code);
  if (isOfCode) forgetCode();
  return throwProblem(isOfCode ? { kind: 'refused', code: 'price_changed', message: problem.message } : problem);
};
