import { type Kysely, sql } from 'kysely';

/**
 * Currencies whose amounts were stored in whole units although ISO 4217 defines decimals, with the
 * factor from the old smallest unit to the new one.
 */
const currenciesWithFactor = sql`(values ('AFN', 100), ('ALL', 100), ('COP', 100), ('HUF', 100), ('IDR', 100), ('IQD', 1000), ('IRR', 100),
  ('KPW', 100), ('LAK', 100), ('LBP', 100), ('MGA', 100), ('MMK', 100), ('PKR', 100), ('SLL', 100), ('SOS', 100), ('SYP', 100),
  ('YER', 100)) as whole (currency, factor)`;

/** The amount columns of each table that has a currency column. */
const amountColumns: Readonly<Record<string, readonly string[]>> = {
  prices: ['amount_minor'],
  plans: ['amount_minor'],
  campaign_titles: ['amount_minor'],
  plan_changes: ['amount_minor', 'charged_minor'],
  purchases: ['amount_minor', 'tax_minor'],
  ledger: ['amount'],
};

const statements = [
  // Lines first: their currency is in the table of payments, whose own amounts change next.
  sql`update transaction_lines
    set amount_minor = transaction_lines.amount_minor * factor, tax_minor = transaction_lines.tax_minor * factor
    from transactions join ${currenciesWithFactor} using (currency)
    where transactions.store_id = transaction_lines.store_id and transactions.id = transaction_lines.transaction_id`,
  sql`update transactions set
      amount_minor = amount_minor * factor, tax_minor = tax_minor * factor, refunded_minor = refunded_minor * factor,
      tax = case when tax is null then null else jsonb_set(tax, '{rates}', (
        select coalesce(jsonb_agg(rate || jsonb_build_object('amountMinor', (rate ->> 'amountMinor')::bigint * factor)), '[]')
        from jsonb_array_elements(tax -> 'rates') as rate)) end,
      details = case when details -> 'amountMinor' is null then details else
        jsonb_set(details, '{amountMinor}', to_jsonb((details ->> 'amountMinor')::bigint * factor)) end
    from ${currenciesWithFactor} where whole.currency = transactions.currency`,
  sql`update titles set sort_price = sort_price * factor
    from prices join ${currenciesWithFactor} using (currency)
    where prices.store_id = titles.store_id and prices.title_id = titles.id and prices.position = (
      select min(position) from prices as own where own.store_id = titles.store_id and own.title_id = titles.id)`,
  // A subscription without its own price uses its plan's.
  sql`update subscriptions set
      amount_minor = subscriptions.amount_minor * factor, refunded_minor = subscriptions.refunded_minor * factor
    from plans, ${currenciesWithFactor} where plans.store_id = subscriptions.store_id and plans.id = subscriptions.plan_id
      and whole.currency = coalesce(subscriptions.currency, plans.currency)`,
  ...Object.entries(amountColumns).map(
    ([table, columns]) =>
      sql`update ${sql.table(table)} set ${sql.join(columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(name)} * factor`))}
        from ${currenciesWithFactor} where whole.currency = ${sql.table(table)}.currency`,
  ),
  // The currencies that a store sells in beside its main one.
  sql`alter table stores add column currencies jsonb not null default '[]'`,
  sql`update stores set currencies = coalesce((
    select jsonb_agg(distinct used.currency) from (
      select store_id, currency from prices
      union all select store_id, currency from plans
      union all select store_id, currency from campaign_titles where currency is not null
    ) as used where used.store_id = stores.id and used.currency <> stores.currency), '[]')`,
];

/** Converts amounts to the smallest units of ISO 4217, and lists the currencies of each store. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
