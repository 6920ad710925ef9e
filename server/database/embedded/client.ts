import { Worker } from 'node:worker_threads';
import type { PGlite, PGliteTransaction } from 'kysely';
import { EMBEDDED_AWAY } from '../unavailable.ts';
import type { QueryAnswer, WorkerAnswer, WorkerError, WorkerInput, WorkerRequest } from './messages.ts';

/** A failed statement; `code` is PostgreSQL's SQLSTATE, as with the `pg` driver's errors. */
class DatabaseError extends Error {
  readonly code: string | undefined;
  readonly constraint: string | undefined;
  readonly detail: string | undefined;

  constructor(error: WorkerError) {
    super(error.message);
    this.name = 'DatabaseError';
    this.code = error.code;
    this.constraint = error.constraint;
    this.detail = error.detail;
  }
}

type PendingQuery = { resolve: (answer: QueryAnswer) => void; reject: (error: Error) => void };

/** SQLSTATE of statements in a transaction that has failed. */
const FAILED_TRANSACTION = '25P02';

const toUnavailableError = (message: string): Error => Object.assign(new Error(message), { code: EMBEDDED_AWAY });

/**
 * Starts the database thread on a folder, or in memory without one, and returns the part of
 * PGlite's interface that Kysely's dialect uses; rejects when the folder cannot be opened.
 */
export async function startEmbedded(workerData: WorkerInput): Promise<PGlite> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData });
  const pendingQueries = new Map<number, PendingQuery>();
  let nextId = 1;
  let isClosed = false;

  const send = (request: WorkerRequest) =>
    new Promise<QueryAnswer>((resolve, reject) => {
      if (isClosed) return reject(toUnavailableError('The database is closed.'));
      pendingQueries.set(request.id, { resolve, reject });
      worker.postMessage(request);
    });
  const failAll = (error: Error) => {
    isClosed = true;
    for (const each of pendingQueries.values()) each.reject(error);
    pendingQueries.clear();
  };

  await new Promise<void>((resolve, reject) => {
    worker.on('message', (message: WorkerAnswer) => {
      if (message.kind === 'ready') return resolve();
      if (message.kind === 'failed') return reject(new DatabaseError(message.error));
      const pendingQuery = pendingQueries.get(message.id);
      pendingQueries.delete(message.id);
      if (message.kind === 'answer') pendingQuery?.resolve(message.answer);
      else pendingQuery?.reject(new DatabaseError(message.error));
    });
    worker.on('error', (error) => {
      const cause = error instanceof Error ? error : new Error(String(error));
      reject(cause);
      failAll(cause);
    });
    worker.on('exit', () => failAll(toUnavailableError('The database thread has exited.')));
  }).catch(async (error: unknown) => {
    await worker.terminate();
    throw error;
  });

  const runStatement = (sql: string, parameters: readonly unknown[] = []) =>
    send({ id: nextId++, kind: 'query', sql, parameters });
  const query: PGlite['query'] = async <T>(sql: string, parameters?: readonly unknown[]) => {
    const { rows, affectedRows } = await runStatement(sql, parameters);
    return { rows: rows as T[], affectedRows, fields: [] };
  };
  return {
    query,
    /** Kysely runs no other statement during a transaction. */
    async transaction<T>(run: (transaction: PGliteTransaction) => Promise<T>) {
      const rollback = async () => void (await runStatement('rollback'));
      // If BEGIN fails, the first statement of the transaction fails with the same cause.
      const beginResult = runStatement('begin').catch(() => {});
      const result = await run({ query, rollback }).catch(async (error: unknown) => {
        await rollback();
        throw error;
      });
      await beginResult;
      // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and no error.
      const { command } = await runStatement('commit');
      if (command === 'ROLLBACK')
        throw new DatabaseError({ message: 'The transaction had failed and was rolled back.', code: FAILED_TRANSACTION });
      return result;
    },
    ready: true,
    waitReady: Promise.resolve(),
    get closed() {
      return isClosed;
    },
    async close() {
      if (isClosed) return;
      await send({ id: nextId++, kind: 'close' });
      isClosed = true;
      await worker.terminate();
    },
  };
}
