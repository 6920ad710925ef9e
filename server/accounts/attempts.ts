import { isIPv6 } from 'node:net';
import { sql } from 'kysely';
import type { Database } from '../database/open.ts';

/** Who asks to sign in, and to which account. */
export type Attempt = {
  storeId: string;
  /** the account's e-mail address, folded */
  email: string;
  /** the network address that the request came from */
  address: string;
  /** the device that asks, if the account knows it */
  knownDevice: string | null;
};

const SIGN_IN_MINUTES = 15;
const SIGN_UP_MINUTES = 60;

/** Wrong passwords for one account from one network that cost no waiting; after each further one it doubles, from two seconds. */
const FREE = 5;
const LONGEST_WAIT_SECONDS = SIGN_IN_MINUTES * 60;

/** Wrong passwords within a quarter of an hour after which no more are checked. */
const LIMITS = {
  /** from one network, for whatever accounts: who tries one password with many accounts */
  network: 60,
  /** for one account, from whatever networks: who guesses from many machines */
  account: 200,
  /** from one device that the account knows; more than anybody mistypes */
  device: 100,
};

/**
 * An IPv4 address by itself; of an IPv6 address its first 64 bits, since a household or a rented machine has all the rest to
 * itself.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const ipv4 = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (ipv4 !== undefined) return ipv4;
  const [before = [], after = []] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const afterCount = after.length + (after.at(-1)?.includes('.') ? 1 : 0);
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - afterCount) }, () => '0');
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

const subjects = ({ email, address, knownDevice }: Attempt) => ({
  device: `device:${knownDevice} ${email}`,
  pair: `pair:${networkOf(address)} ${email}`,
  network: `network:${networkOf(address)}`,
  account: `account:${email}`,
});

/**
 * Counts an attempt before its password is checked, so that a burst of parallel guesses cannot slip through. A device that
 * the account knows is counted by itself: whatever strangers do, its customer comes in.
 * @returns seconds to wait before the password may be checked; 0 when it may be checked now
 */
export async function countAttempt(db: Database, attempt: Attempt): Promise<number> {
  const { storeId, knownDevice } = attempt;
  const { device, pair, network, account } = subjects(attempt);
  if (knownDevice !== null && (await raise(db, storeId, device, SIGN_IN_MINUTES)) <= LIMITS.device) return 0;
  const wait = await raiseWithDelay(db, storeId, pair);
  if (wait > 0) return wait;
  const ofNetwork = await raise(db, storeId, network, SIGN_IN_MINUTES);
  const ofAccount = await raise(db, storeId, account, SIGN_IN_MINUTES);
  return ofNetwork <= LIMITS.network && ofAccount <= LIMITS.account ? 0 : SIGN_IN_MINUTES * 60;
}

/** Takes an attempt back whose password was not checked after all. */
export async function uncountAttempt(db: Database, attempt: Attempt): Promise<void> {
  const { device, pair, network, account } = subjects(attempt);
  await db
    .updateTable('sign_in_attempts')
    .set((eb) => ({ failures: eb('failures', '-', 1), retry_at: sql<Date>`now()` }))
    .where('store_id', '=', attempt.storeId)
    .where('subject', 'in', attempt.knownDevice === null ? [pair, network, account] : [device])
    .where('failures', '>', 0)
    .execute();
}

/** A right password wipes what failed from this device, or from this network, and takes back what was counted for others too. */
export async function forgiveAttempts(db: Database, attempt: Attempt): Promise<void> {
  const { device, pair, network, account } = subjects(attempt);
  const isKnown = attempt.knownDevice !== null;
  await db
    .deleteFrom('sign_in_attempts')
    .where('store_id', '=', attempt.storeId)
    .where('subject', '=', isKnown ? device : pair)
    .execute();
  if (!isKnown) await lower(db, attempt.storeId, [network, account]);
}

/**
 * Counts a sign-up from a network before its password is hashed, which is work that nobody may ask for without end.
 * @returns false when the network has had its share of the hour
 */
export const countSignUp = async (db: Database, storeId: string, address: string, limit: number): Promise<boolean> =>
  (await raise(db, storeId, `sign-up:${networkOf(address)}`, SIGN_UP_MINUTES)) <= limit;

/** Letters for a new password within an hour, for one address and for one network. */
const RESETS = { account: 5, network: 30 };
const RESET_MINUTES = 60;

/**
 * Counts somebody who asks for a new password, whether or not there is such an account.
 * @returns seconds to wait; 0 when a letter may be written
 */
export async function countResetRequest(db: Database, storeId: string, address: string, email: string): Promise<number> {
  const ofNetwork = await raise(db, storeId, `reset:${networkOf(address)}`, RESET_MINUTES);
  const ofAccount = await raise(db, storeId, `reset-account:${email}`, RESET_MINUTES);
  return ofNetwork <= RESETS.network && ofAccount <= RESETS.account ? 0 : RESET_MINUTES * 60;
}

/** Links that one network may try within a quarter of an hour. They cannot be guessed; this keeps the database's peace. */
const RESET_TRIES = 60;

/** @returns seconds to wait; 0 when the link may be looked at */
export const countResetTry = async (db: Database, storeId: string, address: string): Promise<number> =>
  (await raise(db, storeId, `reset-link:${networkOf(address)}`, SIGN_IN_MINUTES)) <= RESET_TRIES ? 0 : SIGN_IN_MINUTES * 60;

/** Codes that are sent within an hour to one number, and for one network: each costs the store money. */
const CODES = { phone: 5, network: 30 };

