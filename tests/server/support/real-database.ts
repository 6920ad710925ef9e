import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../../server/database/open.ts';
import { createDatabase, TEMPLATE_DATABASE } from '../../../tools/shop/new-database.ts';
import { startPostgres } from '../../../tools/shop/postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of this run's PostgreSQL server; an empty text for the embedded database. */
    databaseServer: string;
    /** Path of a dump of a migrated embedded database; an empty text on a real server. */
    migratedDump: string;
  }
}

/**
 * Global setup of the Vitest project `server-postgres`: starts one PostgreSQL server for all its
 * files, with a migrated template database.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  const template = await openDatabase({ kind: 'server', url: await createDatabase(server.url, TEMPLATE_DATABASE) });
  // PostgreSQL copies a database only while it has no connections.
  await template.close();
  project.provide('databaseServer', server.url);
  project.provide('migratedDump', '');
  return server.stop;
}
