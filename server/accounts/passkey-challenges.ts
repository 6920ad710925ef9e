import { randomBytes } from 'node:crypto';
import type { Database } from '../database/open.ts';
import { hashToken } from './tokens.ts';
import { realNow } from '../base/clock/time.ts';

/** Lifetime of a challenge in milliseconds: a device must answer within it. */
export const CHALLENGE_LIFETIME_MS = 5 * 60_000;

/**
 * Makes a challenge of 256 random bits for a device to sign.
 * @param userId the customer who adds a passkey; null for a sign-in
 */
export async function createChallenge(db: Database, storeId: string, userId: string | null): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(randomBytes(32));
  await db
    .insertInto('passkey_challenges')
    .values({
      challenge_hash: hashToken(Buffer.from(bytes).toString('base64url')),
      store_id: storeId,
      user_id: userId,
      expires_at: new Date(realNow() + CHALLENGE_LIFETIME_MS),
    })
    .execute();
  return bytes;
}

/**
 * Uses up a challenge: it is valid once.
 * @param challenge base64url, as the device has signed it
 * @returns false when it is unknown, used, expired, or of another store or customer
 */
export async function consumeChallenge(
  db: Database,
  challenge: string,
  { storeId, userId }: { storeId: string; userId: string | null },
): Promise<boolean> {
  const row = await db
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', hashToken(challenge))
    .where('store_id', '=', storeId)
    .where('user_id', 'is not distinct from', userId)
    .returning('expires_at')
    .executeTakeFirst();
  return row !== undefined && row.expires_at.getTime() > realNow();
}
