import { join } from 'node:path';
import { Kysely, PGliteDialect } from 'kysely';
import pg from 'pg';
import { CancellableDialect } from './cancel-reads.ts';
import { startEmbedded } from './embedded/client.ts';
import { lockFolder } from '../base/folder-lock.ts';
import { migrate } from './migrate.ts';
import { createAdvisoryLocks, type IfFree, type OneAtATime } from './advisory-locks.ts';
import type { Tables } from './schema/tables.ts';

export type Database = Kysely<Tables>;

type InFolder = { kind: 'folder'; folder: string };
/** `from` is a PGlite dump to start from, which is several times as fast as creating a database. */
type InMemory = { kind: 'memory'; from?: string };
export type DatabaseAddress = InFolder | InMemory | { kind: 'server'; url: string };

export type OpenDatabase = { db: Database; oneAtATime: OneAtATime; ifFree: IfFree; close(): Promise<void> };

const INT8 = 20;

/**
 * Milliseconds to get a connection to the server: a call that waits longer is of no use to its
 * caller.
 */
const CONNECTION_TIMEOUT_MS = 5000;
/**
 * Milliseconds after which the server cancels a statement: no caller waits longer for an answer.
 */
const STATEMENT_TIMEOUT_MS = 30_000;
/** Milliseconds; operators wait longer, for example to check a whole ledger. */
export const OPERATOR_STATEMENT_TIMEOUT_MS = 600_000;
/** Milliseconds; migrating a large shop takes the longest. */
const MIGRATION_TIMEOUT_MS = 3_600_000;
/** Milliseconds beyond the statement timeout after which an unresponsive server is given up. */
const ANSWER_TIMEOUT_MS = 5000;

/**
 * Opens the database at the address and migrates its schema.
 * @param statementTimeout milliseconds after which a database server cancels a statement
 * @throws FolderInUse when another process has the folder; connection errors of the server
 */
export async function openDatabase(address: DatabaseAddress, statementTimeout = STATEMENT_TIMEOUT_MS): Promise<OpenDatabase> {
  if (address.kind === 'server') {
    await migrateOrClose(openServer(address.url, MIGRATION_TIMEOUT_MS)).then((database) => database.close());
    return openServer(address.url, statementTimeout);
  }
  return migrateOrClose(await openEmbedded(address));
}

async function migrateOrClose(database: OpenDatabase): Promise<OpenDatabase> {
  try {
    await migrate(database.db);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** @param statementTimeout milliseconds */
function openServer(url: string, statementTimeout: number): OpenDatabase {
  const types: pg.CustomTypesConfig = {
    // Sums and counts are int8; all amounts are far below 2^53.
    getTypeParser: (oid, format): unknown => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)),
  };
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: 16,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    query_timeout: statementTimeout + ANSWER_TIMEOUT_MS,
    // Keep-alive probes detect connections that died unnoticed.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // The pool replaces a broken connection, and the query that waits for it fails. Without
  // listeners, for idle connections and those in use, it would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<Tables>({ dialect: new CancellableDialect(pool, statementTimeout) });
  const locks = createAdvisoryLocks(url, CONNECTION_TIMEOUT_MS);
  return {
    db,
    oneAtATime: locks.oneAtATime,
    ifFree: locks.ifFree,
    async close() {
      await locks.close();
      await db.destroy();
    },
  };
}

async function openEmbedded(address: InFolder | InMemory): Promise<OpenDatabase> {
  const folder = address.kind === 'folder' ? address.folder : undefined;
  const unlock = folder === undefined ? () => {} : lockFolder(folder);
  try {
    const pglite = await startEmbedded(
      address.kind === 'folder' ? { folder: join(address.folder, 'postgres') } : { folder: undefined, from: address.from },
    );
    const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) });
    return {
      db,
      // No other process uses this database.
      oneAtATime: (_, run) => run(),
      ifFree: (_, run) => run(),
      async close() {
        await db.destroy();
        // Kysely closes a driver only if it was used.
        await pglite.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

const UNIQUE_VIOLATION = '23505';

/** Whether a statement violated the named unique constraint or index. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return (
    error instanceof Error && Reflect.get(error, 'code') === UNIQUE_VIOLATION && Reflect.get(error, 'constraint') === constraint
  );
}

/** Runs inside the caller's transaction if there is one, else in a new one. */
export const inTransaction = <T>(db: Database, run: (trx: Database) => Promise<T>): Promise<T> =>
  db.isTransaction ? run(db) : db.transaction().execute(run);
