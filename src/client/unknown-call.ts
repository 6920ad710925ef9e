import { isMissing } from '../../machines/ports.ts';
import { problemOfFailure, raise } from './problem.ts';

/**
 * The value that replaces the answer of a server that does not know the call (404, 501); any other
 * failure is thrown again.
 */
export const orWhenUnknownCall = <Answer>(error: unknown, otherwise: Answer): Answer => {
  const problem = problemOfFailure(error);
  const isNotServed =
    (problem.kind === 'refused' && problem.code === 'not_implemented') || (problem.kind === 'http' && problem.status === 501);
  return isNotServed || isMissing(null, problem) ? otherwise : raise(problem);
};
