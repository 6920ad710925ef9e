import type { Database } from '../database/open.ts';
import type { Given } from './given.ts';

/** Ends a transaction that is only a look at what would come of it. */
class Undone<Value> extends Error {
  readonly value: Value;
  constructor(value: Value) {
    super('It was a dry run.');
    this.value = value;
  }
}

/** Does something whole or not at all; in a dry run all of it is tried, and taken back. */
export async function tryOut<Value>(db: Database, { dryRun }: Given, work: (trx: Database) => Promise<Value>): Promise<Value> {
  try {
    return await db.transaction().execute(async (trx) => {
      const value = await work(trx);
      if (dryRun === true) throw new Undone(value);
      return value;
    });
  } catch (error) {
    if (error instanceof Undone) return error.value as Value;
    throw error;
  }
}

/** What is said of something done, or of a dry run: `has been made`, or `could be made`. */
export const saysDone = ({ dryRun }: Given, what: string, done: string): string =>
  `${what} ${dryRun === true ? 'could be' : 'is'} ${done}.`;
