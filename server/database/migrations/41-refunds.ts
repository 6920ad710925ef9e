import { type Kysely, sql } from 'kysely';

const statements = [
  sql`alter table transactions
    drop constraint transactions_status_check,
    add constraint transactions_status_check check (status in
      ('pending', 'authorized', 'capturing', 'paid', 'failed', 'cancelled', 'refunding', 'refunded')),
    add column refunded_minor bigint not null default 0 check (refunded_minor between 0 and amount_minor)`,
  // A refunded purchase no longer grants anything; its amount stays recorded.
  sql`alter table purchases add column refunded_at timestamptz`,
  sql`create index purchases_given_back on purchases (store_id, user_id, refunded_at) where refunded_at is not null`,
  sql`alter table ledger
    drop constraint ledger_account_check,
    add constraint ledger_account_check check (account in
      ('gateway', 'sales', 'subscriptions', 'refunds', 'credits_issued', 'credits_spent', 'customer_credits'))`,
  // A payment has an e-mail with its receipt, and another one about its refund.
  sql`drop index letters_by_transaction`,
  sql`create unique index letters_by_transaction on letters (store_id, transaction_id, kind)`,
];

/** Refunds of money and credits. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
