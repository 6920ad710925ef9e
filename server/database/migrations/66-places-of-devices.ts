import { type Kysely, sql } from 'kysely';

/** The device that saved a reading position, the number of saves, and the previous positions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table progress
    add column version integer not null default 1,
    add column device_id text,
    add column device_name text,
    add column earlier jsonb not null default '[]'`.execute(db);
}
