import type { Database } from '../database/open.ts';
import { decrement, forget, incrementWithDelay, type Limit, type Waits } from './call-counters.ts';
import { countCall, limitOf, networkLimits, pairLimits } from './caller-limits.ts';
import { networkOf } from '../base/network.ts';
import type { RateLimit } from './limit-row.ts';
import { type LimitName, RATE_LIMITS } from './rate-limits.ts';

/** An attempt to enter the password of an account. */
export type Attempt = {
  storeId: string;
  /** the account's e-mail address, folded */
  email: string;
  /** the network address that the request came from */
  address: string;
  /** the account, where a session of its customer asks, or a device that it knows */
  known?: { userId: string; by: 'session' | 'device' } | undefined;
};

/** An attempt that was counted. */
export type CountedAttempt = {
  storeId: string;
  /** seconds to wait before the password may be checked; 0 when it may be checked now */
  wait: number;
  /** the counters that a right password wipes */
  own: string[];
  /** those that it takes one attempt back from */
  shared: string[];
  /** those that count right passwords, too: checking them is work for the whole shop */
  lasting: string[];
  /** by whom it waits for its check: a known account goes before strangers */
  owner: { key: string; goesFirst: boolean };
};

/** Waits by a limit of the table: attempts over it are checked one at a time. */
function waitsOf(name: LimitName, { maxCalls: free, minutes }: Pick<Limit, 'maxCalls' | 'minutes'>): Waits {
  const { waits }: RateLimit = RATE_LIMITS[name];
  if (waits === undefined) throw new Error(`The rate limit ${name} has no waits.`);
  return { free, maxWaitSeconds: waits.seconds, minutes, reopens: waits.reopens };
}

class MustWait extends Error {
  readonly seconds: number;
  constructor(seconds: number) {
    super('An attempt came before its wait was over.');
    this.seconds = seconds;
  }
}

/**
 * Counts a stranger's attempt under all of its limits, or under none where one of them says to
 * wait.
 */
async function countStranger(db: Database, { storeId, email, address }: Attempt): Promise<CountedAttempt> {
  const [pair, ...widerPairs] = pairLimits('pair', address, email) as [Limit, ...Limit[]];
  const networks = networkLimits('network', address);
  const account = limitOf('account', email);
  const limits = [...widerPairs, ...networks, account];
  const counters = [
    { subject: pair.subject, waits: waitsOf('pair', pair) },
    // Those of a whole /48 share waits as networks do.
    ...[...widerPairs, ...networks].map((each) => ({ ...each, waits: waitsOf('network', each) })),
    { ...account, waits: waitsOf('account', account) },
  ];
  const attempt = {
    storeId,
    own: [pair.subject],
    shared: limits.map(({ subject }) => subject),
    lasting: [],
    owner: { key: networkOf(address), goesFirst: false },
  };
  try {
    await db.transaction().execute(async (trx) => {
      for (const { subject, waits } of counters) {
        const seconds = await incrementWithDelay(trx, storeId, subject, waits);
        if (seconds > 0) throw new MustWait(seconds);
      }
    });
    return { ...attempt, wait: 0 };
  } catch (error) {
    if (!(error instanceof MustWait)) throw error;
    return { ...attempt, wait: error.seconds };
  }
}

/**
 * Counts an attempt before its password is checked, so that a burst of parallel guesses cannot slip
 * through. An account's known devices and its sessions are counted by themselves: strangers cannot
 * keep its customer out. Devices over their limit are counted like strangers.
 */
export async function countAttempt(db: Database, attempt: Attempt): Promise<CountedAttempt> {
  const { storeId, known } = attempt;
  if (known === undefined) return countStranger(db, attempt);
  const { userId, by } = known;
  const owner = { key: userId, goesFirst: true };
  const none = { storeId, own: [], shared: [], lasting: [], owner };
  if (by === 'session') {
    const limit = limitOf('password-session', userId);
    const wait = await incrementWithDelay(db, storeId, limit.subject, waitsOf('password-session', limit));
    return { ...none, own: [limit.subject], wait };
  }
  const { subjects, exceeded } = await countCall(db, storeId, [
    limitOf('password-device', userId),
    limitOf('password-device-day', userId),
  ]);
  return exceeded === undefined ? { ...none, lasting: subjects, wait: 0 } : countStranger(db, attempt);
}

/** Takes an attempt back whose password was not checked after all. */
export const uncountAttempt = (db: Database, { storeId, own, shared, lasting }: CountedAttempt): Promise<void> =>
  decrement(db, storeId, [...own, ...shared, ...lasting], true);

/**
 * A right password wipes the failures of this session or network, and takes back what was counted
 * for others too.
 */
export async function forgiveAttempts(db: Database, { storeId, own, shared }: CountedAttempt): Promise<void> {
  for (const subject of own) await forget(db, storeId, subject);
  await decrement(db, storeId, shared);
}
