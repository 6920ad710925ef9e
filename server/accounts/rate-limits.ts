import { isIPv6 } from 'node:net';
import { sql } from 'kysely';
import type { Database } from '../database/open.ts';
import { decrement, increment, incrementWithDelay } from './call-counters.ts';

/**
 * The origin of a call. `userId` is the customer of the session, or the one who signed in on the
 * calling device before; undefined for a stranger. Rate limits count customers by themselves and
 * strangers by their network.
 */
export type Caller = {
  storeId: string;
  /** the network address that the request came from */
  address: string;
  userId: string | undefined;
};

/** An attempt to enter the password of an account. */
export type Attempt = {
  storeId: string;
  /** the account's e-mail address, folded */
  email: string;
  /** the network address that the request came from */
  address: string;
  /** the device that asks, if the account knows it */
  knownDevice: string | null;
  /** the account's customer, where a session of theirs asks */
  userId?: string;
};

const QUARTER_MINUTES = 15;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * 60;

/**
 * Calls of an IPv6 /48 for each that one of its /64 may make: a provider may give either to a
 * single line.
 */
const CALLS_OF_48_PER_64 = 8;

/**
 * Wrong passwords for one account from one network, or from its sessions, without a wait; each
 * further one doubles it, from 2 s.
 */
const FREE_GUESSES = 5;
const WAITS = { free: FREE_GUESSES, maxWaitSeconds: QUARTER_MINUTES * 60, minutes: QUARTER_MINUTES };

/** Wrong passwords within a quarter of an hour after which no more are checked. */
const MAX_GUESSES = {
  /** from one network, for any accounts: stops one password tried with many accounts */
  network: 60,
  /** for one account from all strangers together: stops a guesser with many networks */
  account: 200,
  /** for one account from one device that it knows; more than a customer mistypes */
  device: 100,
};

/** The groups of an IPv6 address, as hexadecimal numbers without leading zeros. */
function groupsOf(address: string): string[] {
  const [before = [], after = []] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const afterCount = after.length + (after.at(-1)?.includes('.') ? 1 : 0);
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - afterCount) }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
}

/**
 * The networks of an address, the narrowest first: an IPv4 address itself; the /64 and the /48 of
 * an IPv6 address, since one line may have all of either.
 */
export function networksOf(address: string): [string, ...string[]] {
  if (!isIPv6(address)) return [address];
  const ipv4 = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (ipv4 !== undefined) return [ipv4];
  const groups = groupsOf(address);
  return [`${groups.join(':')}::/64`, `${groups.slice(0, 3).join(':')}::/48`];
}

/** The narrowest of them. */
export const networkOf = (address: string): string => networksOf(address)[0];

/** A counter of calls within a window, and how many it allows. */
type Limit = { subject: string; maxCalls: number };

const subjectsOf = (limits: Limit[]): string[] => limits.map(({ subject }) => subject);

/** The limits of the networks of an address; `nameOf` makes a counter's subject of a network. */
const networkLimits = (address: string, maxCalls: number, nameOf: (network: string) => string): Limit[] =>
  networksOf(address).map((network, at) => ({ subject: nameOf(network), maxCalls: maxCalls * CALLS_OF_48_PER_64 ** at }));

/**
 * The limits of a caller: a customer's own, independent of others in the same network, or those of
 * a stranger's network.
 */
const callerLimits = (name: string, { address, userId }: Caller, max: { customer: number; network: number }): Limit[] =>
  userId === undefined
    ? networkLimits(address, max.network, (network) => `${name}:${network}`)
    : [{ subject: `${name}-customer:${userId}`, maxCalls: max.customer }];

/**
 * Counts a call under one limit after the other. A call over one of them does not use up those that
 * follow.
 * @returns seconds to wait; 0 when the call is within all of them
 */
async function countCall(db: Database, storeId: string, minutes: number, limits: Limit[]): Promise<number> {
  for (const { subject, maxCalls } of limits)
    if ((await increment(db, storeId, subject, minutes)) > maxCalls) return minutes * 60;
  return 0;
}

/** Whether the account knows the device or the session that asks. */
export const isKnown = ({ knownDevice, userId }: Attempt): boolean => knownDevice !== null || userId !== undefined;

/**
 * Under what an attempt is counted: by the account's device or session, else with those of
 * strangers.
 */
