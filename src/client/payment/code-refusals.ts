import { forgetCode, readCode } from '../../storage/stored-code.ts';
import { toFetchProblem, throwProblem } from '../wire/problem.ts';

/** Whether a refusal is about a discount code. */
export const isCodeRefusal = (code: string): boolean => /^(?:code|title_codes|too_many)_/.test(code);

/** Whether a refused code remains valid for other goods, or later. */
export const isCodeStillValid = (code: string): boolean => code === 'code_misfit' || code.startsWith('too_many_');

/**
 * Sends a change of the cart with the code that this tab has stored. If the code is refused, the
 * change is sent again without it; a code that is no longer valid is dropped.
 */
export const withStoredCode = async <Answer>(send: (code: string | undefined) => Promise<Answer>): Promise<Answer> => {
  const code = readCode();
  if (code === '') return send(undefined);
  try {
    return await send(code);
  } catch (error) {
    const problem = toFetchProblem(error);
    if (problem.kind !== 'refused' || !isCodeRefusal(problem.code)) return throwProblem(problem);
    if (!isCodeStillValid(problem.code)) forgetCode();
    return send(undefined);
  }
};

/**
 * Throws the Problem of a payment or its tax. The refusal of a discount code becomes
 * `price_changed`, since the goods have another price without the code, which is dropped.
 */
export const throwAsPriceChange = (error: unknown): never => {
  const problem = toFetchProblem(error);
  const isCodeRefusal = problem.kind === 'refused' && /^(?:code|title_codes)_/.test(problem.code);
  if (isCodeRefusal) forgetCode();
  return throwProblem(isCodeRefusal ? { kind: 'refused', code: 'price_changed', message: problem.message } : problem);
};
