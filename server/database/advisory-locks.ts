import { setTimeout as pass } from 'node:timers/promises';
import pg from 'pg';

/** Runs functions with the same name one after the other, across all processes on this database. */
export type OneAtATime = <Value>(name: string, run: () => Promise<Value>) => Promise<Value>;

/**
 * Runs a function, or returns undefined while another process on this database runs one with the
 * same name.
 */
export type IfFree = <Value>(name: string, run: () => Promise<Value>) => Promise<Value | undefined>;

const ACQUIRE_LOCK = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken';
const RELEASE_LOCK = 'select pg_advisory_unlock(hashtextextended($1, 0))';

/** Milliseconds between two attempts to take a lock. */
const POLL_INTERVAL_MS = 50;
/** Milliseconds after which a caller gives up waiting for a lock. */
const MAX_WAIT_MS = 30_000;
/** Milliseconds; queries here never wait for a lock. */
const QUERY_TIMEOUT_MS = 5000;
/** Milliseconds without traffic before TCP keep-alive probes the connection. */
const KEEP_ALIVE_DELAY_MS = 10_000;

/** `lastQuery` settles with the last query: a client runs one query at a time. */
type Connection = { client: pg.Client; opening: Promise<pg.Client>; lastQuery: Promise<unknown> };

/**
 * PostgreSQL advisory locks, all held by one connection of this process, so that they take none
 * from the pool however long the work lasts. A process that dies loses its connection and thereby
 * its locks. Within a process a lock can be taken twice.
 */
export function createAdvisoryLocks(connectionString: string, connectionTimeoutMillis: number, queryTimeout = QUERY_TIMEOUT_MS) {
  let connection: Connection | undefined;

  const forget = (client: pg.Client): void => {
    if (connection?.client === client) connection = undefined;
  };

  /**
   * A query timeout only ends the wait here: the server may still grant the lock, which no code
   * would release, or the connection may be dead. So the connection is closed, which releases all
   * its locks.
   */
  const abandon = (client: pg.Client): void => {
    forget(client);
    // Ending the client makes its pending queries fail at once.
    client.end().catch(() => {});
  };

  const connect = (): Promise<pg.Client> => {
    if (connection) return connection.opening;
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis,
      query_timeout: queryTimeout,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    });
    const opening = client.connect().then(() => client);
    // Without a listener, a broken connection would end the process.
    client.on('error', () => forget(client));
    client.on('end', () => forget(client));
    opening.catch(() => forget(client));
    connection = { client, opening, lastQuery: opening };
    return opening;
  };

  const query = <Row extends object>(client: pg.Client, text: string, name: string): Promise<pg.QueryResult<Row>> => {
    const runQuery = () => client.query<Row>(text, [name]);
    if (connection?.client !== client) return runQuery();
    const result = connection.lastQuery.then(runQuery);
    connection.lastQuery = result.catch(() => {});
    return result;
  };

  /** @returns the connection that holds the lock; undefined while another process has it */
  const tryLock = async (name: string): Promise<pg.Client | undefined> => {
    const client = await connect();
    try {
      const { rows } = await query<{ taken: boolean }>(client, ACQUIRE_LOCK, name);
      return rows[0]?.taken ? client : undefined;
    } catch (error) {
      abandon(client);
      throw error;
    }
  };

  /** Runs a function while the holder has the lock, then releases the lock. */
  const runHolding = async <Value>(holder: pg.Client, name: string, run: () => Promise<Value>): Promise<Value> => {
    try {
      return await run();
    } finally {
      try {
        await query(holder, RELEASE_LOCK, name);
      } catch {
        // A lock that cannot be released ends with its connection; a broken connection has already
        // released it.
        abandon(holder);
      }
    }
  };

  const oneAtATime: OneAtATime = async (name, run) => {
    const start = performance.now();
    let holder = await tryLock(name);
    while (!holder) {
      if (performance.now() - start > MAX_WAIT_MS)
        throw new Error(`Advisory lock timeout: another process has held "${name}" for over ${MAX_WAIT_MS / 1000} s.`);
      await pass(POLL_INTERVAL_MS);
      holder = await tryLock(name);
    }
    return runHolding(holder, name, run);
  };

  const ifFree: IfFree = async (name, run) => {
    const holder = await tryLock(name);
    return holder && runHolding(holder, name, run);
  };

  return {
    oneAtATime,
    ifFree,
    async close(): Promise<void> {
      await (await connection?.opening.catch(() => undefined))?.end();
    },
  };
}
