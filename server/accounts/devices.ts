import type { Database } from '../database/open.ts';

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