/** @returns seconds to wait; 0 when a code may be sent */
export async function countCodeRequest(db: Database, storeId: string, address: string, phone: string): Promise<number> {
  const ofNetwork = await raise(db, storeId, `code:${networkOf(address)}`, RESET_MINUTES);
  const ofPhone = await raise(db, storeId, `code-phone:${phone}`, RESET_MINUTES);
  return ofNetwork <= CODES.network && ofPhone <= CODES.phone ? 0 : RESET_MINUTES * 60;
}

/** Gifts that cost nothing, of one account within a day: each writes to somebody. */
const FREE_GIFTS = 10;
const DAY_MINUTES = 24 * 60;

/** @returns false when the customer has had their share of the day */
export const countFreeGift = async (db: Database, storeId: string, userId: string): Promise<boolean> =>
  (await raise(db, storeId, `free-gift:${userId}`, DAY_MINUTES)) <= FREE_GIFTS;

/** Wrong codes within a minute: of one account, of a network's visitors together, and of all who come from a network. */
const CODE_GUESSES = { account: 6, visitors: 12, network: 60 };
const CODE_MINUTES = 1;

/** Who tries a code; `userId` undefined for a visitor. */
export type CodeSeeker = { storeId: string; address: string; userId: string | undefined };

const codeSubjects = ({ address, userId }: CodeSeeker) => ({
  seeker: userId === undefined ? `redeem-visitor:${networkOf(address)}` : `redeem-account:${userId}`,
  network: `redeem:${networkOf(address)}`,
});

/**
 * Counts a code before it is looked up, so that a burst of parallel guesses cannot slip through.
 * @returns seconds to wait; 0 when it may be looked up
 */
export async function countCodeGuess(db: Database, guess: CodeSeeker): Promise<number> {
  const { seeker, network } = codeSubjects(guess);
  const ofSeeker = await raise(db, guess.storeId, seeker, CODE_MINUTES);
  const ofNetwork = await raise(db, guess.storeId, network, CODE_MINUTES);
  const most = guess.userId === undefined ? CODE_GUESSES.visitors : CODE_GUESSES.account;
  return ofSeeker <= most && ofNetwork <= CODE_GUESSES.network ? 0 : CODE_MINUTES * 60;
}

/** Takes it back for a code that there is: that was no guess. */
export const uncountCodeGuess = (db: Database, guess: CodeSeeker): Promise<void> =>
  lower(db, guess.storeId, Object.values(codeSubjects(guess)));

/** Sign-ins by providers that one network may begin or finish within a quarter of an hour; each asks another server. */
const PROVIDER_TRIES = 120;

/** @returns seconds to wait; 0 when the provider may be asked */
export const countProviderTry = async (db: Database, storeId: string, address: string): Promise<number> =>
  (await raise(db, storeId, `provider:${networkOf(address)}`, SIGN_IN_MINUTES)) <= PROVIDER_TRIES ? 0 : SIGN_IN_MINUTES * 60;

/** Passkeys that the sign-in pages of one network may have their browsers offer within a quarter of an hour: each costs a row. */
const PASSKEY_OFFERS = 1200;

/** @returns seconds to wait; 0 when one may be offered */
export const countPasskeyOffer = async (db: Database, storeId: string, address: string): Promise<number> =>
  (await raise(db, storeId, `passkey-offer:${networkOf(address)}`, SIGN_IN_MINUTES)) <= PASSKEY_OFFERS ? 0 : SIGN_IN_MINUTES * 60;

/** Takes one back that was counted. */
async function lower(db: Database, storeId: string, subjectsCounted: string[]): Promise<void> {
  await db
    .updateTable('sign_in_attempts')
    .set((eb) => ({ failures: eb('failures', '-', 1) }))
    .where('store_id', '=', storeId)
    .where('subject', 'in', subjectsCounted)
    .where('failures', '>', 0)
    .execute();
}

/** @returns how many there were within the time that the first of them began */
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

/**
 * Counts one unless it comes before the wait is over that the last one cost. All is forgotten a quarter of an hour after
 * the last wait.
 * @returns seconds that are left to wait; 0 when it was counted
 */
async function raiseWithDelay(db: Database, storeId: string, subject: string): Promise<number> {
  const failures = sql<number>`case when sign_in_attempts.window_ends_at < now() then 1 else sign_in_attempts.failures + 1 end`;
  const wait = sql`make_interval(secs => case when ${failures} < ${FREE}::int then 0
    else least(${LONGEST_WAIT_SECONDS}::int, 2 ^ least(${failures} - ${FREE}::int + 1, 20)) end)`;
  const rest = sql`make_interval(mins => ${SIGN_IN_MINUTES}::int)`;
  const counted = await db
    .insertInto('sign_in_attempts')
    .values({ store_id: storeId, subject, failures: 1, window_ends_at: sql<Date>`now() + ${rest}` })
    .onConflict((conflict) =>
      conflict
        .columns(['store_id', 'subject'])
        .doUpdateSet({
          failures,
          retry_at: sql<Date>`now() + ${wait}`,
          window_ends_at: sql<Date>`now() + ${wait} + ${rest}`,
        })
        // The time of this moment: who asked at the same time may have begun a little later, and been first.
        .where('sign_in_attempts.retry_at', '<=', sql<Date>`clock_timestamp()`),
    )
    .returning('failures')
    .executeTakeFirst();
  if (counted) return 0;
  const row = await db
    .selectFrom('sign_in_attempts')
    .select(sql<number>`ceil(extract(epoch from retry_at - now()))::int`.as('seconds'))
    .where('store_id', '=', storeId)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return Math.max(1, row?.seconds ?? 1);
}
