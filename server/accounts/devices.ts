import type { Database } from '../database/open.ts';

/** The device, if it has signed in to this account before and was not removed. */
export async function knownDevice(
  db: Database,
  { storeId, userId, id }: { storeId: string; userId: string | undefined; id: string | undefined },
): Promise<string | null> {
  if (userId === undefined || id === undefined) return null;
  const row = await db
    .selectFrom('devices')
    .select('id')
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return row?.id ?? null;
}

const devices = (db: Database, storeId: string, id: string) =>
  db.selectFrom('devices').where('devices.store_id', '=', storeId).where('devices.id', '=', id).where('removed_at', 'is', null);

/**
 * The customer who signed in first on a device that was not removed: one customer, even if others
 * have used the device.
 */
export async function deviceOwner(db: Database, storeId: string, id: string | undefined): Promise<string | undefined> {
  if (id === undefined) return undefined;
  const row = await devices(db, storeId, id)
    .select('user_id')
    .orderBy('registered_at')
    .orderBy('user_id')
    .limit(1)
    .executeTakeFirst();
  return row?.user_id;
}

/**
 * The device, if the account of an e-mail address (folded) knows it; an unknown address takes the
 * same query.
 */
export async function deviceOfEmail(
  db: Database,
  storeId: string,
  id: string | undefined,
  email: string,
): Promise<string | null> {
  if (id === undefined) return null;
  const users = db
    .selectFrom('users')
    .select('users.id')
    .where('store_id', '=', storeId)
    .where('email_key', '=', email)
    .where('deleted_at', 'is', null);
  const row = await devices(db, storeId, id).select('devices.id').where('user_id', 'in', users).executeTakeFirst();
  return row?.id ?? null;
}

/** The device, if the account that an identity opens knows it. */
export async function deviceOfIdentity(
  db: Database,
  storeId: string,
  id: string | undefined,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<string | null> {
  if (id === undefined) return null;
  const users = db
    .selectFrom('identities')
    .select('user_id')
    .where('store_id', '=', storeId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject);
  const row = await devices(db, storeId, id).select('devices.id').where('user_id', 'in', users).executeTakeFirst();
  return row?.id ?? null;
}

/** Notes that a device has signed in; one that was removed comes back. */
export async function registerDevice(
  db: Database,
  device: { storeId: string; userId: string; id: string | undefined; name: string | undefined },
): Promise<string | null> {
  if (device.id === undefined) return null;
  const name = device.name?.trim() || 'Unnamed device';
  await db
    .insertInto('devices')
    .values({ store_id: device.storeId, user_id: device.userId, id: device.id, name, removed_at: null })
    .onConflict((conflict) =>
      conflict.columns(['store_id', 'user_id', 'id']).doUpdateSet({ name, last_seen_at: new Date(), removed_at: null }),
    )
    .execute();
  return device.id;
}

/** Where the customer is signed in, the latest first. */
export const customerDevices = (db: Database, { storeId, userId }: { storeId: string; userId: string }) =>
  db
    .selectFrom('devices')
    .select(['id', 'name', 'registered_at', 'last_seen_at'])
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('removed_at', 'is', null)
    // A new password, for one, ends sessions, and leaves the device known.
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('tokens')
          .select('tokens.device_id')
          .whereRef('tokens.store_id', '=', 'devices.store_id')
          .whereRef('tokens.user_id', '=', 'devices.user_id')
          .whereRef('tokens.device_id', '=', 'devices.id')
          .where('tokens.revoked_at', 'is', null)
          .where('tokens.expires_at', '>', new Date()),
      ),
    )
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute();