function attemptSubjects({ email, address, knownDevice, userId }: Attempt) {
  const pairLimits = networkLimits(address, FREE_GUESSES, (network) => `pair:${network} ${email}`);
  const sessions = `customer:${userId}`;
  const [pair, ...widerPairs] = pairLimits as [Limit, ...Limit[]];
  return {
    own: knownDevice === null ? sessions : `device:${knownDevice} ${email}`,
    sessions,
    /** counted with growing waits */
    pair: pair.subject,
    strangers: [
      ...widerPairs,
      ...networkLimits(address, MAX_GUESSES.network, (network) => `network:${network}`),
      { subject: `account:${email}`, maxCalls: MAX_GUESSES.account },
    ],
  };
}

/**
 * Counts an attempt before its password is checked, so that a burst of parallel guesses cannot slip
 * through. A device that the account knows and its sessions are counted by themselves: strangers
 * cannot keep its customer out.
 * @returns seconds to wait before the password may be checked; 0 when it may be checked now
 */
export async function countAttempt(db: Database, attempt: Attempt): Promise<number> {
  const { storeId, knownDevice, userId } = attempt;
  const { own, sessions, pair, strangers } = attemptSubjects(attempt);
  if (knownDevice !== null && (await increment(db, storeId, own, QUARTER_MINUTES)) <= MAX_GUESSES.device) return 0;
  if (userId !== undefined) return incrementWithDelay(db, storeId, sessions, WAITS);
  const wait = await incrementWithDelay(db, storeId, pair, WAITS);
  return wait > 0 ? wait : countCall(db, storeId, QUARTER_MINUTES, strangers);
}

/** Takes an attempt back whose password was not checked after all. */
export async function uncountAttempt(db: Database, attempt: Attempt): Promise<void> {
  const { own, pair, strangers } = attemptSubjects(attempt);
  await db
    .updateTable('sign_in_attempts')
    .set((eb) => ({ failures: eb('failures', '-', 1), retry_at: sql<Date>`now()` }))
    .where('store_id', '=', attempt.storeId)
    .where('subject', 'in', isKnown(attempt) ? [own] : [pair, ...subjectsOf(strangers)])
    .where('failures', '>', 0)
    .execute();
}

/**
 * A right password wipes the failures of this device, session or network, and takes back what was
 * counted for others too.
 */
export async function forgiveAttempts(db: Database, attempt: Attempt): Promise<void> {
  const { own, pair, strangers } = attemptSubjects(attempt);
  await db
    .deleteFrom('sign_in_attempts')
    .where('store_id', '=', attempt.storeId)
    .where('subject', '=', isKnown(attempt) ? own : pair)
    .execute();
  if (!isKnown(attempt)) await decrement(db, attempt.storeId, subjectsOf(strangers));
}

/**
 * Counts a new account before its password is hashed, which is costly work. By network also on a
 * known device: each account could allow for others, without end.
 * @param maxAccounts of one network within an hour
 * @returns false when the network has made its share of them
 */
export const countSignUp = async (db: Database, storeId: string, address: string, maxAccounts: number): Promise<boolean> =>
  (await countCall(
    db,
    storeId,
    HOUR_MINUTES,
    networkLimits(address, maxAccounts, (network) => `sign-up:${network}`),
  )) === 0;

/** E-mails with a link for a new password within an hour. */
const RESETS_PER_HOUR = { ownDevice: 5, customer: 5, network: 30, account: 5 };

/**
 * Counts a request for a new password, whether or not the account exists.
 * @param ownDevice the calling device, if the account of the address knows it
 * @returns seconds to wait; 0 when an e-mail may be sent
 */
export function countResetRequest(
  db: Database,
  caller: Caller,
  { email, ownDevice }: { email: string; ownDevice: string | null },
): Promise<number> {
  const limits =
    ownDevice === null
      ? [
          ...callerLimits('reset', caller, RESETS_PER_HOUR),
          { subject: `reset-account:${email}`, maxCalls: RESETS_PER_HOUR.account },
        ]
      : [{ subject: `reset-device:${ownDevice} ${email}`, maxCalls: RESETS_PER_HOUR.ownDevice }];
  return countCall(db, caller.storeId, HOUR_MINUTES, limits);
}

/**
 * Bad links that one network may try within a quarter of an hour. Links cannot be guessed; this
 * spares the database.
 */
const BAD_RESET_LINKS = 60;

/** Counts a link that is not good. @returns seconds to wait; 0 when the answer may say so */
export const countBadResetLink = (db: Database, storeId: string, address: string): Promise<number> =>
  countCall(
    db,
    storeId,
    QUARTER_MINUTES,
    networkLimits(address, BAD_RESET_LINKS, (network) => `reset-link:${network}`),
  );

