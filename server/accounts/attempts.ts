import { sql } from 'kysely';
import type { Database } from '../database/open.ts';

const SIGN_IN_MINUTES = 15;
const SIGN_UP_MINUTES = 60;

/** How many sign-ins may fail in a quarter of an hour: for one e-mail address, and from one network address. */
const LIMITS = { email: 10, address: 60 };

const subjectOf = (kind: keyof typeof LIMITS | 'sign-up', value: string) => `${kind}:${value}`;

/**
 * Counts an attempt before it is checked, so that a burst of parallel guesses cannot slip through.
 * @returns false when too many have failed and this one may not be checked
 */
export async function countAttempt(db: Database, storeId: string, email: string, address: string): Promise<boolean> {
  const email_ = await raise(db, storeId, subjectOf('email', email), SIGN_IN_MINUTES);
  const address_ = await raise(db, storeId, subjectOf('address', address), SIGN_IN_MINUTES);
  return email_ <= LIMITS.email && address_ <= LIMITS.address;
}

/** A right password wipes the address's failures, and takes back the one counted for the network address. */
export async function forgiveAttempts(db: Database, storeId: string, email: string, address: string): Promise<void> {
  await db
    .deleteFrom('sign_in_attempts')
    .where('store_id', '=', storeId)
    .where('subject', '=', subjectOf('email', email))
    .execute();
  await db
    .updateTable('sign_in_attempts')
    .set((eb) => ({ failures: eb('failures', '-', 1) }))
    .where('store_id', '=', storeId)
    .where('subject', '=', subjectOf('address', address))
    .where('failures', '>', 0)
    .execute();
}

/**
 * Counts a sign-up from a network address before its password is hashed, which is work that nobody may ask for without
 * end.
 * @returns false when the address has had its share of the hour
 */
export const countSignUp = async (db: Database, storeId: string, address: string, limit: number): Promise<boolean> =>
  (await raise(db, storeId, subjectOf('sign-up', address), SIGN_UP_MINUTES)) <= limit;

async function raise(db: Database, storeId: string, subject: string, minutes: number): Promise<number> {
  const ends = sql<Date>`now() + make_interval(mins => ${minutes}::int)`;
  const row = await db
    .insertInto('sign_in_attempts')
    .values({ store_id: storeId, subject, failures: 1, window_ends_at: ends })
    .onConflict((conflict) =>
      conflict.columns(['store_id', 'subject']).doUpdateSet({
        failures: sql`case when sign_in_attempts.window_ends_at < now() then 1 else sign_in_attempts.failures + 1 end`,
        window_ends_at: sql`case when sign_in_attempts.window_ends_at < now() then ${ends}
          else sign_in_attempts.window_ends_at end`,
      }),
    )
    .returning('failures')
    .executeTakeFirstOrThrow();
  return row.failures;
}
