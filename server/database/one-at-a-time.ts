import { setTimeout as pass } from 'node:timers/promises';
import pg from 'pg';

/** Runs what has the same name one after the other, whichever of the processes on this database asks for it. */
export type OneAtATime = <Value>(name: string, run: () => Promise<Value>) => Promise<Value>;

/** Milliseconds between two looks at a lock that another process has, and until one that it keeps is given up. */
const INTERVAL = 50;
const LONGEST_WAIT = 30_000;
/** Milliseconds; no query here waits for anybody. */
const QUERY_TIMEOUT = 5000;

/**
 * PostgreSQL's advisory locks, all held by one connection of this process, which takes none from the pool however long its
 * work lasts. A process that dies loses its connection, and with it its locks. Within a process a lock can be taken twice.
 */
export function advisoryLocks(connectionString: string, connectionTimeoutMillis: number) {
  let connection: Promise<pg.Client> | undefined;

  const connected = (): Promise<pg.Client> => {
    if (connection) return connection;
    const client = new pg.Client({ connectionString, connectionTimeoutMillis, query_timeout: QUERY_TIMEOUT, keepAlive: true });
    const opening = client.connect().then(() => client);
    const forget = () => {
      if (connection === opening) connection = undefined;
    };
    // Without a listener a connection that breaks would end the process.
    client.on('error', forget);
    client.on('end', forget);
    opening.catch(forget);
    connection = opening;
    return opening;
  };

  /** @returns the connection that has the lock now; undefined while another process has it */
  const take = async (name: string): Promise<pg.Client | undefined> => {
    const client = await connected();
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock(hashtextextended($1, 0)) as taken', [
      name,
    ]);
    return rows[0]?.taken ? client : undefined;
  };

  const oneAtATime: OneAtATime = async (name, run) => {
    const start = performance.now();
    let holder = await take(name);
    while (!holder) {
      if (performance.now() - start > LONGEST_WAIT) throw new Error('Another process has been at the same work for too long.');
      await pass(INTERVAL);
      holder = await take(name);
    }
    try {
      return await run();
    } finally {
      const give = holder.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name]);
      // A lock that cannot be given back ends with its connection; one that is broken has given all up already.
      await give.catch(() => holder.end()).catch(() => {});
    }
  };

  return {
    oneAtATime,
    async close(): Promise<void> {
      await (await connection?.catch(() => undefined))?.end();
    },
  };
}
