import type * as v from 'valibot';
import { toProblem, type Problem } from '../../../machines/model/problem.ts';
import type { Api } from './client.ts';
import { validate, throwProblem } from './problem.ts';

/** Maximum number of invalid list items that are reported one by one. */
const maxReported = 10;

/** Filters the readable items of a list; each of the others is left out and reported. */
export const createItemParser = <Schema extends v.GenericSchema>(
  { report }: Pick<Api, 'report'>,
  call: string,
  list: string,
  schema: Schema,
) => {
  let good = 0;
  let bad = 0;
  let first: Problem | null = null;
  return {
    /** The validated item in a list of one, or an empty list. */
    parse: (fields: unknown): v.InferOutput<Schema>[] => {
      try {
        const item = validate(call, schema, fields, `${list}.${good + bad}`);
        good += 1;
        return [item];
      } catch (error) {
        const problem = toProblem(error);
        first ??= problem;
        bad += 1;
        if (bad <= maxReported) report(call, problem);
        return [];
      }
    },
    /**
     * Returns the number of invalid items. Throws the first one's Problem if no item was readable:
     * such a list is not an empty one.
     */
    end: (): number => {
      return first !== null && good === 0 ? throwProblem(first) : bad;
    },
  };
};
