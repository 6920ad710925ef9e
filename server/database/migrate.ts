import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Kysely } from 'kysely';
import { FileMigrationProvider, Migrator } from 'kysely/migration';
import type { Tables } from './schema/tables.ts';

/** Each file in the folder is a migration; their names give the order. */
const provider = new FileMigrationProvider({
  fs: { readdir },
  path,
  migrationFolder: path.join(import.meta.dirname, 'migrations'),
  import: (file) => import(pathToFileURL(file).href),
  onFileIgnored: (file) => {
    throw new Error(`The file ${file} is not a migration: expected a TypeScript file that exports up().`);
  },
});

/** Runs the migrations that this database lacks. Safe to call from several processes at once. */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error instanceof Error ? error : new Error(`The migration failed: ${JSON.stringify(error)}`, { cause: error });
}
