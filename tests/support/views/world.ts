import type { Problem } from '../../../machines/model/problem.ts';

/** A request that resolves at once. */
export const resolvesTo =
  <Output>(output: Output) =>
  async (): Promise<Output> =>
    output;

/** A request that rejects at once. */
export const rejectsWith = (problem: Problem) => (): Promise<never> => Promise.reject(problem);

/** A request that never settles. */
export const neverSettles = (): Promise<never> => new Promise<never>(() => undefined);

/** A request with a different answer each time; the last answer repeats. */
export const callInTurn = <Output>(...turns: (() => Promise<Output>)[]): (() => Promise<Output>) => {
  let asked = 0;
  return () => {
    const turn = turns[Math.min(asked, turns.length - 1)] ?? neverSettles;
    asked += 1;
    return turn();
  };
};
