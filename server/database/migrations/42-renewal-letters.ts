import { type Kysely, sql } from 'kysely';

const statements = [
  // A subscription has the id of its first payment; each renewal has its own e-mail.
  sql`alter table letters add column renewal integer not null default 0`,
  sql`drop index letters_by_transaction`,
  sql`create unique index letters_by_transaction on letters (store_id, transaction_id, kind, renewal)`,
];

/** E-mails about renewals of a subscription. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
