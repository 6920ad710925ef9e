import { type Kysely, sql } from 'kysely';

/**
 * For linking a provider to an account: only the session that started it can finish it. Null for a
 * sign-in.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table provider_sign_ins add column user_id text, add column token_hash text`.execute(db);
}
