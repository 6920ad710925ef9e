import type { Database } from '../database/open.ts';
import { decrement, forget, incrementWithDelay, type Limit, type Waits } from './call-counters.ts';
import { countCall, DAY_MINUTES, networkLimits, networkOf, QUARTER_MINUTES } from './caller-limits.ts';

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

/**
 * Wrong passwords for one account from one network, or from its sessions, without a wait; each
 * further one doubles it, from 2 s.
 */
const FREE_GUESSES = 5;
const MAX_WAIT_SECONDS = QUARTER_MINUTES * 60;

/** Wrong passwords within a quarter of an hour after which others are checked one at a time. */
const MAX_GUESSES = {
  /** from one network, for any accounts: slows one password tried with many accounts */
  network: 60,
  /** for one account from all strangers together: slows a guesser with many networks */
  account: 200,
};
/**
 * Passwords for one account from all devices that it knows, right ones too: more than a customer
 * types. The day's limit is for a person who finds a device that its customer has signed out of.
 */
const MAX_FROM_DEVICES = { quarter: 100, day: 400 };
/**
 * The longest wait between two of those: short, since strangers can keep the owner's new devices
 * waiting by it.
 */
const MAX_SHARED_WAIT_SECONDS = 30;

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

/** Strangers over one of these limits are checked one at a time, after waits that grow. */
const slowed = ({ maxCalls, minutes }: Limit): Waits => ({
  free: maxCalls,
  maxWaitSeconds: MAX_SHARED_WAIT_SECONDS,
  minutes,
  reopens: false,
});

const OWN_WAITS: Waits = { free: FREE_GUESSES, maxWaitSeconds: MAX_WAIT_SECONDS, minutes: QUARTER_MINUTES, reopens: true };

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
  const window = { minutes: QUARTER_MINUTES };
  const pairs = networkLimits(address, { ...window, maxCalls: FREE_GUESSES }, (network) => `pair:${network} ${email}`);
  const [pair, ...widerPairs] = pairs as [Limit, ...Limit[]];
  const limits = [
    ...widerPairs,
    ...networkLimits(address, { ...window, maxCalls: MAX_GUESSES.network }, (network) => `network:${network}`),
    { subject: `account:${email}`, maxCalls: MAX_GUESSES.account, ...window },
  ];
  const counters = [{ subject: pair.subject, waits: OWN_WAITS }, ...limits.map((limit) => ({ ...limit, waits: slowed(limit) }))];
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
    const subject = `password-session:${userId}`;
    return { ...none, own: [subject], wait: await incrementWithDelay(db, storeId, subject, OWN_WAITS) };
  }
  const { subjects, exceeded } = await countCall(db, storeId, [
    { subject: `password-device:${userId}`, maxCalls: MAX_FROM_DEVICES.quarter, minutes: QUARTER_MINUTES },
    { subject: `password-device-day:${userId}`, maxCalls: MAX_FROM_DEVICES.day, minutes: DAY_MINUTES },
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
