import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../../server/database/open.ts';
import { newDatabase, TEMPLATE } from '../../../tools/shop/new-database.ts';
import { startPostgres } from '../../../tools/shop/postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The real PostgreSQL of this run, or the empty text for the embedded one. */
    databaseServer: string;
    /** A dump of a migrated embedded database; the empty text on a real server. */
    migratedDump: string;
  }
}

/** Vitest's global set-up of the project `server-postgres`: one real server for all its files, with a migrated database to copy. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  const template = await openDatabase({ kind: 'server', url: await newDatabase(server.url, TEMPLATE) });
  // Nobody may be connected to a database that is copied.
  await template.close();
  project.provide('databaseServer', server.url);
  project.provide('migratedDump', '');
  return server.stop;
}
