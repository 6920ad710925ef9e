import type { Database } from '../database/open.ts';
import { writeAuditLog } from '../kernel/audit.ts';
import { type DeviceRequest, listDevices, endDevice } from '../accounts/devices.ts';
import { listLinkedProviders } from './linked-providers.ts';

/**
 * Removes a passkey, under the customer's lock.
 * @returns false where the customer has no such passkey
 */
export async function deletePasskey(trx: Database, request: DeviceRequest, passkeyId: string): Promise<boolean> {
  const deletion = await trx
    .deleteFrom('passkeys')
    .where('store_id', '=', request.storeId)
    .where('user_id', '=', request.userId)
    .where('id', '=', passkeyId)
    .executeTakeFirst();
  if (deletion.numDeletedRows === 0n) return false;
  await writeAuditLog(trx, 'passkey_removed', request);
  return true;
}

/**
 * Unlinks all identities of a provider from the account, under the customer's lock.
 * @returns false where the account has no identity of the provider
 */
export async function unlinkProvider(trx: Database, request: DeviceRequest, providerId: string): Promise<boolean> {
  const { storeId, userId } = request;
  const linkedProviders = await listLinkedProviders(trx, request);
  const identities = linkedProviders.find(({ provider }) => provider.id === providerId)?.identities ?? [];
  if (identities.length === 0) return false;
  for (const { issuer, subject } of identities)
    await trx
      .deleteFrom('identities')
      .where('store_id', '=', storeId)
      .where('user_id', '=', userId)
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .execute();
  await writeAuditLog(trx, 'provider_removed', request);
  return true;
}

export type SignInMethodKind = 'passkey' | 'provider' | 'phone' | 'device';

/** A sign-in method of an account beside its password, or a known device. */
export type SignInMethod = { kind: SignInMethodKind; wayId: string; name: string; usedAt?: string };

const removals: Record<SignInMethodKind, typeof deletePasskey> = {
  passkey: deletePasskey,
  provider: unlinkProvider,
  phone: unlinkProvider,
  device: endDevice,
};

/**
 * Removes a sign-in method, under the customer's lock; a method that is already removed is ignored.
 * @returns whether it was removed now
 */
export const removeSignInMethod = (
  trx: Database,
  request: DeviceRequest,
  { kind, wayId }: Pick<SignInMethod, 'kind' | 'wayId'>,
): Promise<boolean> => removals[kind](trx, request, wayId);

const toUsedAt = (usedAt: Date | null): Pick<SignInMethod, 'usedAt'> => (usedAt === null ? {} : { usedAt: usedAt.toISOString() });

/**
 * The customer's passkeys, the latest first; then providers and telephones, in the store's order;
 * then the devices that are signed in or known, the latest first.
 */
export async function listOtherSignInMethods(db: Database, owner: { storeId: string; userId: string }): Promise<SignInMethod[]> {
  const passkeys = await db
    .selectFrom('passkeys')
    .select(['id', 'name', 'last_used_at'])
    .where('store_id', '=', owner.storeId)
    .where('user_id', '=', owner.userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  const providers = (await listLinkedProviders(db, owner)).filter(({ identities }) => identities.length > 0);
  const devices = await listDevices(db, owner);
  return [
    ...passkeys.map((row) => ({ kind: 'passkey' as const, wayId: row.id, name: row.name, ...toUsedAt(row.last_used_at) })),
    ...providers.map(({ provider: { id, kind, name } }) => ({
      kind: kind === 'phone' ? ('phone' as const) : ('provider' as const),
      wayId: id,
      name,
    })),
    ...devices.map((row) => ({ kind: 'device' as const, wayId: row.id, name: row.name, ...toUsedAt(row.last_seen_at) })),
  ];
}
