import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import type { DatabaseAddress } from '../../../server/database/open.ts';
import { createDatabase, TEMPLATE_DATABASE } from '../../../tools/shop/new-database.ts';

const newName = () => `test_${randomUUID().replaceAll('-', '')}`;

/** Creates a migrated database without rows, on the kind of server that this run tests. */
export async function newTestDatabase(): Promise<DatabaseAddress> {
  const server = inject('databaseServer');
  if (server === '') return { kind: 'memory', from: inject('migratedDump') };
  return { kind: 'server', url: await createDatabase(server, newName(), TEMPLATE_DATABASE) };
}

/** Creates a database before all migrations, on the kind of server that this run tests. */
export async function newEmptyDatabase(): Promise<DatabaseAddress> {
  const server = inject('databaseServer');
  return server === '' ? { kind: 'memory' } : { kind: 'server', url: await createDatabase(server, newName()) };
}
