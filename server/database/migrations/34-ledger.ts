import { type Kysely, sql } from 'kysely';

const statements = [
  // Double entry: a positive amount is a debit, a negative one a credit; all entries of a cause in
  // one currency sum to 0.
  sql`create table ledger (
    store_id text not null references stores (id) on delete cascade,
    cause text not null,
    account text not null check (account in
      ('gateway', 'sales', 'subscriptions', 'credits_issued', 'credits_spent', 'customer_credits')),
    currency text not null check (currency ~ '^([A-Z]{3}|credits)$'),
    amount bigint not null check (amount <> 0),
    booked_at timestamptz not null default now(),
    primary key (store_id, cause, currency, account)
  )`,
  // Books the payments from before the ledger.
  sql`insert into ledger (store_id, cause, account, currency, amount, booked_at)
    select store_id, 'payment ' || id, account, currency, sign * amount_minor, updated_at
    from transactions cross join lateral (values
      ('gateway', 1), (case kind when 'subscription' then 'subscriptions' else 'sales' end, -1)) as sides (account, sign)
    where status = 'paid' and amount_minor > 0`,
  // The dates of earlier renewals were not recorded: each is dated by its period.
  sql`insert into ledger (store_id, cause, account, currency, amount, booked_at)
    select s.store_id, 'renewal ' || number || ' of ' || s.id, account, coalesce(s.currency, p.currency),
      sign * coalesce(s.amount_minor, p.amount_minor),
      least(now(), s.started_at + number * case coalesce(s.period, p.period)
        when 'week' then interval '7 days' when 'month' then interval '1 month'
        when 'quarter' then interval '3 months' else interval '1 year' end)
    from subscriptions s join plans p on p.store_id = s.store_id and p.id = s.plan_id
    cross join lateral generate_series(1, s.renewals) as number
    cross join (values ('gateway', 1), ('subscriptions', -1)) as sides (account, sign)
    where coalesce(s.amount_minor, p.amount_minor) > 0`,
  sql`insert into ledger (store_id, cause, account, currency, amount, booked_at)
    select store_id, 'credits ' || user_id || ' ' || cause, account, 'credits', sign * amount, booked_at
    from credits cross join lateral (values
      ('customer_credits', -1), (case when amount > 0 then 'credits_issued' else 'credits_spent' end, 1)) as sides (account, sign)`,
];

/** A ledger of all movements of money and credits. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
