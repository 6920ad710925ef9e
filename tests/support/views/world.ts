import type { Problem } from '../../../machines/model/problem.ts';

/** A question that is answered at once. */
export const gives =
  <Output>(output: Output) =>
  async (): Promise<Output> =>
    output;

/** A question that is refused at once. */
export const refuses = (problem: Problem) => (): Promise<never> => Promise.reject(problem);

/** A question that nobody answers. */
export const never = (): Promise<never> => new Promise<never>(() => undefined);

/** A question that is answered otherwise each time; the last answer stays. */
export const inTurn = <Output>(...turns: (() => Promise<Output>)[]): (() => Promise<Output>) => {
  let asked = 0;
  return () => {
    const turn = turns[Math.min(asked, turns.length - 1)] ?? never;
    asked += 1;
    return turn();
  };
};
