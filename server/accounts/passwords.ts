import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

const KEY_BYTES = 32;
const BLOCK = 8;

/** Hashes and checks passwords by scrypt. A hash names its own cost, so that the cost can rise later. */
export type Passwords = {
  hash(password: string): Promise<string>;
  /** Checks against nothing, in the same time, when there is no hash: a stranger cannot tell which addresses are known. */
  matches(password: string, hash: string | null | undefined): Promise<boolean>;
};

function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  // scrypt needs 128 bytes for each unit of cost and block; Node refuses beyond maxmem.
  const options = { N: cost, r: BLOCK, p: 1, maxmem: 128 * cost * BLOCK * 2 };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, KEY_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

const write = (cost: number, salt: Buffer, key: Buffer) =>
  ['scrypt', cost, salt.toString('base64url'), key.toString('base64url')].join('$');

/** @param cost scrypt's N: memory is 1 KiB times this */
export function createPasswords(cost: number): Passwords {
  const nobody = write(cost, randomBytes(16), randomBytes(KEY_BYTES));
  return {
    async hash(password) {
      const salt = randomBytes(16);
      return write(cost, salt, await derive(password, salt, cost));
    },
    async matches(password, hash) {
      const [, storedCost, salt = '', key = ''] = (hash ?? nobody).split('$');
      const derived = await derive(password, Buffer.from(salt, 'base64url'), Number(storedCost));
      const expected = Buffer.from(key, 'base64url');
      return derived.length === expected.length && timingSafeEqual(derived, expected);
    },
  };
}
