import { type Kysely, sql } from 'kysely';

const statements = [
  // Payment pages and saved cards are used only for ids in this table: no payment can be made that
  // the store does not know.
  sql`create table gateway_names (
    store_id text not null references stores (id) on delete cascade,
    gateway text not null,
    kind text not null check (kind in ('customer', 'payment', 'plan')),
    name text not null,
    gateway_id text not null,
    primary key (store_id, gateway, kind, name)
  )`,
];

/** Ids of a store's customers, payments and plans at a gateway. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
