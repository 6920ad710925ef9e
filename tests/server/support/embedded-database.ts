import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect } from 'kysely';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../../server/database/migrate.ts';
import type { Tables } from '../../../server/database/schema/tables.ts';

/**
 * Global setup of the Vitest project `server`: dumps a migrated database once, which every
 * in-memory shop starts from.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-dump-'));
  const dump = join(folder, 'migrated.tar');
  const pglite = await PGlite.create();
  const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) });
  await migrate(db);
  await writeFile(dump, (await pglite.dumpDataDir('none')).stream());
  await db.destroy();
  project.provide('databaseServer', '');
  project.provide('migratedDump', dump);
  return () => rm(folder, { recursive: true, force: true });
}
