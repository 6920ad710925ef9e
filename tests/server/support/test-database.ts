import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { DatabaseAddress } from '../../../server/database/open.ts';

async function freshIn(server: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** An empty database of its own, on the kind of server that this run is about. */
export async function testDatabase(): Promise<DatabaseAddress> {
  const server = inject('databaseServer');
  return server === '' ? { kind: 'memory' } : { kind: 'server', url: await freshIn(server) };
}
