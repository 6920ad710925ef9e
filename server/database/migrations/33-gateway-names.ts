import { type Kysely, sql } from 'kysely';

const statements = [
  // A page is handed out, and a kept card is asked, only for what stands here: nothing can be paid that the store does not know.
  sql`create table gateway_names (
    store_id text not null references stores (id) on delete cascade,
    gateway text not null,
    kind text not null check (kind in ('customer', 'payment', 'plan')),
    name text not null,
    gateway_id text not null,
    primary key (store_id, gateway, kind, name)
  )`,
];

/** What a gateway calls the customers and payments of a store. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
