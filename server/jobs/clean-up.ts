import { type RawBuilder, sql } from 'kysely';
import { AUDIT_DAYS } from '../kernel/audit.ts';
import { realNowSql } from '../base/clock/sql-time.ts';
import type { Database } from '../database/open.ts';
import type { Tables } from '../database/schema/tables.ts';

/** Days after which an unpaid gift is deleted. */
const UNPAID_GIFT_DAYS = 7;
/**
 * Days within which every shop process must run once, to remove a deleted account's files from the
 * process's outbox.
 */
const FORGOTTEN_RECIPIENT_DAYS = 30;

/** Maximum rows that one statement deletes, so that its locks are short. */
const BATCH_SIZE = 1000;

const daysBefore = (now: RawBuilder<unknown>, days: number) => sql`${now} - make_interval(days => ${days}::int)`;
const shopNowSql = sql`shop_now()`;

/**
 * The conditions of expired rows, by table. Sessions, sign-in codes, challenges, counters and
 * idempotency keys expire by real time. So do forgotten recipients: a move of the shop's clock does
 * not shorten the days that each process has to clean its outbox.
 */
const expiredRows: Partial<Record<keyof Tables, RawBuilder<unknown>>> = {
  tokens: sql`expires_at < ${realNowSql} or revoked_at is not null`,
  audit_log: sql`at < ${daysBefore(shopNowSql, AUDIT_DAYS)}`,
  devices: sql`removed_at < ${daysBefore(shopNowSql, 1)}`,
  phone_codes: sql`expires_at < ${realNowSql}`,
  shared_phone_codes: sql`expires_at < ${realNowSql}`,
  provider_sign_ins: sql`expires_at < ${realNowSql}`,
  passkey_challenges: sql`expires_at < ${realNowSql}`,
  rate_limit_counters: sql`window_ends_at < ${realNowSql}`,
  idempotency_keys: sql`created_at < ${daysBefore(realNowSql, 1)}`,
  forgotten_recipients: sql`forgotten_at < ${daysBefore(realNowSql, FORGOTTEN_RECIPIENT_DAYS)}`,
  // Unpaid gifts, unless their payment may still succeed.
  gifts: sql`code is null and created_at < ${daysBefore(shopNowSql, UNPAID_GIFT_DAYS)} and not exists (
    select from transactions
    where transactions.store_id = gifts.store_id and transactions.id = gifts.transaction_id and not transactions.finished)`,
};

/**
 * Deletes a table's expired rows, in batches. Rows locked by other calls are left for the next
 * clean-up: waiting for them could deadlock with a call that locks several counters.
 * @returns the number of deleted rows
 */
async function deleteExpired(
  db: Database,
  table: string,
  isExpired: RawBuilder<unknown>,
  stopping?: AbortSignal,
): Promise<number> {
  const name = sql.table(table);
  let deletedRows = 0;
  while (!stopping?.aborted) {
    const { numAffectedRows = 0n } = await sql`delete from ${name} where ctid = any(array(
      select ctid from ${name} where ${isExpired} limit ${BATCH_SIZE} for update skip locked))`.execute(db);
    deletedRows += Number(numAffectedRows);
    if (numAffectedRows < BATCH_SIZE) break;
  }
  return deletedRows;
}

/**
 * Deletes expired tokens, codes, challenges, sign-ins, counters, idempotency keys, devices, audit
 * entries, forgotten recipients and gifts. A table that fails does not stop the others.
 * @param stopping ends the clean-up after the current batch
 * @returns the number of deleted rows, by table
 * @throws AggregateError of the tables that failed
 */
export async function cleanUp(db: Database, stopping?: AbortSignal): Promise<Record<string, number>> {
  const deletedCounts: Record<string, number> = {};
  const errors = new Map<string, Error>();
  for (const [table, isExpired] of Object.entries(expiredRows))
    await deleteExpired(db, table, isExpired, stopping).then(
      (count) => (deletedCounts[table] = count),
      (error: Error) => errors.set(table, error),
    );
  if (errors.size > 0) {
    const reasons = [...errors].map(([table, { message }]) => `${table} (${message})`);
    throw new AggregateError(errors.values(), `These tables could not be cleaned: ${reasons.join(', ')}.`);
  }
  return deletedCounts;
}
