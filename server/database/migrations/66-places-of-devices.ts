import { type Kysely, sql } from 'kysely';

/** The device that saved a place, how often it was saved, and the places before it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table progress
    add column version integer not null default 1,
    add column device_id text,
    add column device_name text,
    add column earlier jsonb not null default '[]'`.execute(db);
}
