import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { Refusal } from '../api/refusal.ts';
import type { Derivation } from './password-worker.ts';

const KEY_BYTES = 32;

/** Passwords that may wait for a thread; at half a second each, the last one waits for about a quarter of a minute. */
const QUEUE = 32;

/** Hashes and checks passwords by scrypt. A hash names its own cost, so that the cost can rise later. */
export type Passwords = {
  /** @throws Refusal 429 when too many wait already */
  hash(password: string): Promise<string>;
  /**
   * Checks against nothing, in the same time, when there is no hash: a stranger cannot tell which addresses are known.
   * @throws Refusal 429 when too many wait already
   */
  matches(password: string, hash: string | null | undefined): Promise<boolean>;
  close(): Promise<void>;
};

const write = (cost: number, salt: Uint8Array, key: Uint8Array) =>
  ['scrypt', cost, Buffer.from(salt).toString('base64url'), Buffer.from(key).toString('base64url')].join('$');

/**
 * The work is done on threads of its own, all processors but one at most: neither files nor other calls wait for it.
 * @param cost scrypt's N: memory is 1 KiB times this
 */
export function createPasswords(cost: number): Passwords {
  const threads = new Piscina<Derivation, Uint8Array>({
    filename: new URL('./password-worker.ts', import.meta.url).href,
    name: 'derive',
    minThreads: 0,
    maxThreads: Math.max(1, availableParallelism() - 1),
    idleTimeout: 60_000,
    maxQueue: QUEUE,
  });
  const derive = async (derivation: Derivation): Promise<Uint8Array> => {
    if (threads.queueSize >= QUEUE)
      throw new Refusal(429, 'Too many people are signing in. Please try again in a moment.', {
        extra: { retryAfterSeconds: 10 },
      });
    return threads.run(derivation);
  };
  const nobody = write(cost, randomBytes(16), randomBytes(KEY_BYTES));
  return {
    async hash(password) {
      const salt = randomBytes(16);
      return write(cost, salt, await derive({ password, salt, cost }));
    },
    async matches(password, hash) {
      const [, storedCost, salt = '', key = ''] = (hash ?? nobody).split('$');
      const derived = await derive({ password, salt: Buffer.from(salt, 'base64url'), cost: Number(storedCost) });
      const expected = Buffer.from(key, 'base64url');
      return derived.length === expected.length && timingSafeEqual(derived, expected);
    },
    close: () => threads.destroy(),
  };
}
