import { sql } from 'kysely';
import type { Database } from '../database/open.ts';
import type { LedgerTable } from '../database/schema/payments.ts';

export type Account = LedgerTable['account'];

/**
 * One entry of double-entry bookkeeping, in the currency's smallest unit, or in credits if
 * `currency` is `credits`. Debits are positive, credits negative; the sides add up to 0. `cause` is
 * the unique name of the booked event.
 */
export type LedgerEntry = { storeId: string; cause: string; currency: string; sides: Partial<Record<Account, number>> };

/**
 * Books all sides in the caller's database transaction, which also writes the booked event.
 * Idempotent by `cause`.
 */
export async function bookEntry(trx: Database, { storeId, cause, currency, sides }: LedgerEntry): Promise<void> {
  const rows = Object.entries(sides).flatMap(([account, amount]) =>
    amount === 0 ? [] : [{ store_id: storeId, cause, currency, account: account as Account, amount }],
  );
  if (rows.length === 0) return;
  await trx
    .insertInto('ledger')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export const toPaymentCause = (transactionId: string): string => `payment ${transactionId}`;

export const toRenewalCause = (subscriptionId: string, number: number): string => `renewal ${number} of ${subscriptionId}`;

export const toPlanChangeCause = (subscriptionId: string, number: number): string => `plan change ${number} of ${subscriptionId}`;

/** @param totalMinor total refunded so far, including this refund: makes the cause unique */
export const toRefundCause = (transactionId: string, totalMinor: number): string => `refund of ${transactionId}: ${totalMinor}`;

/**
 * Returns the tax in the refunds of a payment, in proportion to the refunded amount.
 * @param totalMinor total refunded so far
 */
export const computeRefundedTax = (
  { tax_minor: tax, amount_minor: amount }: { tax_minor: number; amount_minor: number },
  totalMinor: number,
): number => (amount === 0 ? 0 : Number((2n * BigInt(tax) * BigInt(totalMinor) + BigInt(amount)) / (2n * BigInt(amount))));

/** A row of `findLedgerFaults`; `message` describes one difference. */
type Fault = { store_id: string; message: string };

/**
 * Finds differences between the ledger and the tables: causes whose sides do not add up to 0, and
 * payments, taxes, refunds, renewals, plan changes and credits that are missing, different or extra
 * in the ledger.
 * @param storeId the store to check; left out: all stores
 * @returns one sentence for each difference; empty if the ledger balances
 */
export async function findLedgerFaults(db: Database, storeId?: string): Promise<string[]> {
  const { rows } = await sql<Fault>`
    select store_id, cause || ' is off by ' || sum(amount) || ' ' || currency as message
      from ledger group by store_id, cause, currency having sum(amount) <> 0
    union all
    select coalesce(paid.store_id, booked.store_id),
        coalesce(paid.cause, booked.cause) || ' charged ' || coalesce(paid.amount || ' ' || paid.currency, 'nothing')
        || ', the ledger has ' || coalesce(booked.amount || ' ' || booked.currency, 'nothing')
      from (select store_id, 'payment ' || id as cause, amount_minor as amount, currency
          from transactions where status in ('paid', 'refunding', 'refunded') and amount_minor > 0) as paid
        full join (select store_id, cause, amount, currency
          from ledger where account = 'gateway' and cause like 'payment %') as booked using (store_id, cause)
      where paid.amount is distinct from booked.amount or paid.currency is distinct from booked.currency
    union all
    select coalesce(given.store_id, booked.store_id),
        coalesce(given.cause, booked.cause) || ' is ' || coalesce(given.amount, 0) || ', the ledger has ' || coalesce(booked.amount, 0)
      from (select store_id, 'refund of ' || id as cause, refunded_minor as amount
          from transactions where refunded_minor > 0
        union all select store_id, 'refund of ' || id, refunded_minor from subscriptions where refunded_minor > 0) as given
        full join (select store_id, split_part(cause, ':', 1) as cause, sum(amount) as amount
          from (select store_id, cause, -amount as amount from ledger where account = 'gateway' and cause like 'refund of %') as refunds
          group by 1, 2) as booked using (store_id, cause)
      where given.amount is distinct from booked.amount
    union all
    select store_id, 'payment ' || id || ' owes ' || owed || ' of tax, the ledger has ' || coalesce(booked, 0)
      from (select store_id, id, tax_minor - round(tax_minor::numeric * refunded_minor / greatest(amount_minor, 1)) as owed,
          (select -sum(amount) from ledger where ledger.store_id = transactions.store_id and account = 'tax'
            and (cause = 'payment ' || transactions.id or cause like 'refund of ' || transactions.id || ':%')) as booked
        from transactions where status in ('paid', 'refunding', 'refunded')) as taxed
      where owed <> coalesce(booked, 0)
    union all
    select coalesce(renewed.store_id, booked.store_id),
        'the subscription ' || coalesce(renewed.id, booked.id) || ' was renewed ' || coalesce(renewed.times, 0)
        || ' times, the ledger has ' || coalesce(booked.times, 0) || ' renewals'
      from (select s.store_id, s.id, s.renewals::bigint as times
          from subscriptions s join plans p on p.store_id = s.store_id and p.id = s.plan_id
          where s.renewals > 0 and coalesce(s.amount_minor, p.amount_minor) > 0) as renewed
        full join (select store_id, split_part(cause, ' of ', 2) as id, count(*) as times
          from ledger where account = 'gateway' and cause like 'renewal %' group by 1, 2) as booked using (store_id, id)
      where renewed.times is distinct from booked.times
    union all
    select coalesce(changed.store_id, booked.store_id),
        coalesce(changed.cause, booked.cause) || ' charged ' || coalesce(changed.amount, 0) || ', the ledger has ' || coalesce(booked.amount, 0)
      from (select store_id, 'plan change ' || number || ' of ' || subscription_id as cause, charged_minor as amount
          from plan_changes where charged_minor > 0) as changed
        full join (select store_id, cause, amount
          from ledger where account = 'gateway' and cause like 'plan change %') as booked using (store_id, cause)
      where changed.amount is distinct from booked.amount
    union all
    select coalesce(had.store_id, booked.store_id),
        coalesce(had.cause, booked.cause) || ': ' || coalesce(had.amount, 0) || ' credits, the ledger has ' || coalesce(booked.amount, 0)
      from (select store_id, 'credits ' || user_id || ' ' || cause as cause, amount from credits) as had
        full join (select store_id, cause, -amount as amount
          from ledger where account = 'customer_credits') as booked using (store_id, cause)
      where had.amount is distinct from booked.amount
    order by 1, 2`.execute(db);
  return rows
    .filter((row) => storeId === undefined || row.store_id === storeId)
    .map((row) => (storeId === undefined ? `${row.store_id}: ${row.message}` : row.message));
}
