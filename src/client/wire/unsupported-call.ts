import type { Problem } from '../../../machines/model/problem.ts';
import { isMissing } from '../../../machines/ports.ts';
import type { Api } from './client.ts';
import { toFetchProblem, throwProblem } from './problem.ts';

/** HTTP statuses by which a server reports that it does not have the call. */
const unsupportedStatuses = new Set([404, 405, 410, 501]);

/**
 * Whether a server does not have the call: it answers "not found", a status of
 * `unsupportedStatuses`, an unexpected document, or an error without a code of the contract.
 */
const isUnsupported = (problem: Problem): boolean => {
  if (problem.kind === 'http') return unsupportedStatuses.has(problem.status);
  if (problem.kind === 'refused') return ['error', 'not_implemented'].includes(problem.code) || isMissing(null, problem);
  return problem.kind === 'malformed';
};

/** Returns a fallback where the server does not have the call; other failures are rethrown. */
export const fallbackIfUnsupported = <Answer>(error: unknown, fallback: Answer): Answer => {
  const problem = toFetchProblem(error);
  return isUnsupported(problem) ? fallback : throwProblem(problem);
};

/**
 * Returns a fallback for a call beyond the specification where the server does not have it, fails,
 * or does not answer. A refusal of the contract is rethrown. If the server names the call under
 * `additions` of `/config.json`, only the status of a missing call counts.
 */
export const fallbackIfUnavailable = async <Answer>(
  { config }: Pick<Api, 'config'>,
  call: string,
  error: unknown,
  getFallback: () => Answer | Promise<Answer>,
): Promise<Answer> => {
  const problem = toFetchProblem(error);
  const isNamed = config.additions?.includes(call) === true;
  if (isNamed && !(problem.kind === 'http' && unsupportedStatuses.has(problem.status))) return throwProblem(problem);
  const isRefusal = problem.kind === 'unauthorized' || problem.kind === 'invalidStore' || problem.kind === 'refused';
  return isRefusal && !isUnsupported(problem) ? throwProblem(problem) : getFallback();
};
