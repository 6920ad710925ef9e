import { type Kysely, sql } from 'kysely';

const statements = [
  // Once true, the gateway holds nothing for the payment any more and need not be asked again.
  sql`alter table transactions add column finished boolean not null default false`,
  // When the sweep looked at it last, so that it looks at each in turn.
  sql`alter table transactions add column swept_at timestamptz`,
  sql`update transactions set finished = true where status = 'paid'`,
  sql`drop index transactions_open`,
  sql`create index transactions_unfinished on transactions (swept_at nulls first) where not finished`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
