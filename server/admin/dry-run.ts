import type { Database } from '../database/open.ts';
import type { OperationInput } from './operation-input.ts';

/** Rolls back the transaction of a dry run, and carries its result. */
class DryRunRollback<Value> extends Error {
  readonly value: Value;
  constructor(value: Value) {
    super('Dry run: the transaction is rolled back.');
    this.value = value;
  }
}

/** Runs work in one transaction; a dry run executes all of it and rolls back. */
export async function runOrDryRun<Value>(
  db: Database,
  { dryRun }: OperationInput,
  work: (trx: Database) => Promise<Value>,
): Promise<Value> {
  try {
    return await db.transaction().execute(async (trx) => {
      const value = await work(trx);
      if (dryRun === true) throw new DryRunRollback(value);
      return value;
    });
  } catch (error) {
    if (error instanceof DryRunRollback) return error.value as Value;
    throw error;
  }
}

/** A message about a change: "The plan a is made."; about a dry run: "The plan a could be made." */
export const describeOutcome = ({ dryRun }: OperationInput, subject: string, participle: string): string =>
  `${subject} ${dryRun === true ? 'could be' : 'is'} ${participle}.`;