/** Codes by text message: each costs the store money, and each allows a few guesses. */
const SMS_PER_HOUR = { ownDevice: 5, customer: 5, network: 30, phoneFromNetwork: 5 };
/**
 * To one number for all strangers together: more than its owner needs, so that strangers hardly use
 * it up.
 */
const SMS_PER_PHONE_DAY = 40;

type CodeRequest = {
  /** in E.164 */
  phone: string;
  /** of the number, by ISO 3166-1 */
  country: string;
  /** the calling device, if the account that the number opens knows it */
  ownDevice: string | null;
  /**
   * messages to one country within a day for strangers, and as many again for customers on their
   * own devices
   */
  maxPerCountryDay: number;
};

/**
 * Counts a code before it is sent. A number's customer on a known device is counted apart from
 * strangers in every limit.
 * @returns seconds to wait, and whether it is the country's limit; 0 when a code may be sent
 */
export async function countCodeRequest(
  db: Database,
  caller: Caller,
  { phone, country, ownDevice, maxPerCountryDay }: CodeRequest,
): Promise<{ wait: number; isOfCountry: boolean }> {
  const { storeId, address } = caller;
  const hourly =
    ownDevice === null
      ? [
          ...callerLimits('sms', caller, SMS_PER_HOUR),
          ...networkLimits(address, SMS_PER_HOUR.phoneFromNetwork, (network) => `sms-pair:${network} ${phone}`),
        ]
      : [{ subject: `sms-device:${ownDevice} ${phone}`, maxCalls: SMS_PER_HOUR.ownDevice }];
  const daily = ownDevice === null ? [{ subject: `sms-phone:${phone}`, maxCalls: SMS_PER_PHONE_DAY }] : [];
  const ofCountry = { subject: `sms-${ownDevice === null ? 'country' : 'own-country'}:${country}`, maxCalls: maxPerCountryDay };
  const wait = (await countCall(db, storeId, HOUR_MINUTES, hourly)) || (await countCall(db, storeId, DAY_MINUTES, daily));
  if (wait > 0) return { wait, isOfCountry: false };
  return { wait: await countCall(db, storeId, DAY_MINUTES, [ofCountry]), isOfCountry: true };
}

/**
 * E-mails of free gifts within a day, with those that are sent again. A trusted giver's account is
 * a day old and verified.
 */
const FREE_GIFTS_PER_DAY = { trusted: 10, other: 3 };

/** @returns false when the customer has had their share of the day */
export const countFreeGift = async (
  db: Database,
  { storeId, userId, isTrusted }: { storeId: string; userId: string; isTrusted: boolean },
): Promise<boolean> => {
  const maxCalls = isTrusted ? FREE_GIFTS_PER_DAY.trusted : FREE_GIFTS_PER_DAY.other;
  return (await countCall(db, storeId, DAY_MINUTES, [{ subject: `free-gift:${userId}`, maxCalls }])) === 0;
};

/** Wrong redeem codes within a minute. */
const REDEEM_GUESSES = { customer: 6, network: 12 };
const REDEEM_MINUTES = 1;

const redeemLimits = (caller: Caller): Limit[] => callerLimits('redeem', caller, REDEEM_GUESSES);

/**
 * Counts a code before it is looked up, so that a burst of parallel guesses cannot slip through.
 * @returns seconds to wait; 0 when it may be looked up
 */
export const countCodeGuess = (db: Database, caller: Caller): Promise<number> =>
  countCall(db, caller.storeId, REDEEM_MINUTES, redeemLimits(caller));

/** Takes a guess back that was right. */
export const uncountCodeGuess = (db: Database, caller: Caller): Promise<void> =>
  decrement(db, caller.storeId, subjectsOf(redeemLimits(caller)));

/**
 * Sign-ins by providers begun or finished within a quarter of an hour; each asks another server.
 */
const PROVIDER_TRIES = { customer: 60, network: 120 };

/** @returns seconds to wait; 0 when the provider may be asked */
export const countProviderTry = (db: Database, caller: Caller): Promise<number> =>
  countCall(db, caller.storeId, QUARTER_MINUTES, callerLimits('provider', caller, PROVIDER_TRIES));

/**
 * Passkeys that sign-in pages may have their browsers offer within a quarter of an hour: each costs
 * a row.
 */
const PASSKEY_OFFERS = { customer: 300, network: 1200 };

/** @returns seconds to wait; 0 when one may be offered */
export const countPasskeyOffer = (db: Database, caller: Caller): Promise<number> =>
  countCall(db, caller.storeId, QUARTER_MINUTES, callerLimits('passkey-offer', caller, PASSKEY_OFFERS));
