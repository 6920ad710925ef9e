import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../database/open.ts';
import { emailKey } from '../base/email.ts';
import { realNow } from '../base/clock/time.ts';

const ACCESS_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The customer that a live access token belongs to. */
export type Customer = { id: string; email: string; name: string; tokenHash: string };

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

/**
 * Sessions per device, and for all devices without an id together: a browser may repeat a sign-in
 * several times when its connection breaks.
 */
const MAX_SESSIONS = { device: 5, unnamed: 50 };

/** Ends the oldest sessions of a device, beyond its maximum. */
async function endOldestSessions(db: Database, owner: Owner): Promise<void> {
  const sessions = db
    .selectFrom('tokens')
    .where('store_id', '=', owner.storeId)
    .where('user_id', '=', owner.userId)
    .where('kind', '=', 'access')
    .where('device_id', 'is not distinct from', owner.deviceId);
  const maxSessions = owner.deviceId === null ? MAX_SESSIONS.unnamed : MAX_SESSIONS.device;
  const olderHashes = sessions.select('hash').orderBy('created_at', 'desc').orderBy('hash').offset(maxSessions);
  await db.deleteFrom('tokens').where('hash', 'in', olderHashes).execute();
}

type Owner = { storeId: string; userId: string; deviceId: string | null };

/**
 * Makes a token of 256 random bits and stores only its hash.
 * @param lifetime milliseconds
 */
async function createToken(
  db: Database,
  kind: 'access' | 'reset',
  owner: Owner & { email?: string },
  lifetime: number,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db
    .insertInto('tokens')
    .values({
      hash: hashToken(token),
      store_id: owner.storeId,
      user_id: owner.userId,
      kind,
      device_id: owner.deviceId,
      email_key: owner.email === undefined ? null : emailKey(owner.email),
      expires_at: new Date(realNow() + lifetime),
      revoked_at: null,
    })
    .execute();
  return token;
}

/**
 * Makes an access token that lives for 30 days. Called only by `openSession`, which has verified
 * that the credential is current.
 */
export async function issueToken(db: Database, owner: Owner): Promise<string> {
  const token = await createToken(db, 'access', owner, ACCESS_DAYS * DAY_MS);
  await endOldestSessions(db, owner);
  return token;
}

/** Minutes after sign-in within which irreversible actions are allowed. */
const RECENT_SIGN_IN_MINUTES = 10;

/**
 * Whether the token was issued within the last few minutes. A stranger at a browser that was left
 * signed in must not do irreversible things.
 */
export async function isRecentSignIn(db: Database, { tokenHash }: Customer): Promise<boolean> {
  const row = await db.selectFrom('tokens').select('created_at').where('hash', '=', tokenHash).executeTakeFirst();
  return row !== undefined && realNow() - row.created_at.getTime() < RECENT_SIGN_IN_MINUTES * 60_000;
}

/** Lifetime of a password reset link in minutes; the e-mail states it. */
const RESET_LINK_MINUTES = 60;

/**
 * Makes a token that resets the password once, as long as the account still has the address that
 * the link is sent to.
 */
export const issueResetToken = (db: Database, owner: { storeId: string; userId: string; email: string }): Promise<string> =>
  createToken(db, 'reset', { ...owner, deviceId: null }, RESET_LINK_MINUTES * 60_000);

/**
 * The customer of a password reset link, and whether their address was verified before. Undefined
 * when the token is unknown, used, expired, of another store, or was sent to an address that the
 * account no longer has.
 */
export async function findResetLink(
  db: Database,
  storeId: string,
  token: string,
): Promise<{ userId: string; email: string; isVerified: boolean } | undefined> {
  const row = await db
    .selectFrom('tokens')
    .innerJoin('users', (join) => join.onRef('users.store_id', '=', 'tokens.store_id').onRef('users.id', '=', 'tokens.user_id'))
    .select(['users.id as userId', 'users.email', 'users.email_verified_at'])
    .where('tokens.hash', '=', hashToken(token))
    .where('tokens.store_id', '=', storeId)
    .where('tokens.kind', '=', 'reset')
    .whereRef('tokens.email_key', '=', 'users.email_key')
    .where('tokens.revoked_at', 'is', null)
    .where('tokens.expires_at', '>', new Date(realNow()))
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst();
  return row && { userId: row.userId, email: row.email, isVerified: row.email_verified_at !== null };
}

/**
 * The session of an access token, unless it is unknown, expired, revoked, of another store, or of a
 * deleted customer.
 */
const selectLiveSession = (db: Database, storeId: string, tokenHash: string) =>
  db
    .selectFrom('tokens')
    .innerJoin('users', (join) => join.onRef('users.store_id', '=', 'tokens.store_id').onRef('users.id', '=', 'tokens.user_id'))
    .where('tokens.hash', '=', tokenHash)
    .where('tokens.store_id', '=', storeId)
    .where('tokens.kind', '=', 'access')
    .where('tokens.revoked_at', 'is', null)
    .where('tokens.expires_at', '>', new Date(realNow()))
    .where('users.deleted_at', 'is', null);

/** The token's customer, or undefined when its session is not live. */
export async function findCustomer(db: Database, storeId: string, token: string): Promise<Customer | undefined> {
  const tokenHash = hashToken(token);
  const row = await selectLiveSession(db, storeId, tokenHash)
    .select(['users.id', 'users.email', 'users.name'])
    .executeTakeFirst();
  return row && { ...row, tokenHash };
}

/** Whether the customer is still signed in by the token with this hash. */
export async function isLiveSession(
  db: Database,
  { storeId, userId, tokenHash }: { storeId: string; userId: string; tokenHash: string },
): Promise<boolean> {
  const row = await selectLiveSession(db, storeId, tokenHash)
    .select('users.id')
    .where('users.id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends the session of one token. */
export async function endSession(db: Database, { tokenHash }: Customer): Promise<void> {
  const now = new Date(realNow());
  await db.updateTable('tokens').set({ revoked_at: now }).where('hash', '=', tokenHash).where('revoked_at', 'is', null).execute();
}

/** Revokes a customer's password reset links. */
export const endResetLinks = (db: Database, owner: { storeId: string; userId: string }): Promise<void> =>
  revoke(db, owner, ['reset']);

/** The session that stays when others end, and the device secrets of its browser. */
type RemainingSession = { tokenHash: string; deviceSecrets: readonly string[] };

/**
 * Revokes a customer's reset links and sessions except the current one, and clears the secrets of
 * all devices except the current browser. A device id does not identify a browser: any caller may
 * send it.
 */
export async function endSessions(
  db: Database,
  owner: { storeId: string; userId: string },
  remainingSession?: RemainingSession,
): Promise<void> {
  await revoke(db, owner, ['access', 'reset'], remainingSession?.tokenHash);
  await db
    .updateTable('devices')
    .set({ secret_hash: null })
    .where('store_id', '=', owner.storeId)
    .where('user_id', '=', owner.userId)
    .where('secret_hash', 'not in', ['', ...(remainingSession?.deviceSecrets ?? []).map(hashToken)])
    .execute();
}

async function revoke(
  db: Database,
  owner: { storeId: string; userId: string },
  kinds: ('access' | 'reset')[],
  remainingHash = '',
): Promise<void> {
  await db
    .updateTable('tokens')
    .set({ revoked_at: new Date(realNow()) })
    .where('store_id', '=', owner.storeId)
    .where('user_id', '=', owner.userId)
    .where('kind', 'in', kinds)
    .where('hash', '!=', remainingHash)
    .where('revoked_at', 'is', null)
    .execute();
}
