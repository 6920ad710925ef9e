import type { Problem } from '../../../machines/model/problem.ts';

/** A function that returns a promise of `output`, resolved at once. */
export const resolvesTo =
  <Output>(output: Output) =>
  async (): Promise<Output> =>
    output;

/** A function that returns a promise, rejected at once. */
export const rejectsWith = (problem: Problem) => (): Promise<never> => Promise.reject(problem);

/** Returns a promise that never settles. */
export const neverSettles = (): Promise<never> => new Promise<never>(() => undefined);

/** A function that calls the next of `turns` each time, and the last one again and again. */
export const callInTurn = <Output>(...turns: (() => Promise<Output>)[]): (() => Promise<Output>) => {
  let callCount = 0;
  return () => {
    const turn = turns[Math.min(callCount, turns.length - 1)] ?? neverSettles;
    callCount += 1;
    return turn();
  };
};
