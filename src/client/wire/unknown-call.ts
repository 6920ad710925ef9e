import type { Problem } from '../../../machines/model/problem.ts';
import { isMissing } from '../../../machines/ports.ts';
import type { Api } from './client.ts';
import { problemOfFailure, raise } from './problem.ts';

/** Statuses of a server that has no such call. */
const unknownStatuses = new Set([404, 405, 410, 501]);

/**
 * Whether the answer is that of a server without the call: not found, not served, a page or a
 * document of another kind, or an error without a code of the contract's.
 */
const isOfUnknownCall = (problem: Problem): boolean => {
  if (problem.kind === 'http') return unknownStatuses.has(problem.status);
  if (problem.kind === 'refused') return ['error', 'not_implemented'].includes(problem.code) || isMissing(null, problem);
  return problem.kind === 'malformed';
};

/**
 * The value that replaces the answer of a server without the call; other failures are thrown again.
 */
export const orWhenUnknownCall = <Answer>(error: unknown, otherwise: Answer): Answer => {
  const problem = problemOfFailure(error);
  return isOfUnknownCall(problem) ? otherwise : raise(problem);
};

/**
 * The replacement of an answer to a call that the specification does not have, where the server
 * is without it, fails at it, or does not answer. A refusal of the contract's own is thrown again.
 * Of a server that names the call under `additions` of `/config.json`, only a status of a missing
 * call counts.
 */
export const orWithoutCall = async <Answer>(
  { config }: Pick<Api, 'config'>,
  call: string,
  error: unknown,
  otherwise: () => Answer | Promise<Answer>,
): Promise<Answer> => {
  const problem = problemOfFailure(error);
  const isNamed = config.additions?.includes(call) === true;
  if (isNamed && !(problem.kind === 'http' && unknownStatuses.has(problem.status))) return raise(problem);
  const isRefusal = problem.kind === 'unauthorized' || problem.kind === 'invalidStore' || problem.kind === 'refused';
  return isRefusal && !isOfUnknownCall(problem) ? raise(problem) : otherwise();
};
