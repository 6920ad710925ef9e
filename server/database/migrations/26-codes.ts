import { type Kysely, sql } from 'kysely';

const statements = [
  sql`alter table codes drop constraint codes_kind_check`,
  sql`alter table codes add constraint codes_kind_check
    check (kind in ('title', 'titles', 'subscription', 'credits', 'discount', 'campaign'))`,
  sql`alter table codes
    add column credits integer check (credits > 0),
    add column trial_days integer check (trial_days between 1 and 366),
    add column uses integer check (uses > 0),
    add column made_at timestamptz not null default now()`,
  // Distinguishes a code of another store from an unknown one.
  sql`create index codes_by_code on codes (code)`,
  sql`create index codes_by_age on codes (store_id, made_at, code)`,
  // The titles that the customer chooses from, in display order.
  sql`create table code_titles (
    store_id text not null,
    code text not null,
    title_id text not null,
    position integer not null,
    primary key (store_id, code, title_id),
    foreign key (store_id, code) references codes (store_id, code) on delete cascade,
    foreign key (store_id, title_id) references titles (store_id, id)
  )`,
  // The result of redeeming a code, so that a repeated request gets the same answer.
  sql`alter table redemptions
    add column purchase_id text,
    add column transaction_id text,
    add foreign key (store_id, purchase_id) references purchases (store_id, id),
    add foreign key (store_id, transaction_id) references transactions (store_id, id)`,
  // A code that reduces a payment, or makes a subscription start with a free period.
  sql`alter table transactions add column code text, add foreign key (store_id, code) references codes (store_id, code)`,
  sql`create index redemptions_by_user on redemptions (store_id, user_id, redeemed_at)`,
  sql`create unique index redemptions_by_transaction on redemptions (store_id, transaction_id)`,
];

/** Codes for titles, credits, subscriptions and discounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
