import { randomBytes } from 'node:crypto';
import type { ExpressionBuilder } from 'kysely';
import type { Database } from '../database/open.ts';
import type { Tables } from '../database/schema/tables.ts';
import { writeAuditLog } from '../kernel/audit.ts';
import { hashToken } from './tokens.ts';
import { realNow, shopNow } from '../base/clock/time.ts';

/**
 * The account that a device may belong to: by its id, the comparison key of its e-mail address, or
 * an identity.
 */
type DeviceOwner = { userId: string } | { email: string } | { issuer: string; subject: string };

/** A customer and the network address of their request. */
export type DeviceRequest = { storeId: string; userId: string; address: string };

/** Bytes of the secret that makes a device known. */
const SECRET_BYTES = 32;
/** Devices of an account that are known, the last ones signed in on. */
const MAX_KNOWN_DEVICES = 20;
/** Devices of an account that are listed; a further one removes the one unseen longest. */
const MAX_DEVICES = 50;

/**
 * The account that has registered a device with one of these secrets, the latest sign-in first.
 * Unknown accounts run the same query as known ones.
 * @param secrets sent by the browser
 * @param deviceOwner restricts the search to one account; any account when omitted
 */
export async function findKnownDevice(
  db: Database,
  storeId: string,
  secrets: readonly string[],
  deviceOwner?: DeviceOwner,
): Promise<{ userId: string; secret: string } | undefined> {
  if (secrets.length === 0) return undefined;
  const secretByHash = new Map(secrets.map((secret) => [hashToken(secret), secret]));
  let query = db
    .selectFrom('devices')
    .select(['user_id', 'secret_hash'])
    .where('store_id', '=', storeId)
    .where('secret_hash', 'in', [...secretByHash.keys()])
    .where('removed_at', 'is', null)
    .orderBy('last_seen_at', 'desc');
  if (deviceOwner && 'userId' in deviceOwner) query = query.where('user_id', '=', deviceOwner.userId);
  if (deviceOwner && 'email' in deviceOwner)
    query = query.where('user_id', 'in', ({ selectFrom }) =>
      selectFrom('users')
        .select('users.id')
        .where('users.store_id', '=', storeId)
        .where('users.email_key', '=', deviceOwner.email)
        .where('users.deleted_at', 'is', null),
    );
  if (deviceOwner && 'issuer' in deviceOwner)
    query = query.where('user_id', 'in', ({ selectFrom }) =>
      selectFrom('identities')
        .select('identities.user_id')
        .where('identities.store_id', '=', storeId)
        .where('identities.issuer', '=', deviceOwner.issuer)
        .where('identities.subject', '=', deviceOwner.subject),
    );
  const row = await query.executeTakeFirst();
  const secret = secretByHash.get(row?.secret_hash ?? '');
  return row && secret !== undefined ? { userId: row.user_id, secret } : undefined;
}

/**
 * A device that signs in: id and name as its browser sends them, and the device secrets from its
 * cookies.
 */
type DeviceSignIn = { id: string | undefined; name: string | undefined; secrets: readonly string[] };

/**
 * Registers the sign-in of a device, under the customer's lock; a device that was removed is listed
 * again. A device whose secrets belong to no device of this account gets a new secret: another
 * customer may have the old ones.
 * @returns null for a sign-in without a device id: such a device stays unknown
 */
export async function registerDevice(
  trx: Database,
  request: DeviceRequest,
  { id, name: requestedName, secrets }: DeviceSignIn,
): Promise<{ id: string; secret: string } | null> {
  if (id === undefined) return null;
  const { storeId, userId } = request;
  const knownDevice = await findKnownDevice(trx, storeId, secrets, { userId });
  const secret = knownDevice?.secret ?? randomBytes(SECRET_BYTES).toString('base64url');
  const deviceRow = { name: requestedName?.trim() || 'Unnamed device', last_seen_at: shopNow(), secret_hash: hashToken(secret) };
  // Where the browser has lost its device id but kept its cookie, its secret moves to the new id.
  if (knownDevice)
    await trx
      .updateTable('devices')
      .set({ secret_hash: null })
      .where('store_id', '=', storeId)
      .where('secret_hash', '=', deviceRow.secret_hash)
      .execute();
  await trx
    .insertInto('devices')
    .values({ store_id: storeId, user_id: userId, id, ...deviceRow, removed_at: null })
    .onConflict((conflict) => conflict.columns(['store_id', 'user_id', 'id']).doUpdateSet({ ...deviceRow, removed_at: null }))
    .execute();
  await forgetOlderDevices(trx, request, id);
  return { id, secret };
}

/** Clears the secrets of the customer's older devices, and removes those unseen longest. */
async function forgetOlderDevices(trx: Database, request: DeviceRequest, currentDeviceId: string): Promise<void> {
  const olderDevices = await trx
    .selectFrom('devices')
    .select(['id'])
    .where('store_id', '=', request.storeId)
    .where('user_id', '=', request.userId)
    .where('removed_at', 'is', null)
    .where('id', '!=', currentDeviceId)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .offset(MAX_KNOWN_DEVICES - 1)
    .execute();
  if (olderDevices.length === 0) return;
  await trx
    .updateTable('devices')
    .set({ secret_hash: null })
    .where('store_id', '=', request.storeId)
    .where('user_id', '=', request.userId)
    .where(
      'id',
      'in',
      olderDevices.map(({ id }) => id),
    )
    .execute();
  for (const { id } of olderDevices.slice(MAX_DEVICES - MAX_KNOWN_DEVICES)) await endDevice(trx, request, id);
}

/**
 * Removes a device and ends its sessions, under the customer's lock.
 * @returns false where the account has no such device
 */
export async function endDevice(trx: Database, request: DeviceRequest, deviceId: string): Promise<boolean> {
  const now = shopNow();
  const update = await trx
    .updateTable('devices')
    .set({ removed_at: now, secret_hash: null })
    .where('store_id', '=', request.storeId)
    .where('user_id', '=', request.userId)
    .where('id', '=', deviceId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  if (update.numUpdatedRows === 0n) return false;
  await trx
    .updateTable('tokens')
    .set({ revoked_at: now })
    .where('store_id', '=', request.storeId)
    .where('user_id', '=', request.userId)
    .where('device_id', '=', deviceId)
    .where('revoked_at', 'is', null)
    .execute();
  await writeAuditLog(trx, 'device_signed_out', request);
  return true;
}

/** Whether the customer is signed in on the device. */
const isSignedIn = ({ exists, selectFrom }: ExpressionBuilder<Tables, 'devices'>) =>
  exists(
    selectFrom('tokens')
      .select('tokens.device_id')
      .whereRef('tokens.store_id', '=', 'devices.store_id')
      .whereRef('tokens.user_id', '=', 'devices.user_id')
      .whereRef('tokens.device_id', '=', 'devices.id')
      .where('tokens.revoked_at', 'is', null)
      .where('tokens.expires_at', '>', new Date(realNow())),
  );

/**
 * Devices that the customer is signed in on, or that the account knows from an earlier sign-in; the
 * latest first.
 */
export const listDevices = (db: Database, { storeId, userId }: { storeId: string; userId: string }) =>
  db
    .selectFrom('devices')
    .select(['id', 'name', 'registered_at', 'last_seen_at'])
    .select((eb) => isSignedIn(eb).as('is_signed_in'))
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('removed_at', 'is', null)
    // A new password ends sessions and clears device secrets, but keeps the rows.
    .where((eb) => eb.or([eb('secret_hash', 'is not', null), isSignedIn(eb)]))
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute();
