import { type Kysely, sql } from 'kysely';

const statements = [
  // True once the gateway holds nothing for the payment any more: it is never asked again.
  sql`alter table transactions add column finished boolean not null default false`,
  // The last visit of the sweep, so that it visits each in turn.
  sql`alter table transactions add column swept_at timestamptz`,
  sql`update transactions set finished = true where status = 'paid'`,
  sql`drop index transactions_open`,
  sql`create index transactions_unfinished on transactions (swept_at nulls first) where not finished`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
