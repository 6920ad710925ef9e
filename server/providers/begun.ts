import { hashToken } from '../accounts/tokens.ts';
import type { Database } from '../database/open.ts';
import type { Begun } from './provider.ts';

/** Minutes for which a sign-in that has begun can be finished. */
const MINUTES = 10;

/** Keeps what the end of a sign-in is compared with. */
export async function keepBegun(db: Database, storeId: string, providerId: string, begun: Begun): Promise<void> {
  await db
    .insertInto('provider_sign_ins')
    .values({
      state_hash: hashToken(begun.state),
      store_id: storeId,
      provider_id: providerId,
      verifier: begun.verifier,
      nonce: begun.nonce,
      return_url: begun.returnUrl,
      expires_at: new Date(Date.now() + MINUTES * 60_000),
    })
    .execute();
}

/** Takes a begun sign-in, which nobody can finish after that; undefined when it is unknown, finished, too old, or of another store. */
export async function takeBegun(
  db: Database,
  storeId: string,
  state: string,
): Promise<{ providerId: string; begun: Begun } | undefined> {
  const row = await db
    .deleteFrom('provider_sign_ins')
    .where('state_hash', '=', hashToken(state))
    .where('store_id', '=', storeId)
    .returningAll()
    .executeTakeFirst();
  if (!row || row.expires_at < new Date()) return undefined;
  const { verifier, nonce, return_url: returnUrl } = row;
  return { providerId: row.provider_id, begun: { state, verifier, nonce, returnUrl } };
}
