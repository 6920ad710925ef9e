/** What the main thread asks of the database thread, and what it hears back. Rows travel by structured clone. */
export type WorkerRequest =
  | { id: number; kind: 'query'; sql: string; parameters: readonly unknown[] }
  | { id: number; kind: 'close' };

export type QueryAnswer = { rows: unknown[]; affectedRows: number; command: string | undefined };

/** The fields of a PostgreSQL error that callers match on; `code` is the SQLSTATE. */
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

/** Where the data lies; without a folder, in memory. `from` is a file that PGlite dumped, to begin with what it holds. */
export type WorkerInput = { folder: string | undefined; from?: string | undefined };
