import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import type { DatabaseAddress } from '../../../server/database/open.ts';
import { newDatabase, TEMPLATE } from '../../../tools/shop/new-database.ts';

const newName = () => `test_${randomUUID().replaceAll('-', '')}`;

/** A migrated database of its own without a row, on the kind of server that this run is about. */
export async function testDatabase(): Promise<DatabaseAddress> {
  const server = inject('databaseServer');
  if (server === '') return { kind: 'memory', from: inject('migratedDump') };
  return { kind: 'server', url: await newDatabase(server, newName(), TEMPLATE) };
}

/** A database of its own that no migration has seen, on the kind of server that this run is about. */
export async function emptyDatabase(): Promise<DatabaseAddress> {
  const server = inject('databaseServer');
  return server === '' ? { kind: 'memory' } : { kind: 'server', url: await newDatabase(server, newName()) };
}
