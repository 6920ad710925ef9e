import { hashToken } from '../accounts/tokens.ts';
import type { Database } from '../database/open.ts';
import type { Begun } from './provider.ts';
import { realNow } from '../base/clock/time.ts';

/** Minutes for which a sign-in that has begun can be finished. */
const MINUTES = 10;

/** Whose session joins a provider to their account. */
export type Joiner = { userId: string; tokenHash: string };

/** Keeps what the end of a sign-in is compared with. @param joiner null where somebody signs in */
export async function keepBegun(
  db: Database,
  storeId: string,
  providerId: string,
  begun: Begun,
  joiner: Joiner | null = null,
): Promise<void> {
  await db
    .insertInto('provider_sign_ins')
    .values({
      state_hash: hashToken(begun.state),
      store_id: storeId,
      provider_id: providerId,
      verifier: begun.verifier,
      nonce: begun.nonce,
      return_url: begun.returnUrl,
      user_id: joiner?.userId ?? null,
      token_hash: joiner?.tokenHash ?? null,
      expires_at: new Date(realNow() + MINUTES * 60_000),
    })
    .execute();
}

/**
 * Takes a begun sign-in, which nobody can finish after that. What a session has begun in order to join a provider is taken by that
 * session alone, and signs nobody in.
 * @returns undefined when it is unknown, finished, too old, of another store, or somebody else's
 */
export async function takeBegun(
  db: Database,
  storeId: string,
  state: string,
  joiner: Joiner | null = null,
): Promise<{ providerId: string; begun: Begun } | undefined> {
  const row = await db
    .deleteFrom('provider_sign_ins')
    .where('state_hash', '=', hashToken(state))
    .where('store_id', '=', storeId)
    .where('user_id', 'is not distinct from', joiner?.userId ?? null)
    .where('token_hash', 'is not distinct from', joiner?.tokenHash ?? null)
    .returningAll()
    .executeTakeFirst();
  if (!row || row.expires_at.getTime() < realNow()) return undefined;
  const { verifier, nonce, return_url: returnUrl } = row;
  return { providerId: row.provider_id, begun: { state, verifier, nonce, returnUrl } };
}
