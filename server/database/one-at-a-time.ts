import { setTimeout as pass } from 'node:timers/promises';
import pg from 'pg';

/** Runs what has the same name one after the other, whichever of the processes on this database asks for it. */
export type OneAtATime = <Value>(name: string, run: () => Promise<Value>) => Promise<Value>;

/**
 * Runs something unless another process on this database is at what has the same name; undefined
 * when it is.
 */
export type IfFree = <Value>(name: string, run: () => Promise<Value>) => Promise<Value | undefined>;

const TAKE = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken';
const GIVE_BACK = 'select pg_advisory_unlock(hashtextextended($1, 0))';

/** Milliseconds between two looks at a lock that another process has, and until one that it keeps is given up. */
const INTERVAL = 50;
const LONGEST_WAIT = 30_000;
/** Milliseconds; no query here waits for anybody. */
const QUERY_TIMEOUT = 5000;
/** Milliseconds of silence after which the other end of the connection is asked whether it is still there. */
const KEEP_ALIVE_DELAY = 10_000;

/** `last` ends with the last query: a client takes one at a time. */
type Connection = { client: pg.Client; opening: Promise<pg.Client>; last: Promise<unknown> };

/**
 * PostgreSQL's advisory locks, all held by one connection of this process, which takes none from the pool however long its
 * work lasts. A process that dies loses its connection, and with it its locks. Within a process a lock can be taken twice.
 */
export function advisoryLocks(connectionString: string, connectionTimeoutMillis: number, queryTimeout = QUERY_TIMEOUT) {
  let connection: Connection | undefined;

  const forget = (client: pg.Client): void => {
    if (connection?.client === client) connection = undefined;
  };

  /**
   * A query that takes too long is given up here alone: the server may still answer it, with a lock that nobody would give
   * back, or never, on a connection that is dead. So the connection goes, and with it what the server holds for it.
   */
  const abandon = (client: pg.Client): void => {
    forget(client);
    // Whatever is still being waited for ends at once.
    client.end().catch(() => {});
  };

  const connected = (): Promise<pg.Client> => {
    if (connection) return connection.opening;
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis,
      query_timeout: queryTimeout,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY,
    });
    const opening = client.connect().then(() => client);
    // Without a listener a connection that breaks would end the process.
    client.on('error', () => forget(client));
    client.on('end', () => forget(client));
    opening.catch(() => forget(client));
    connection = { client, opening, last: opening };
    return opening;
  };

  const query = <Row extends object>(client: pg.Client, text: string, name: string): Promise<pg.QueryResult<Row>> => {
    const ask = () => client.query<Row>(text, [name]);
    if (connection?.client !== client) return ask();
    const answer = connection.last.then(ask);
    connection.last = answer.catch(() => {});
    return answer;
  };

  /** @returns the connection that has the lock now; undefined while another process has it */
  const take = async (name: string): Promise<pg.Client | undefined> => {
    const client = await connected();
    try {
      const { rows } = await query<{ taken: boolean }>(client, TAKE, name);
      return rows[0]?.taken ? client : undefined;
    } catch (error) {
      abandon(client);
      throw error;
    }
  };

  /** Runs something that the holder has the lock for, and gives the lock back. */
  const runHolding = async <Value>(holder: pg.Client, name: string, run: () => Promise<Value>): Promise<Value> => {
    try {
      return await run();
    } finally {
      try {
        await query(holder, GIVE_BACK, name);
      } catch {
        // A lock that cannot be given back ends with its connection; one that is broken has given all up already.
        abandon(holder);
      }
    }
  };

  const oneAtATime: OneAtATime = async (name, run) => {
    const start = performance.now();
    let holder = await take(name);
    while (!holder) {
      if (performance.now() - start > LONGEST_WAIT) throw new Error('Another process has been at the same work for too long.');
      await pass(INTERVAL);
      holder = await take(name);
    }
    return runHolding(holder, name, run);
  };

  const ifFree: IfFree = async (name, run) => {
    const holder = await take(name);
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
