import { type Kysely, sql } from 'kysely';

const statements = [
  // A region is a part of its country, such as a state; empty means the whole country. A
  // percentage is an integer: 1000 is 1 %.
  sql`create table tax_rates (
    store_id text not null references stores (id) on delete cascade,
    country text not null check (country ~ '^[A-Z]{2}$'),
    region text not null default '' check (region ~ '^[A-Z0-9-]{0,10}$'),
    region_name text not null default '',
    name text not null check (name <> ''),
    milli_percent integer not null check (milli_percent between 0 and 100000),
    primary key (store_id, country, region, name)
  )`,
  // The tax share of the amount, with the rates of one place; null where no tax was added.
  sql`alter table transactions
    add column tax_minor bigint not null default 0 check (tax_minor between 0 and amount_minor),
    add column tax jsonb`,
  // The payment method on the gateway's page.
  sql`alter table transactions add column method text not null default 'card' check (method in ('card', 'wallet', 'upi', 'netbanking'))`,
  sql`alter table transaction_lines add column tax_minor bigint not null default 0 check (tax_minor >= 0)`,
  sql`alter table purchases add column tax_minor bigint not null default 0 check (tax_minor between 0 and amount_minor)`,
  sql`alter table ledger
    drop constraint ledger_account_check,
    add constraint ledger_account_check check (account in
      ('gateway', 'sales', 'tax', 'subscriptions', 'refunds', 'credits_issued', 'credits_spent', 'customer_credits'))`,
];

/** Tax rates, the tax share of payments, and payment methods. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
