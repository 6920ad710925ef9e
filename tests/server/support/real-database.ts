import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The real PostgreSQL of this run, or the empty text for the embedded one. */
    databaseServer: string;
  }
}

/** Vitest's global set-up of the project `server-postgres`: one real server for all its files. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide('databaseServer', server.url);
  return server.stop;
}
