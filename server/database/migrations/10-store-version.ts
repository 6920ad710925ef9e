import { type Kysely, sql } from 'kysely';

/** Every change to what a store shows all visitors raises its version in the same transaction. */
const createVersionTrigger = (event: 'insert' | 'update' | 'delete', rows: 'new' | 'old') => (table: string) =>
  sql`create trigger ${sql.ref(`${table}_${event}_raises_version`)} after ${sql.raw(event)} on ${sql.table(table)}
    referencing ${sql.raw(rows)} table as changed for each statement execute function raise_store_version()`;

const visibleTables = ['properties', 'pages', 'campaigns', 'campaign_titles'];

const statements = [
  sql`alter table stores rename column catalogue_version to version`,
  sql`alter function raise_catalogue_version() rename to raise_store_version`,
  sql`create or replace function raise_store_version() returns trigger language plpgsql as $$
    begin
      update stores set version = version + 1 where id in (select distinct store_id from changed);
      return null;
    end $$`,
  ...visibleTables.map(createVersionTrigger('insert', 'new')),
  ...visibleTables.map(createVersionTrigger('update', 'new')),
  ...visibleTables.map(createVersionTrigger('delete', 'old')),
  // In the form that browsers send.
  sql`update stores set host = lower(split_part(host, ':', 1)) where host is not null`,
  // Changes to the store's own row, such as its theme or host.
  sql`create function raise_own_version() returns trigger language plpgsql as $$
    begin
      new.version = old.version + 1;
      return new;
    end $$`,
  sql`create trigger stores_update_raises_version before update on stores
    for each row when (new.version = old.version) execute function raise_own_version()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
