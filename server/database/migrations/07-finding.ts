import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index titles_by_type_and_price on titles (store_id, type, sort_price, id collate "C") where listed`.execute(
    db,
  );
}
