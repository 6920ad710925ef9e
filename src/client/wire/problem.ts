import * as v from 'valibot';
import { isProblem, type Problem } from '../../../machines/model/problem.ts';
import { isMissing } from '../../../machines/ports.ts';

/**
 * Throws a Problem. The only place that throws a value other than an Error: ports reject with plain
 * values that a trace can record.
 */
export const throwProblem = (problem: Problem): never => {
  throw problem;
};

export const malformedProblem = (call: string, field: string, message: string): Problem => ({
  kind: 'malformed',
  call,
  field,
  message,
});

export const httpProblem = (status: number): Problem => ({
  kind: 'http',
  status,
  message: `HTTP Error: ${status}`,
});

/** The Problem of an unreachable server, with the device's reason if it knows one. */
export const offlineProblem = (): Problem => ({
  kind: 'offline',
  ...(globalThis.navigator?.onLine === false && { deviceOffline: true }),
});

/** The Problem of a failed fetch or an incomplete body: a timeout, or an unreachable server. */
export const toFetchProblem = (error: unknown): Problem => {
  if (isProblem(error)) return error;
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';
  return name === 'TimeoutError' ? { kind: 'timeout' } : offlineProblem();
};

/**
 * Validates a value by its schema.
 * @param parentPath path of the value in its answer, such as `titles.3`.
 * @throws Problem `malformed` with the dotted path of the first field that does not fit.
 */
export const validate = <Schema extends v.GenericSchema>(
  call: string,
  schema: Schema,
  value: unknown,
  parentPath = '',
): v.InferOutput<Schema> => {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const field = [parentPath, v.getDotPath(issue) ?? ''].filter((part) => part !== '').join('.');
  return throwProblem(malformedProblem(call, field, issue.message));
};

/**
 * Returns a fallback for an answer "not found" that means that nothing exists yet; other failures
 * are rethrown.
 */
export const fallbackIfMissing = <Answer>(error: unknown, fallback: Answer): Answer => {
  const problem = toFetchProblem(error);
  return isMissing(null, problem) ? fallback : throwProblem(problem);
};

/**
 * Runs the named call. Its Problem is handled for the session and the store before it is thrown; a
 * 401 ends the session of `usedToken`, null for none.
 */
export type RunCall = <Answer>(call: string, run: () => Promise<Answer>, usedToken?: string | null) => Promise<Answer>;
