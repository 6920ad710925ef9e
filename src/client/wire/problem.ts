import * as v from 'valibot';
import { isProblem, type Problem } from '../../../machines/model/problem.ts';
import { isMissing } from '../../../machines/ports.ts';

/** Ports reject with plain values that a trace can hold, so this is the one place that throws something else than an Error. */
export const raise = (problem: Problem): never => {
  throw problem;
};

export const malformed = (call: string, field: string, message: string): Problem => ({
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

/** A server that could not be reached, with what the device knows of the reason. */
export const unreached = (): Problem => ({
  kind: 'offline',
  ...(globalThis.navigator?.onLine === false && { deviceOffline: true }),
});

/** What a failed fetch or a torn body means: the limit was reached, or the server was not. */
export const problemOfFailure = (error: unknown): Problem => {
  if (isProblem(error)) return error;
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';
  return name === 'TimeoutError' ? { kind: 'timeout' } : unreached();
};

/**
 * The value as the schema has it.
 * @param within path of the value in its answer, such as `titles.3`.
 * @throws Problem `malformed` with the dotted path of the first field that does not fit.
 */
export const checked = <Schema extends v.GenericSchema>(
  call: string,
  schema: Schema,
  value: unknown,
  within = '',
): v.InferOutput<Schema> => {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const field = [within, v.getDotPath(issue) ?? ''].filter((part) => part !== '').join('.');
  return raise(malformed(call, field, issue.message));
};

/** What stands for an answer "not found" where that means that there is nothing yet; any other failure is thrown again. */
export const orWhenMissing = <Answer>(error: unknown, nothing: Answer): Answer => {
  const problem = problemOfFailure(error);
  return isMissing(null, problem) ? nothing : raise(problem);
};

/** Runs a call, by its name, made with the token `used`. If it fails, reports what that means for the session and the store. */
export type RunCall = <Answer>(call: string, run: () => Promise<Answer>, used?: string | null) => Promise<Answer>;
