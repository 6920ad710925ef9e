import { scryptSync } from 'node:crypto';
import { constants, setPriority } from 'node:os';

export type Derivation = { password: string; salt: Uint8Array; cost: number };

const KEY_BYTES = 32;
const BLOCK = 8;

// On Linux a thread has a priority of its own: whoever signs in waits a little, not everybody else.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/** scrypt's key of a password. It needs 128 bytes for each unit of cost and block; Node refuses beyond maxmem. */
export const derive = ({ password, salt, cost }: Derivation): Uint8Array =>
  scryptSync(password.normalize('NFC'), salt, KEY_BYTES, { N: cost, r: BLOCK, p: 1, maxmem: 128 * cost * BLOCK * 2 });
