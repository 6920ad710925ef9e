import { type Kysely, sql } from 'kysely';

/**
 * A link for a new password is good for the address that it was sent to; an e-mail may say that the
 * customer did not change the account. Links of before do not say their address, which may have
 * changed since: they are ended. A link lasts an hour, and its customer asks for another one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from tokens where kind = 'reset'`.execute(db);
  await sql`alter table tokens add column email_key text`.execute(db);
  await sql`alter table tokens add constraint tokens_reset_for_an_address check (kind <> 'reset' or email_key is not null)`.execute(
    db,
  );
  await sql`alter table letters add column not_me boolean not null default false`.execute(db);
}
