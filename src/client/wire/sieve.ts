import type * as v from 'valibot';
import { problemOf, type Problem } from '../../../machines/model/problem.ts';
import type { Api } from './client.ts';
import { checked, raise } from './problem.ts';

/** Bad items of a list that are reported one by one. */
const mostReported = 10;

/** Picks the items of a list that can be read: each of the others is left out and reported. */
export const sieve = <Schema extends v.GenericSchema>(
  { report }: Pick<Api, 'report'>,
  call: string,
  list: string,
  schema: Schema,
) => {
  let good = 0;
  let bad = 0;
  let first: Problem | null = null;
  return {
    /** The item as the schema has it in a list of one, or an empty list. */
    take: (fields: unknown): v.InferOutput<Schema>[] => {
      try {
        const item = checked(call, schema, fields, `${list}.${good + bad}`);
        good += 1;
        return [item];
      } catch (error) {
        const problem = problemOf(error);
        first ??= problem;
        bad += 1;
        if (bad <= mostReported) report(call, problem);
        return [];
      }
    },
    /** How many were left out; a list of which nothing can be read is no empty one, so that it throws the first's Problem. */
    end: (): number => {
      return first !== null && good === 0 ? raise(first) : bad;
    },
  };
};
