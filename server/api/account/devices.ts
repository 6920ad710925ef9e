import { listDevices, endDevice } from '../../accounts/devices.ts';
import { lockForSession } from '../../kernel/lock-customer.ts';
import { renderElement, renderFields } from '../../base/xml/write.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { okResult } from '../calls/ok-result.ts';
import { notFound } from '../../kernel/errors.ts';
import { requireRecentSignIn } from '../calls/require-recent-sign-in.ts';

/**
 * Returns the devices that the account knows, the latest first, and whether the customer is signed
 * in on each.
 */
export async function userDevices({ services, store, customer }: CustomerCall<'userDevices'>): Answer<'userDevices'> {
  const rows = await listDevices(services.db, { storeId: store.id, userId: customer.id });
  const devices = rows.map((row) =>
    renderFields({
      DeviceId: row.id,
      Name: row.name,
      RegisteredAt: row.registered_at.toISOString(),
      LastSeenAt: row.last_seen_at.toISOString(),
      SignedIn: row.is_signed_in,
    }),
  );
  return renderElement(
    'Devices',
    devices.map((device) => renderElement('Device', [device])),
  );
}

/**
 * Removes a device and ends its sessions.
 * @throws DomainError not_found for a device that the customer does not have, conflict
 * sign_in_again where the last sign-in is too long ago
 */
export async function deregisterDevice(call: CustomerCall<'deregisterDevice'>): Answer<'deregisterDevice'> {
  const { services, store, customer, request, body } = call;
  await requireRecentSignIn(call);
  const owner = { storeId: store.id, userId: customer.id, address: request.ip };
  await services.db.transaction().execute(async (trx) => {
    await lockForSession(trx, store.id, customer);
    if (!(await endDevice(trx, owner, body.DeviceId))) throw notFound('device');
  });
  return okResult();
}
