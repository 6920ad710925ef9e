import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { openDatabase } from '../../server/database/open.ts';
import { testDatabase } from './support/test-database.ts';

test('this run uses the kind of database server that it claims to', async () => {
  const opened = await openDatabase(await testDatabase());
  const { rows } = await sql<{ version: string; name: string }>`select version(), current_database() as name`.execute(opened.db);
  await opened.close();
  const real = inject('databaseServer') !== '';
  expect(rows[0]?.name).toMatch(real ? /^test_/ : /^(postgres|template1)$/);
  expect(rows[0]?.version).toMatch(real ? /^PostgreSQL 1\d.*linux-gnu/ : /^PostgreSQL 1\d.*(emscripten|wasm)/i);
});
