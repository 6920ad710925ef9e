import type { Database } from '../database/open.ts';
import { decrementCounters, resetCounter, incrementCounterWithDelay, type Limit, type DelayRule } from './call-counters.ts';
import { countCall, getLimit, networkLimits, pairLimits } from './caller-limits.ts';
import { toNetwork } from '../base/network.ts';
import type { RateLimit } from './limit-row.ts';
import { type LimitName, RATE_LIMITS } from './rate-limits.ts';

/** An attempt to enter the password of an account. */
export type Attempt = {
  storeId: string;
  /** the comparison key of the account's e-mail address */
  email: string;
  /** the network address that the request came from */
  address: string;
  /** the account, where the request has its session or comes from one of its known devices */
  known?: { userId: string; by: 'session' | 'device' } | undefined;
};

/** An attempt that was counted. */
export type CountedAttempt = {
  storeId: string;
  /** seconds to wait before the password may be checked; 0 when it may be checked now */
  wait: number;
  /** counters that a correct password resets */
  ownCounters: string[];
  /** counters that a correct password decrements by this attempt */
  sharedCounters: string[];
  /** counters that a correct password leaves unchanged: each check is work for the whole shop */
  lastingCounters: string[];
  /** queue key of the password check; known accounts go before strangers */
  owner: { key: string; goesFirst: boolean };
};

/** The delay rule of a limit in the table: attempts over the limit are delayed. */
function toDelayRule(name: LimitName, { maxCalls: freeAttempts, minutes }: Pick<Limit, 'maxCalls' | 'minutes'>): DelayRule {
  const { waits }: RateLimit = RATE_LIMITS[name];
  if (waits === undefined) throw new Error(`The rate limit ${name} defines no waits.`);
  return { freeAttempts, maxWaitSeconds: waits.seconds, minutes, reopens: waits.reopens };
}

class WaitRequired extends Error {
  readonly seconds: number;
  constructor(seconds: number) {
    super(`The attempt came ${seconds} s before its wait was over.`);
    this.seconds = seconds;
  }
}

/**
 * Counts a stranger's attempt under all of its limits, or under none where one of them requires a
 * delay.
 */
async function countStrangerAttempt(db: Database, { storeId, email, address }: Attempt): Promise<CountedAttempt> {
  const [pair, ...widerPairs] = pairLimits('pair', address, email) as [Limit, ...Limit[]];
  const networks = networkLimits('network', address);
  const account = getLimit('account', email);
  const limits = [...widerPairs, ...networks, account];
  const counters = [
    { subject: pair.subject, waits: toDelayRule('pair', pair) },
    // Limits of a whole /48 use the delays of networks.
    ...[...widerPairs, ...networks].map((limit) => ({ ...limit, waits: toDelayRule('network', limit) })),
    { ...account, waits: toDelayRule('account', account) },
  ];
  const attempt = {
    storeId,
    ownCounters: [pair.subject],
    sharedCounters: limits.map(({ subject }) => subject),
    lastingCounters: [],
    owner: { key: toNetwork(address), goesFirst: false },
  };
  try {
    await db.transaction().execute(async (trx) => {
      for (const { subject, waits: delayRule } of counters) {
        const seconds = await incrementCounterWithDelay(trx, storeId, subject, delayRule);
        if (seconds > 0) throw new WaitRequired(seconds);
      }
    });
    return { ...attempt, wait: 0 };
  } catch (error) {
    if (!(error instanceof WaitRequired)) throw error;
    return { ...attempt, wait: error.seconds };
  }
}

/**
 * Counts an attempt before its password is checked, so that a burst of parallel guesses cannot slip
 * through. Known devices and sessions of the account have their own counters, so that strangers
 * cannot lock its customer out. Devices over their limit are counted like strangers.
 */
export async function countAttempt(db: Database, attempt: Attempt): Promise<CountedAttempt> {
  const { storeId, known } = attempt;
  if (known === undefined) return countStrangerAttempt(db, attempt);
  const { userId, by } = known;
  const owner = { key: userId, goesFirst: true };
  const emptyAttempt = { storeId, ownCounters: [], sharedCounters: [], lastingCounters: [], owner };
  if (by === 'session') {
    const limit = getLimit('password-session', userId);
    const wait = await incrementCounterWithDelay(db, storeId, limit.subject, toDelayRule('password-session', limit));
    return { ...emptyAttempt, ownCounters: [limit.subject], wait };
  }
  const { subjects, exceeded } = await countCall(db, storeId, [
    getLimit('password-device', userId),
    getLimit('password-device-day', userId),
  ]);
  return exceeded === undefined ? { ...emptyAttempt, lastingCounters: subjects, wait: 0 } : countStrangerAttempt(db, attempt);
}

/** Undoes the count of an attempt whose password was not checked after all. */
export const uncountAttempt = (
  db: Database,
  { storeId, ownCounters, sharedCounters, lastingCounters }: CountedAttempt,
): Promise<void> => decrementCounters(db, storeId, [...ownCounters, ...sharedCounters, ...lastingCounters], true);

/**
 * A correct password resets the failures of this session or network, and decrements the shared
 * counters by this attempt.
 */
export async function forgiveAttempts(db: Database, { storeId, ownCounters, sharedCounters }: CountedAttempt): Promise<void> {
  for (const subject of ownCounters) await resetCounter(db, storeId, subject);
  await decrementCounters(db, storeId, sharedCounters);
}
