import { AsyncLocalStorage } from 'node:async_hooks';
import { CompiledQuery, type DatabaseConnection, PostgresDialect, PostgresDriver } from 'kysely';
import pg from 'pg';

/** Aborted when the caller whose reads run in this context no longer waits for the answer. */
const callerSignal = new AsyncLocalStorage<AbortSignal>();

/** A read was given up because its caller has closed the connection. */
export class CallerGone extends Error {
  constructor() {
    super('The caller has closed the connection before the answer was ready.');
    this.name = 'CallerGone';
  }
}

/**
 * Runs a call that only reads. Once the signal is aborted, its reads end with CallerGone and a
 * database server cancels the one that is running. A change throws: half of one could be left.
 */
export const cancelReads = <Value>(signal: AbortSignal, run: () => Promise<Value>): Promise<Value> =>
  callerSignal.run(signal, run);

/** Runs a read that other callers share: it continues when the first of them leaves. */
export const readForAll = <Value>(run: () => Promise<Value>): Promise<Value> => callerSignal.exit(run);

const READ = /^\s*(?:select|with)\b/i;

/** Lets the reads of a connection end when their caller leaves. */
function makeCancellable(connection: DatabaseConnection): void {
  const execute: DatabaseConnection['executeQuery'] = connection.executeQuery.bind(connection);
  connection.executeQuery = async <Row>(query: CompiledQuery) => {
    const signal = callerSignal.getStore();
    if (signal === undefined) return execute<Row>(query);
    if (!READ.test(query.sql))
      throw new Error(`A call that only reads makes a change; openapi.yaml lacks x-changes or x-records for it: ${query.sql}`);
    if (signal.aborted) throw new CallerGone();
    await connection.collectSessionInfo?.();
    let cancelling: Promise<void> | undefined;
    const cancel = () => {
      // A cancellation that comes too late, or finds no way to the server, changes nothing.
      cancelling = connection.cancelQuery?.(async () => {}).catch(() => {});
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await execute<Row>(query);
    } catch (error) {
      throw signal.aborted ? new CallerGone() : error;
    } finally {
      signal.removeEventListener('abort', cancel);
      // Else it could meet the next query of this connection.
      await cancelling;
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
 * The connection by which a query is cancelled; without a listener, losing it would end the
 * process.
 */
class ControlClient extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super(config);
    this.on('error', () => {});
  }
}

/** PostgreSQL, with reads that end when their caller leaves. */
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
      // A statement: poolers such as PgBouncer refuse it as a parameter of the connection.
      onCreateConnection: async (connection) => {
        await connection.executeQuery(CompiledQuery.raw(`set statement_timeout = ${this.#statementTimeout}`));
      },
    });
  }
}
