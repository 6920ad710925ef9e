/**
 * Messages between the main thread and the database thread. Rows are passed by structured clone.
 */
export type WorkerRequest =
  | { id: number; kind: 'query'; sql: string; parameters: readonly unknown[] }
  | { id: number; kind: 'close' };

export type QueryAnswer = { rows: unknown[]; affectedRows: number; command: string | undefined };

/** The fields of a PostgreSQL error that callers compare; `code` is the SQLSTATE. */
export type WorkerError = {
  message: string;
  code?: string | undefined;
  constraint?: string | undefined;
  detail?: string | undefined;
};

export type WorkerAnswer =
  | { id: number; kind: 'answer'; answer: QueryAnswer }
  | { id: number; kind: 'error'; error: WorkerError }
  | { kind: 'ready' }
  | { kind: 'failed'; error: WorkerError };

/** The data folder; in memory without one. `from` is a PGlite dump to start from. */
export type WorkerInput = { folder: string | undefined; from?: string | undefined };
