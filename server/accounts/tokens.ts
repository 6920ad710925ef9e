import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../database/open.ts';
import { emailKey } from '../base/email.ts';
import { realNow } from '../base/clock/time.ts';

const ACCESS_DAYS = 30;
const DAY = 24 * 60 * 60 * 1000;

/** The customer that a live access token stands for. */
export type Customer = { id: string; email: string; name: string; tokenHash: string };

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Sessions of one device, and of all devices that name none: a browser may send a sign-in several times when its connection breaks. */
const MOST_SESSIONS = { device: 5, unnamed: 50 };

/** Ends the sessions of a device but for the latest. */
async function endOlder(db: Database, owner: Owner): Promise<void> {
  const sessions = db
    .selectFrom('tokens')
    .where('store_id', '=', owner.storeId)
    .where('user_id', '=', owner.userId)
    .where('kind', '=', 'access')
    .where('device_id', 'is not distinct from', owner.deviceId);
  const most = owner.deviceId === null ? MOST_SESSIONS.unnamed : MOST_SESSIONS.device;
  const older = sessions.select('hash').orderBy('created_at', 'desc').orderBy('hash').offset(most);
  await db.deleteFrom('tokens').where('hash', 'in', older).execute();
}

type Owner = { storeId: string; userId: string; deviceId: string | null };

/** Makes a token of 256 random bits. Only its hash is kept. @param lifetime milliseconds */
async function makeToken(
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
 * Makes an access token that lives for 30 days. Only `openSession` does, which knows that the
 * credential is current.
 */
export async function issueToken(db: Database, owner: Owner): Promise<string> {
  const token = await makeToken(db, 'access', owner, ACCESS_DAYS * DAY);
  await endOlder(db, owner);
  return token;
}

/** Minutes after signing in within which what cannot be undone may be done. */
const FRESH_MINUTES = 10;

/** Whether the customer's token was given a moment ago: whoever finds a browser signed in cannot do everything with it. */
export async function isFresh(db: Database, { tokenHash }: Customer): Promise<boolean> {
  const row = await db.selectFrom('tokens').select('created_at').where('hash', '=', tokenHash).executeTakeFirst();
  return row !== undefined && realNow() - row.created_at.getTime() < FRESH_MINUTES * 60_000;
}

/** Minutes for which a link for a new password is good, which the letter says. */
const RESET_MINUTES = 60;

/**
 * Makes a token that sets a new password once, while the account has the address that the link is
 * sent to.
 */
export const issueResetToken = (db: Database, owner: { storeId: string; userId: string; email: string }): Promise<string> =>
  makeToken(db, 'reset', { ...owner, deviceId: null }, RESET_MINUTES * 60_000);

/**
 * Whose new password a link sets, and whether the address has been shown to be theirs before;
 * undefined when it is unknown, used, expired, of another store, or was sent to an address that the
 * account has no more.
 */
export async function findReset(
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
const liveSession = (db: Database, storeId: string, tokenHash: string) =>
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
  const row = await liveSession(db, storeId, tokenHash).select(['users.id', 'users.email', 'users.name']).executeTakeFirst();
  return row && { ...row, tokenHash };
}

/** Whether a customer is still signed in by the token that `tokenHash` is the hash of. */
export async function isLiveSession(
  db: Database,
  { storeId, userId, tokenHash }: { storeId: string; userId: string; tokenHash: string },
): Promise<boolean> {
  const row = await liveSession(db, storeId, tokenHash).select('users.id').where('users.id', '=', userId).executeTakeFirst();
  return row !== undefined;
}

/** Ends the session of one token. */
export async function endSession(db: Database, { tokenHash }: Customer): Promise<void> {
  const now = new Date(realNow());
  await db.updateTable('tokens').set({ revoked_at: now }).where('hash', '=', tokenHash).where('revoked_at', 'is', null).execute();
}

/** Ends a customer's links for a new password. */
export const endLinks = (db: Database, owner: { storeId: string; userId: string }): Promise<void> => revoke(db, owner, ['reset']);

/** A session that stays when others end, and the secrets of its browser. */
type KeptSession = { tokenHash: string; deviceSecrets: readonly string[] };

/**
 * Ends a customer's links and sessions, but for the one in use, and makes the customer's devices
 * unknown, but for the browser in use. A device's id does not tell browsers apart: anyone may send
 * it.
 */
export async function endSessions(db: Database, owner: { storeId: string; userId: string }, kept?: KeptSession): Promise<void> {
  await revoke(db, owner, ['access', 'reset'], kept?.tokenHash);
  await db
    .updateTable('devices')
    .set({ secret_hash: null })
    .where('store_id', '=', owner.storeId)
    .where('user_id', '=', owner.userId)
    .where('secret_hash', 'not in', ['', ...(kept?.deviceSecrets ?? []).map(hashToken)])
    .execute();
}

async function revoke(
  db: Database,
  owner: { storeId: string; userId: string },
  kinds: ('access' | 'reset')[],
  kept = '',
): Promise<void> {
  await db
    .updateTable('tokens')
    .set({ revoked_at: new Date(realNow()) })
    .where('store_id', '=', owner.storeId)
    .where('user_id', '=', owner.userId)
    .where('kind', 'in', kinds)
    .where('hash', '!=', kept)
    .where('revoked_at', 'is', null)
    .execute();
}
