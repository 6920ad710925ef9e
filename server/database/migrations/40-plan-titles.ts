import { type Kysely, sql } from 'kysely';

/**
 * A title's page shows whether a subscription includes it: every change raises the store's version.
 */
const createVersionTrigger = (table: string, event: 'insert' | 'update' | 'delete') =>
  sql`create trigger ${sql.ref(`${table}_${event}_raises_version`)} after ${sql.raw(event)} on ${sql.table(table)}
    referencing ${sql.raw(event === 'delete' ? 'old' : 'new')} table as changed
    for each statement execute function raise_store_version()`;

const statements = [
  sql`alter table plans add column opens_all boolean not null default false`,
  sql`create table plan_titles (
    store_id text not null,
    plan_id text not null,
    title_id text not null,
    primary key (store_id, plan_id, title_id),
    foreign key (store_id, plan_id) references plans (store_id, id) on delete cascade,
    foreign key (store_id, title_id) references titles (store_id, id) on delete cascade
  )`,
  sql`create index plan_titles_title on plan_titles (store_id, title_id)`,
  ...(['plans', 'plan_titles'] as const).flatMap((table) =>
    (['insert', 'update', 'delete'] as const).map((event) => createVersionTrigger(table, event)),
  ),
];

/** Titles that subscribers of a plan read without buying them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
