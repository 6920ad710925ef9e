import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PGliteAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type { EmbeddedClient } from './client.ts';

/** Hands the single connection to one caller at a time, so that a transaction never mixes with another's statements. */
class Turnstile {
  #tail: Promise<void> = Promise.resolve();
  #leave: () => void = () => {};

  async enter(): Promise<void> {
    const before = this.#tail;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#tail = promise;
    await before;
    this.#leave = resolve;
  }

  leave(): void {
    this.#leave();
  }
}

class EmbeddedConnection implements DatabaseConnection {
  readonly #client: EmbeddedClient;

  constructor(client: EmbeddedClient) {
    this.#client = client;
  }

  async executeQuery<R>(query: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<QueryResult<R>> {
    const answer = await this.#client.query(query.sql, query.parameters);
    return { rows: answer.rows as R[], numAffectedRows: BigInt(answer.affectedRows) };
  }

  async run(statement: string): Promise<string | undefined> {
    return (await this.#client.query(statement, [])).command;
  }

  // oxlint-disable-next-line require-yield -- the interface wants a generator; nothing here streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('The embedded database does not stream.');
  }
}

class EmbeddedDriver implements Driver {
  readonly #client: EmbeddedClient;
  readonly #connection: EmbeddedConnection;
  readonly #turnstile = new Turnstile();

  constructor(client: EmbeddedClient) {
    this.#client = client;
    this.#connection = new EmbeddedConnection(client);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<EmbeddedConnection> {
    await this.#turnstile.enter();
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#turnstile.leave();
  }

  async beginTransaction(_connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await this.#connection.run(settings.isolationLevel ? `begin isolation level ${settings.isolationLevel}` : 'begin');
  }

  async commitTransaction(): Promise<void> {
    // PostgreSQL answers COMMIT of a failed transaction with a quiet ROLLBACK.
    const command = await this.#connection.run('commit');
    if (command === 'ROLLBACK') throw new Error('The transaction had failed and was rolled back.');
  }

  async rollbackTransaction(): Promise<void> {
    await this.#connection.run('rollback');
  }

  async destroy(): Promise<void> {
    await this.#client.close();
  }
}

/** Kysely on the embedded database: PostgreSQL's SQL, one connection, each transaction alone on it. */
export function embeddedDialect(client: EmbeddedClient): Dialect {
  return {
    createDriver: () => new EmbeddedDriver(client),
    createAdapter: () => new PGliteAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}
