import { note } from '../accounts/audit.ts';
import { lockCustomer } from '../accounts/lock-customer.ts';
import { element, fields } from '../xml/write.ts';
import type { Answer, CustomerCall } from './call.ts';
import { done } from './done.ts';
import { notFound } from './refusal.ts';

/** Where the customer has signed in, the latest first. */
export async function userDevices({ services, store, customer }: CustomerCall<'userDevices'>): Answer<'userDevices'> {
  const rows = await services.db
    .selectFrom('devices')
    .select(['id', 'name', 'registered_at', 'last_seen_at'])
    .where('store_id', '=', store.id)
    .where('user_id', '=', customer.id)
    .where('removed_at', 'is', null)
    // Where a new password, say, has ended all sessions, nobody is signed in any more.
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
  const devices = rows.map((row) =>
    fields({
      DeviceId: row.id,
      Name: row.name,
      RegisteredAt: row.registered_at.toISOString(),
      LastSeenAt: row.last_seen_at.toISOString(),
    }),
  );
  return element(
    'Devices',
    devices.map((device) => element('Device', [device])),
  );
}

/** Ends a device and whoever is signed in there. @throws Refusal 404 for a device that the customer does not have */
export async function deregisterDevice(call: CustomerCall<'deregisterDevice'>): Answer<'deregisterDevice'> {
  const { services, store, customer, request, body } = call;
  const now = new Date();
  await services.db.transaction().execute(async (trx) => {
    await lockCustomer(trx, store.id, customer.id);
    const removed = await trx
      .updateTable('devices')
      .set({ removed_at: now })
      .where('store_id', '=', store.id)
      .where('user_id', '=', customer.id)
      .where('id', '=', body.DeviceId)
      .where('removed_at', 'is', null)
      .executeTakeFirst();
    if (removed.numUpdatedRows === 0n) throw notFound('device');
    await trx
      .updateTable('tokens')
      .set({ revoked_at: now })
      .where('store_id', '=', store.id)
      .where('user_id', '=', customer.id)
      .where('device_id', '=', body.DeviceId)
      .where('revoked_at', 'is', null)
      .execute();
    await note(trx, 'device_signed_out', { storeId: store.id, userId: customer.id, address: request.ip });
  });
  return done();
}
