import type { Database } from './open.ts';

/** Runs inside the caller's transaction when there is one, else in a new one. */
export const inTransaction = <T>(db: Database, run: (trx: Database) => Promise<T>): Promise<T> =>
  db.isTransaction ? run(db) : db.transaction().execute(run);
