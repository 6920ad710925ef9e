import { hashToken } from '../accounts/tokens.ts';
import type { Database } from '../database/open.ts';
import type { StartedSignIn } from './provider.ts';
import { realNow } from '../base/clock/time.ts';

/** Minutes within which a started sign-in can be finished. */
const SIGN_IN_MINUTES = 10;

/** The session that links a provider to its account. */
export type LinkingSession = { userId: string; tokenHash: string };

/**
 * Stores the values that the end of a sign-in is checked against. @param linkingSession null for a
 * sign-in
 */
export async function savePendingSignIn(
  db: Database,
  storeId: string,
  providerId: string,
  startedSignIn: StartedSignIn,
  linkingSession: LinkingSession | null = null,
): Promise<void> {
  await db
    .insertInto('provider_sign_ins')
    .values({
      state_hash: hashToken(startedSignIn.state),
      store_id: storeId,
      provider_id: providerId,
      verifier: startedSignIn.verifier,
      nonce: startedSignIn.nonce,
      return_url: startedSignIn.returnUrl,
      user_id: linkingSession?.userId ?? null,
      token_hash: linkingSession?.tokenHash ?? null,
      expires_at: new Date(realNow() + SIGN_IN_MINUTES * 60_000),
    })
    .execute();
}

/**
 * Deletes a started sign-in and returns it: it can be finished once. A sign-in that links a
 * provider to an account can only be finished by the session that started it, and signs no customer
 * in.
 * @returns undefined when it is unknown, finished, expired, or of another store or session
 */
export async function consumePendingSignIn(
  db: Database,
  storeId: string,
  state: string,
  linkingSession: LinkingSession | null = null,
): Promise<{ providerId: string; startedSignIn: StartedSignIn } | undefined> {
  const row = await db
    .deleteFrom('provider_sign_ins')
    .where('state_hash', '=', hashToken(state))
    .where('store_id', '=', storeId)
    .where('user_id', 'is not distinct from', linkingSession?.userId ?? null)
    .where('token_hash', 'is not distinct from', linkingSession?.tokenHash ?? null)
    .returningAll()
    .executeTakeFirst();
  if (!row || row.expires_at.getTime() < realNow()) return undefined;
  const { verifier, nonce, return_url: returnUrl } = row;
  return { providerId: row.provider_id, startedSignIn: { state, verifier, nonce, returnUrl } };
}
