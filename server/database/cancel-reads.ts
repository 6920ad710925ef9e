import { AsyncLocalStorage } from 'node:async_hooks';
import { CompiledQuery, type DatabaseConnection, PostgresDialect, PostgresDriver } from 'kysely';
import pg from 'pg';

/** Aborted when the caller of this context no longer waits for the answer. */
const callerSignal = new AsyncLocalStorage<AbortSignal>();

/** A read was cancelled because its caller has closed the connection. */
export class CallerGone extends Error {
  constructor() {
    super('The caller has closed the connection before the answer was ready.');
    this.name = 'CallerGone';
  }
}

/**
 * Runs a read-only call. Once the signal is aborted, its reads fail with CallerGone and the
 * database server cancels the running one. A write throws: it could be left half done.
 */
export const cancelReads = <Value>(signal: AbortSignal, run: () => Promise<Value>): Promise<Value> =>
  callerSignal.run(signal, run);

/** Runs a read that callers share: the read continues when the first of them disconnects. */
export const readForAll = <Value>(run: () => Promise<Value>): Promise<Value> => callerSignal.exit(run);

const READ_STATEMENT = /^\s*(?:select|with)\b/i;

/** Makes the reads of a connection cancellable when their caller disconnects. */
function makeCancellable(connection: DatabaseConnection): void {
  const execute: DatabaseConnection['executeQuery'] = connection.executeQuery.bind(connection);
  connection.executeQuery = async <Row>(query: CompiledQuery) => {
    const signal = callerSignal.getStore();
    if (signal === undefined) return execute<Row>(query);
    if (!READ_STATEMENT.test(query.sql))
      throw new Error(`A read-only call makes a change; openapi.yaml lacks x-changes or x-records for it: ${query.sql}`);
    if (signal.aborted) throw new CallerGone();
    await connection.collectSessionInfo?.();
    let cancellation: Promise<void> | undefined;
    const cancel = () => {
      // A cancellation that comes too late, or cannot reach the server, changes nothing.
      cancellation = connection.cancelQuery?.(async () => {}).catch(() => {});
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await execute<Row>(query);
    } catch (error) {
      throw signal.aborted ? new CallerGone() : error;
    } finally {
      signal.removeEventListener('abort', cancel);
      // A pending cancellation could cancel the next query of this connection.
      await cancellation;
    }
  };
}

class CancellableDriver extends PostgresDriver {
  readonly #cancellable = new WeakSet<DatabaseConnection>();

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    if (!this.#cancellable.has(connection)) makeCancellable(connection);
    this.#cancellable.add(connection);
    return connection;
  }
}

/**
 * The connection that cancels a query; without an error listener, losing it would end the process.
 */
class ControlClient extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super(config);
    this.on('error', () => {});
  }
}

/** PostgreSQL dialect whose reads are cancelled when their caller disconnects. */
export class CancellableDialect extends PostgresDialect {
  readonly #pool: pg.Pool;
  readonly #statementTimeout: number;

  /** @param statementTimeout milliseconds after which the server cancels a statement */
  constructor(pool: pg.Pool, statementTimeout: number) {
    super({ pool });
    this.#pool = pool;
    this.#statementTimeout = statementTimeout;
  }

  override createDriver(): CancellableDriver {
    return new CancellableDriver({
      pool: this.#pool,
      controlClient: ControlClient,
      // The timeout is set by a statement: poolers such as PgBouncer refuse it as a parameter.
      onCreateConnection: async (connection) => {
        await connection.executeQuery(CompiledQuery.raw(`set statement_timeout = ${this.#statementTimeout}`));
      },
    });
  }
}
