import { type Kysely, sql } from 'kysely';

/**
 * Cards that the gateway is to delete, or has deleted. The rows stay: an earlier payment still
 * names its card, and must not restore it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table forgotten_cards (
    store_id text not null references stores (id) on delete cascade,
    gateway_card text not null,
    forgotten_at timestamptz not null default now(),
    done boolean not null default false,
    asked_at timestamptz,
    primary key (store_id, gateway_card)
  )`.execute(db);
  await sql`create index forgotten_cards_to_do on forgotten_cards (asked_at) where not done`.execute(db);
}
