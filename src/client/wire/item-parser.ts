import type * as v from 'valibot';
import { toProblem, type Problem } from '../../../machines/model/problem.ts';
import type { Api } from './client.ts';
import { validate, throwProblem } from './problem.ts';

/** Maximum number of invalid list items that are reported one by one. */
const maxReported = 10;

/** Parses the items of a list one by one; invalid items are left out and reported. */
export const createItemParser = <Schema extends v.GenericSchema>(
  { report }: Pick<Api, 'report'>,
  call: string,
  list: string,
  schema: Schema,
) => {
  let validCount = 0;
  let invalidCount = 0;
  let firstProblem: Problem | null = null;
  return {
    /** The validated item in a list of one, or an empty list. */
    parse: (fields: unknown): v.InferOutput<Schema>[] => {
      try {
        const item = validate(call, schema, fields, `${list}.${validCount + invalidCount}`);
        validCount += 1;
        return [item];
      } catch (error) {
        const problem = toProblem(error);
        firstProblem ??= problem;
        invalidCount += 1;
        if (invalidCount <= maxReported) report(call, problem);
        return [];
      }
    },
    /**
     * Returns the number of invalid items. Throws the Problem of the first one if no item was
     * valid: such a list does not count as empty.
     */
    end: (): number => {
      return firstProblem !== null && validCount === 0 ? throwProblem(firstProblem) : invalidCount;
    },
  };
};
