import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { DomainError } from '../kernel/errors.ts';
import { DEFAULT_PASSWORD_COST } from '../base/config.ts';
import { LimitedThreads, Overload, type TaskOwner, TaskTimeout, type ThreadLimits } from '../base/limited-threads.ts';
import type { Derivation } from './password-worker.ts';

const KEY_BYTES = 32;

/**
 * Maximum password checks in the queue. Each takes half a second at the default cost, so the last
 * one waits less than the 30 s timeout of pages.
 */
const MAX_QUEUED = 56;
const MAX_WAIT_MS = 28_000;
/** Queued password checks per known account, and per network of strangers. */
const MAX_QUEUED_PER_KEY = { first: 2, others: MAX_QUEUED / 2 };

/** Time limit of 20 times a usual derivation, which grows with the cost. */
const toThreadLimits = (cost: number): ThreadLimits => ({
  time: 10_000 * Math.max(1, cost / DEFAULT_PASSWORD_COST),
  memory: 64,
  queue: MAX_QUEUED,
  queuePerKey: MAX_QUEUED_PER_KEY,
  wait: MAX_WAIT_MS,
});

/** Hashes and checks passwords by scrypt. A hash includes its cost, so that it can rise later. */
export type Passwords = {
  /** @throws DomainError too_many_requests when the queue is full or the work takes too long */
  hash(password: string): Promise<string>;
  /**
   * Whether a password matches a hash. Without a hash, it checks a dummy hash in the same time: a
   * stranger cannot find out which addresses have an account.
   * @param owner the account or network that the check is for; `goesFirst` lets it overtake others,
   * so that guessing strangers do not keep a known device waiting
   * @throws DomainError too_many_requests when the queue is full or the work takes too long
   */
  matches(password: string, hash: string | null | undefined, owner?: TaskOwner): Promise<boolean>;
  close(): Promise<void>;
};

const formatHash = (cost: number, salt: Uint8Array, key: Uint8Array) =>
  ['scrypt', cost, Buffer.from(salt).toString('base64url'), Buffer.from(key).toString('base64url')].join('$');

const toBusyError = (error: unknown): unknown =>
  error instanceof Overload || error instanceof TaskTimeout
    ? new DomainError('too_many_requests', 'Too many people are signing in. Please try again in a moment.', {
        details: { retryAfterSeconds: 10 },
      })
    : error;

/**
 * Hashing runs on its own threads, one fewer than there are processors, so that neither file access
 * nor other calls wait for it.
 * @param cost scrypt's N: memory is 1 KiB times this
 * @param log receives errors of threads that crash outside a task
 */
export function createPasswords(cost: number, log: (error: unknown) => void): Passwords {
  const module = new URL('./password-worker.ts', import.meta.url);
  const threads = new LimitedThreads(module, Math.max(1, availableParallelism() - 1), toThreadLimits(cost), log);
  const derive = async (derivation: Derivation, owner?: TaskOwner): Promise<Uint8Array> => {
    try {
      return (await threads.run('derive', derivation, owner)) as Uint8Array;
    } catch (error) {
      throw toBusyError(error);
    }
  };
  const dummyHash = formatHash(cost, randomBytes(16), randomBytes(KEY_BYTES));
  return {
    async hash(password) {
      const salt = randomBytes(16);
      return formatHash(cost, salt, await derive({ password, salt, cost }));
    },
    async matches(password, hash, owner) {
      const [, storedCost, salt = '', key = ''] = (hash ?? dummyHash).split('$');
      const derivedKey = await derive({ password, salt: Buffer.from(salt, 'base64url'), cost: Number(storedCost) }, owner);
      const expectedKey = Buffer.from(key, 'base64url');
      return derivedKey.length === expectedKey.length && timingSafeEqual(derivedKey, expectedKey);
    },
    close: () => threads.close(),
  };
}
