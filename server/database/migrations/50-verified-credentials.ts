import { type Kysely, sql } from 'kysely';

/**
 * A password reset link is valid only for the address that it was sent to; an e-mail may allow its
 * reader to report an account change that was not theirs. Earlier links do not record their
 * address, which may have changed since, so they are deleted: a link lasts an hour, and its
 * customer can request another.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from tokens where kind = 'reset'`.execute(db);
  await sql`alter table tokens add column email_key text`.execute(db);
  await sql`alter table tokens add constraint tokens_reset_for_an_address check (kind <> 'reset' or email_key is not null)`.execute(
    db,
  );
  await sql`alter table letters add column not_me boolean not null default false`.execute(db);
}
