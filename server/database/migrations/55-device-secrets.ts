import { type Kysely, sql } from 'kysely';

/**
 * A device is known by a secret that the store gives its browser at a sign-in, in a cookie; only
 * the secret's hash is kept. Devices of before become known at their next sign-in.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table devices add column secret_hash text`.execute(db);
  await sql`create unique index devices_by_secret on devices (store_id, secret_hash) where secret_hash is not null`.execute(db);
}
