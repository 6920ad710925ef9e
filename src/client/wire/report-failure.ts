import type { Api } from './client.ts';
import { toFetchProblem, throwProblem } from './problem.ts';

/**
 * Runs a call, and reports its failure for the log.
 * @throws Problem the failure, after it has been reported.
 */
export const withFailureReport = async <T>(api: Api, call: string, run: () => Promise<T>): Promise<T> => {
  try {
    return await run();
  } catch (error) {
    const problem = toFetchProblem(error);
    api.report(call, problem);
    return throwProblem(problem);
  }
};
