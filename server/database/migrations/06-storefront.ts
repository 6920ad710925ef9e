import { type Kysely, sql } from 'kysely';
import { toSlug } from '../../../machines/model/paths.ts';

/**
 * Every change to what a store lists raises its version in the same transaction, which invalidates
 * cached answers.
 */
const createVersionTrigger = (event: 'insert' | 'update' | 'delete', rows: 'new' | 'old') => (table: string) =>
  sql`create trigger ${sql.ref(`${table}_${event}_raises_version`)} after ${sql.raw(event)} on ${sql.table(table)}
    referencing ${sql.raw(rows)} table as changed for each statement execute function raise_catalogue_version()`;

const catalogueTables = ['titles', 'prices', 'categories', 'title_categories'];

const statements = [
  sql`alter table stores add column catalogue_version integer not null default 0`,
  // Design tokens of the store by name; the secret that signs comments' single sign-on, which is
  // never sent to clients.
  sql`alter table stores add column theme jsonb not null default '{}'`,
  sql`alter table stores add column coral_secret text`,
  sql`alter table titles add column slug text collate "C" not null default ''`,
  sql`create index titles_by_slug on titles (store_id, slug) where listed`,
  // A separate index: free titles are too rare among the newest ones to be found by scanning.
  sql`create index titles_for_nothing on titles (store_id, added_at, id collate "C") where listed and for_sale and sort_price = 0`,
  sql`create function raise_catalogue_version() returns trigger language plpgsql as $$
    begin
      update stores set catalogue_version = catalogue_version + 1 where id in (select distinct store_id from changed);
      return null;
    end $$`,
  ...catalogueTables.map(createVersionTrigger('insert', 'new')),
  ...catalogueTables.map(createVersionTrigger('update', 'new')),
  ...catalogueTables.map(createVersionTrigger('delete', 'old')),
];

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
  const { rows } = await sql<{ store_id: string; id: string; name: string }>`select store_id, id, name from titles`.execute(db);
  for (const { store_id, id, name } of rows)
    await sql`update titles set slug = ${toSlug(name).toLowerCase()} where store_id = ${store_id} and id = ${id}`.execute(db);
}
