import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { DomainError } from '../kernel/errors.ts';
import { DEFAULT_PASSWORD_COST } from '../base/config.ts';
import { LimitedThreads, Overload, type TaskOwner, TaskTimeout, type ThreadLimits } from '../base/limited-threads.ts';
import type { Derivation } from './password-worker.ts';

const KEY_BYTES = 32;

/** Half a second each at the usual cost: the last of those who wait does so for less than the half minute that pages do. */
const QUEUE = 56;
const LONGEST_WAIT = 28_000;
/** Passwords of one known account, and of strangers in one network, that wait at a time. */
const QUEUE_PER_KEY = { first: 2, others: QUEUE / 2 };

/** Twenty times what one takes on a usual machine; the cost is the time. */
const limitsFor = (cost: number): ThreadLimits => ({
  time: 10_000 * Math.max(1, cost / DEFAULT_PASSWORD_COST),
  memory: 64,
  queue: QUEUE,
  queuePerKey: QUEUE_PER_KEY,
  wait: LONGEST_WAIT,
});

/** Hashes and checks passwords by scrypt. A hash names its own cost, so that the cost can rise later. */
export type Passwords = {
  /** @throws DomainError too_many_requests when too many wait already */
  hash(password: string): Promise<string>;
  /**
   * Checks against nothing, in the same time, when there is no hash: a stranger cannot tell which addresses are known.
   * @param owner the account or network that the check is for; `goesFirst` lets it past others, so
   * that strangers who guess do not keep a known device waiting
   * @throws DomainError too_many_requests when too many wait already
   */
  matches(password: string, hash: string | null | undefined, owner?: TaskOwner): Promise<boolean>;
  close(): Promise<void>;
};

const write = (cost: number, salt: Uint8Array, key: Uint8Array) =>
  ['scrypt', cost, Buffer.from(salt).toString('base64url'), Buffer.from(key).toString('base64url')].join('$');

const busy = (error: unknown): unknown =>
  error instanceof Overload || error instanceof TaskTimeout
    ? new DomainError('too_many_requests', 'Too many people are signing in. Please try again in a moment.', {
        details: { retryAfterSeconds: 10 },
      })
    : error;

/**
 * The work is done on threads of its own, all processors but one at most: neither files nor other calls wait for it.
 * @param cost scrypt's N: memory is 1 KiB times this
 * @param log hears of threads that die by themselves
 */
export function createPasswords(cost: number, log: (error: unknown) => void): Passwords {
  const module = new URL('./password-worker.ts', import.meta.url);
  const threads = new LimitedThreads(module, Math.max(1, availableParallelism() - 1), limitsFor(cost), log);
  const derive = async (derivation: Derivation, owner?: TaskOwner): Promise<Uint8Array> => {
    try {
      return (await threads.run('derive', derivation, owner)) as Uint8Array;
    } catch (error) {
      throw busy(error);
    }
  };
  const nobody = write(cost, randomBytes(16), randomBytes(KEY_BYTES));
  return {
    async hash(password) {
      const salt = randomBytes(16);
      return write(cost, salt, await derive({ password, salt, cost }));
    },
    async matches(password, hash, owner) {
      const [, storedCost, salt = '', key = ''] = (hash ?? nobody).split('$');
      const derived = await derive({ password, salt: Buffer.from(salt, 'base64url'), cost: Number(storedCost) }, owner);
      const expected = Buffer.from(key, 'base64url');
      return derived.length === expected.length && timingSafeEqual(derived, expected);
    },
    close: () => threads.close(),
  };
}
