import { sql } from 'kysely';
import type { Database } from '../database/open.ts';
import type { LedgerTable } from '../database/schema/payments.ts';

export type Account = LedgerTable['account'];

/**
 * What moves from one account to another. `amount` is positive: in the smallest unit of the currency, or in credits where that is
 * `credits`. `cause` names what is booked, once.
 */
export type Booking = { storeId: string; cause: string; currency: string; amount: number; debit: Account; credit: Account };

/** Books both sides, inside the caller's transaction in which what they record is written; a cause that is booked is not booked again. */
export async function book(trx: Database, { storeId, cause, currency, amount, debit, credit }: Booking): Promise<void> {
  if (amount === 0) return;
  const side = { store_id: storeId, cause, currency };
  await trx
    .insertInto('ledger')
    .values([
      { ...side, account: debit, amount },
      { ...side, account: credit, amount: -amount },
    ])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export const paymentCause = (transactionId: string): string => `payment ${transactionId}`;

export const renewalCause = (subscriptionId: string, number: number): string => `renewal ${number} of ${subscriptionId}`;

export const planChangeCause = (subscriptionId: string, number: number): string => `plan change ${number} of ${subscriptionId}`;

/** @param totalMinor what went back altogether, with what is booked now */
export const refundCause = (transactionId: string, totalMinor: number): string => `refund of ${transactionId}: ${totalMinor}`;

type Fault = { store_id: string; says: string };

/**
 * What does not balance: causes whose sides differ, payments, refunds, renewals and lines of customers' credits that the ledger has
 * not or has differently, and what it has without them. One sentence each; none is how it has to be.
 * @param storeId left out for all stores
 */
export async function ledgerFaults(db: Database, storeId?: string): Promise<string[]> {
  const { rows } = await sql<Fault>`
    select store_id, cause || ' is off by ' || sum(amount) || ' ' || currency as says
      from ledger group by store_id, cause, currency having sum(amount) <> 0
    union all
    select coalesce(paid.store_id, booked.store_id),
        coalesce(paid.cause, booked.cause) || ' has charged ' || coalesce(paid.amount || ' ' || paid.currency, 'nothing')
        || ', booked is ' || coalesce(booked.amount || ' ' || booked.currency, 'nothing')
      from (select store_id, 'payment ' || id as cause, amount_minor as amount, currency
          from transactions where status in ('paid', 'refunding', 'refunded') and amount_minor > 0) as paid
        full join (select store_id, cause, amount, currency
          from ledger where account = 'gateway' and cause like 'payment %') as booked using (store_id, cause)
      where paid.amount is distinct from booked.amount or paid.currency is distinct from booked.currency
    union all
    select coalesce(given.store_id, booked.store_id),
        coalesce(given.cause, booked.cause) || ' has given back ' || coalesce(given.amount, 0) || ', booked are ' || coalesce(booked.amount, 0)
      from (select store_id, 'refund of ' || id as cause, refunded_minor as amount
          from transactions where refunded_minor > 0
        union all select store_id, 'refund of ' || id, refunded_minor from subscriptions where refunded_minor > 0) as given
        full join (select store_id, split_part(cause, ':', 1) as cause, sum(amount) as amount
          from ledger where account = 'refunds' group by 1, 2) as booked using (store_id, cause)
      where given.amount is distinct from booked.amount
    union all
    select coalesce(renewed.store_id, booked.store_id),
        'the subscription ' || coalesce(renewed.id, booked.id) || ' was renewed ' || coalesce(renewed.times, 0)
        || ' times, booked is it ' || coalesce(booked.times, 0) || ' times'
      from (select s.store_id, s.id, s.renewals::bigint as times
          from subscriptions s join plans p on p.store_id = s.store_id and p.id = s.plan_id
          where s.renewals > 0 and coalesce(s.amount_minor, p.amount_minor) > 0) as renewed
        full join (select store_id, split_part(cause, ' of ', 2) as id, count(*) as times
          from ledger where account = 'gateway' and cause like 'renewal %' group by 1, 2) as booked using (store_id, id)
      where renewed.times is distinct from booked.times
    union all
    select coalesce(changed.store_id, booked.store_id),
        coalesce(changed.cause, booked.cause) || ' has charged ' || coalesce(changed.amount, 0) || ', booked is ' || coalesce(booked.amount, 0)
      from (select store_id, 'plan change ' || number || ' of ' || subscription_id as cause, charged_minor as amount
          from plan_changes where charged_minor > 0) as changed
        full join (select store_id, cause, amount
          from ledger where account = 'gateway' and cause like 'plan change %') as booked using (store_id, cause)
      where changed.amount is distinct from booked.amount
    union all
    select coalesce(had.store_id, booked.store_id),
        coalesce(had.cause, booked.cause) || ' are ' || coalesce(had.amount, 0) || ', booked are ' || coalesce(booked.amount, 0)
      from (select store_id, 'credits ' || user_id || ' ' || cause as cause, amount from credits) as had
        full join (select store_id, cause, -amount as amount
          from ledger where account = 'customer_credits') as booked using (store_id, cause)
      where had.amount is distinct from booked.amount
    order by 1, 2`.execute(db);
  return rows
    .filter((row) => storeId === undefined || row.store_id === storeId)
    .map((row) => (storeId === undefined ? `${row.store_id}: ${row.says}` : row.says));
}
