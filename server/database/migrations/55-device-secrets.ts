import { type Kysely, sql } from 'kysely';

/**
 * A device is recognised by a secret in a cookie that the store sets at sign-in; only its hash is
 * stored. Existing devices are recognised after their next sign-in.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table devices add column secret_hash text`.execute(db);
  await sql`create unique index devices_by_secret on devices (store_id, secret_hash) where secret_hash is not null`.execute(db);
}
