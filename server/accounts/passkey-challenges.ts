import { randomBytes } from 'node:crypto';
import type { Database } from '../database/open.ts';
import { hashToken } from './tokens.ts';
import { realNow } from '../base/clock/time.ts';

/** Milliseconds within which a device has to answer. */
export const CHALLENGE_LIFETIME = 5 * 60_000;

/** Makes what a device is to sign: 256 random bits. @param userId who adds a passkey, or null where somebody signs in */
export async function makeChallenge(db: Database, storeId: string, userId: string | null): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(randomBytes(32));
  await db
    .insertInto('passkey_challenges')
    .values({
      challenge_hash: hashToken(Buffer.from(bytes).toString('base64url')),
      store_id: storeId,
      user_id: userId,
      expires_at: new Date(realNow() + CHALLENGE_LIFETIME),
    })
    .execute();
  return bytes;
}

/**
 * Takes a challenge, which nobody can use after that.
 * @param challenge base64url, as the device has signed it
 * @returns false when it is unknown, used, too old, of another store, or somebody else's
 */
export async function takeChallenge(
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
