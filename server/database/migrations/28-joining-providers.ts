import { type Kysely, sql } from 'kysely';

/** Who joins a provider to their account: the session that asked, and no other, can finish it. Null where somebody signs in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table provider_sign_ins add column user_id text, add column token_hash text`.execute(db);
}
