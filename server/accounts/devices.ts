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
