import { AUDIT_DAYS } from '../accounts/audit.ts';
import { sql } from 'kysely';
import type { Database } from './open.ts';

const UNPAID_GIFT_DAYS = 7;
/**
 * Days within which each shop process must run once to clean its outbox of what a deleted account
 * has left.
 */
const FORGOTTEN_RECIPIENT_DAYS = 30;

const daysAgo = (days: number) => sql<Date>`now() - make_interval(days => ${days}::int)`;

/**
 * Rows that another call holds are left for the next clean-up: calls that count lock several
 * counters in an order of their own.
 */
const deleteAttempts = (db: Database) =>
  sql`delete from sign_in_attempts where (store_id, subject) in (
    select store_id, subject from sign_in_attempts where window_ends_at < now() for update skip locked
  )`.execute(db);

const deleteTokens = (db: Database) =>
  sql`delete from tokens where hash in (
    select hash from tokens where expires_at < now() or revoked_at is not null for update skip locked
  )`.execute(db);

/** Gifts that are not paid for after so many days, unless a payment may still bring the money. */
const deleteUnpaidGifts = (db: Database) =>
  db
    .deleteFrom('gifts')
    .where('code', 'is', null)
    .where('created_at', '<', daysAgo(UNPAID_GIFT_DAYS))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('transactions')
            .select('transactions.id')
            .whereRef('transactions.store_id', '=', 'gifts.store_id')
            .whereRef('transactions.id', '=', 'gifts.transaction_id')
            .where('transactions.finished', '=', false),
        ),
      ),
    )
    .execute();

/** The deletions of rows whose time is over, each by itself. Times are those of the database. */
const steps: ((db: Database) => Promise<unknown>)[] = [
  deleteTokens,
  (db) => db.deleteFrom('audit_log').where('at', '<', daysAgo(AUDIT_DAYS)).execute(),
  (db) => db.deleteFrom('devices').where('removed_at', '<', daysAgo(1)).execute(),
  (db) =>
    db
      .deleteFrom('phone_codes')
      .where('expires_at', '<', sql<Date>`now()`)
      .execute(),
  (db) =>
    db
      .deleteFrom('provider_sign_ins')
      .where('expires_at', '<', sql<Date>`now()`)
      .execute(),
  (db) =>
    db
      .deleteFrom('passkey_challenges')
      .where('expires_at', '<', sql<Date>`now()`)
      .execute(),
  deleteAttempts,
  (db) => db.deleteFrom('idempotency_keys').where('created_at', '<', daysAgo(1)).execute(),
  (db) => db.deleteFrom('forgotten_recipients').where('forgotten_at', '<', daysAgo(FORGOTTEN_RECIPIENT_DAYS)).execute(),
  deleteUnpaidGifts,
];

/**
 * Deletes tokens, codes, challenges, sign-ins, counters, answers to repeated calls, devices and
 * gifts whose time is over. A step that fails keeps none of the others from running.
 * @throws AggregateError of the steps that failed
 */
export async function cleanUp(db: Database): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) await step(db).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${steps.length} steps of the clean-up failed`);
}
