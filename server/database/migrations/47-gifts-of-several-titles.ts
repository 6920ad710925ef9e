import { type Kysely, sql } from 'kysely';

const statements = [
  // A gift of a whole cart: its titles are the lines of the payment.
  sql`alter table gifts alter column title_id drop not null`,
  // The code of such a gift grants all of its titles.
  sql`alter table codes drop constraint codes_kind_check`,
  sql`alter table codes add constraint codes_kind_check
    check (kind in ('title', 'titles', 'bundle', 'subscription', 'credits', 'discount', 'campaign'))`,
];

/** Gifts of several titles. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
