import { join } from 'node:path';
import { Kysely, PGliteDialect } from 'kysely';
import pg from 'pg';
import { CancellableDialect } from './caller-gone.ts';
import { startEmbedded } from './embedded/client.ts';
import { lockFolder } from '../base/folder-lock.ts';
import { migrate } from './migrate.ts';
import { advisoryLocks, type IfFree, type OneAtATime } from './one-at-a-time.ts';
import type { Tables } from './schema/tables.ts';

export type Database = Kysely<Tables>;

type InFolder = { kind: 'folder'; folder: string };
/** `from` is a dump of PGlite's to start from, which is several times as fast as creating a database. */
type InMemory = { kind: 'memory'; from?: string };
export type DatabaseAddress = InFolder | InMemory | { kind: 'server'; url: string };

export type OpenDatabase = { db: Database; oneAtATime: OneAtATime; ifFree: IfFree; close(): Promise<void> };

const INT8 = 20;

/** Milliseconds within which a connection to the server must be had: calls that wait longer are of use to nobody. */
const CONNECTION_TIMEOUT = 5000;
/**
 * Milliseconds after which the server cancels a statement: no caller waits longer for an answer.
 */
const STATEMENT_TIMEOUT = 30_000;
/** Milliseconds; an operator waits longer, as for the check of a whole ledger. */
export const OPERATOR_STATEMENT_TIMEOUT = 600_000;
/** Milliseconds; a migration of a large shop takes longest. */
const MIGRATION_TIMEOUT = 3_600_000;
/**
 * Milliseconds after which a server that no longer answers is given up, beyond the statement's own
 * time.
 */
const ANSWER_TIMEOUT = 5000;

/**
 * Opens the database that the address names and brings its schema up to date.
 * @param statementTimeout milliseconds after which a database server cancels a statement
 * @throws FolderInUse when another process has the folder; whatever the server says when it cannot be reached
 */
export async function openDatabase(address: DatabaseAddress, statementTimeout = STATEMENT_TIMEOUT): Promise<OpenDatabase> {
  if (address.kind === 'server') {
    await migrated(openServer(address.url, MIGRATION_TIMEOUT)).then((opened) => opened.close());
    return openServer(address.url, statementTimeout);
  }
  return migrated(await openEmbedded(address));
}

async function migrated(opened: OpenDatabase): Promise<OpenDatabase> {
  try {
    await migrate(opened.db);
  } catch (error) {
    await opened.close();
    throw error;
  }
  return opened;
}

/** @param statementTimeout milliseconds */
function openServer(url: string, statementTimeout: number): OpenDatabase {
  const types: pg.CustomTypesConfig = {
    // Sums and counts are int8; every amount here is far below 2^53.
    getTypeParser: (oid, format): unknown => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)),
  };
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: 16,
    connectionTimeoutMillis: CONNECTION_TIMEOUT,
    query_timeout: statementTimeout + ANSWER_TIMEOUT,
    // A connection that died unnoticed is found out.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // A connection that breaks is replaced by the pool, and the query that waits for it fails.
  // Without listeners for idle connections and for those in use it would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<Tables>({ dialect: new CancellableDialect(pool, statementTimeout) });
  const locks = advisoryLocks(url, CONNECTION_TIMEOUT);
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
      // No other process has this database.
      oneAtATime: (_, run) => run(),
      ifFree: (_, run) => run(),
      async close() {
        await db.destroy();
        // Kysely closes only a driver that was used.
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

/** Whether a statement failed because a row like it exists already, by the named unique constraint or index. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return (
    error instanceof Error && Reflect.get(error, 'code') === UNIQUE_VIOLATION && Reflect.get(error, 'constraint') === constraint
  );
}

/** Runs inside the caller's transaction when there is one, else in a new one. */
export const inTransaction = <T>(db: Database, run: (trx: Database) => Promise<T>): Promise<T> =>
  db.isTransaction ? run(db) : db.transaction().execute(run);
