import { type Kysely, sql } from 'kysely';

/** Payments for several titles: the cart as it was when its payment was started. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table transaction_lines (
    store_id text not null,
    transaction_id text not null,
    title_id text not null,
    amount_minor bigint not null check (amount_minor >= 0),
    position integer not null,
    primary key (store_id, transaction_id, title_id),
    foreign key (store_id, transaction_id) references transactions (store_id, id) on delete cascade,
    foreign key (store_id, title_id) references titles (store_id, id)
  )`.execute(db);
  // Two browser windows share one open payment of a customer's cart.
  await sql`create unique index transactions_one_cart on transactions (store_id, user_id)
    where kind = 'cart' and status in ('pending', 'authorized', 'capturing')`.execute(db);
}
