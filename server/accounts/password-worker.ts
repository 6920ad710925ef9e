import { scryptSync } from 'node:crypto';
import { constants, setPriority } from 'node:os';

export type Derivation = { password: string; salt: Uint8Array; cost: number };

const KEY_BYTES = 32;
const SCRYPT_BLOCK_SIZE = 8;

// On Linux each thread has its own priority: a sign-in waits a little longer, other requests do
// not.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/**
 * Derives the scrypt key of a password. It needs 128 bytes per unit of cost and block size; Node
 * refuses to use more than `maxmem`.
 */
export const derive = ({ password, salt, cost }: Derivation): Uint8Array =>
  scryptSync(password.normalize('NFC'), salt, KEY_BYTES, {
    N: cost,
    r: SCRYPT_BLOCK_SIZE,
    p: 1,
    maxmem: 128 * cost * SCRYPT_BLOCK_SIZE * 2,
  });
