import { type Kysely, sql } from 'kysely';

const statements = [
  sql`create table shop_clock (
    is_only_row boolean primary key default true check (is_only_row),
    ahead_ms bigint not null default 0 check (ahead_ms >= 0),
    wanted_ms bigint not null default 0 check (wanted_ms >= ahead_ms),
    is_movable boolean not null default true
  )`,
  // The clocks of Stripe and Razorpay cannot be moved.
  sql`insert into shop_clock (is_movable) select not exists (select from transactions where provider in ('stripe', 'razorpay'))`,
  sql`create function shop_now() returns timestamptz language sql stable as $$
    select now() + coalesce((select ahead_ms from shop_clock), 0) * interval '1 millisecond'
  $$`,
  // Accounts, sessions, rate limits and idempotency keys use the database's own time.
  sql`do $$
    declare filled record;
    begin
      for filled in
        select table_name, column_name from information_schema.columns
        where table_schema = current_schema() and column_default = 'now()' and (table_name, column_name) not in (
          ('idempotency_keys', 'created_at'), ('rate_limit_counters', 'retry_at'), ('tokens', 'created_at'), ('users', 'created_at'))
      loop
        execute format('alter table %I alter column %I set default shop_now()', filled.table_name, filled.column_name);
      end loop;
    end $$`,
];

/** Gives the shop its own time, which an operator can move in a test-mode shop. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
