import type { Database } from '../database/open.ts';
import { note } from '../kernel/audit.ts';
import { type Asking, customerDevices, endDevice } from '../accounts/devices.ts';
import { providerWays } from './ways.ts';

/**
 * Removes a passkey, under the customer's lock.
 * @returns false where the customer has no such passkey
 */
export async function deletePasskey(trx: Database, asking: Asking, passkeyId: string): Promise<boolean> {
  const removed = await trx
    .deleteFrom('passkeys')
    .where('store_id', '=', asking.storeId)
    .where('user_id', '=', asking.userId)
    .where('id', '=', passkeyId)
    .executeTakeFirst();
  if (removed.numDeletedRows === 0n) return false;
  await note(trx, 'passkey_removed', asking);
  return true;
}

/**
 * Removes all that a provider knows the customer by, under the customer's lock.
 * @returns false where it opens nothing
 */
export async function partProvider(trx: Database, asking: Asking, providerId: string): Promise<boolean> {
  const { storeId, userId } = asking;
  const ways = await providerWays(trx, asking);
  const identities = ways.find(({ provider }) => provider.id === providerId)?.identities ?? [];
  if (identities.length === 0) return false;
  for (const { issuer, subject } of identities)
    await trx
      .deleteFrom('identities')
      .where('store_id', '=', storeId)
      .where('user_id', '=', userId)
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .execute();
  await note(trx, 'provider_removed', asking);
  return true;
}

export type WayKind = 'passkey' | 'provider' | 'phone' | 'device';

/** A way into an account beside its password, or a device that is known to it. */
export type OtherWay = { kind: WayKind; wayId: string; name: string; usedAt?: string };

const removals: Record<WayKind, typeof deletePasskey> = {
  passkey: deletePasskey,
  provider: partProvider,
  phone: partProvider,
  device: endDevice,
};

/**
 * Removes a way into the account, under the customer's lock; one that is gone already is passed
 * over.
 */
export const removeWay = (trx: Database, asking: Asking, { kind, wayId }: Pick<OtherWay, 'kind' | 'wayId'>): Promise<boolean> =>
  removals[kind](trx, asking, wayId);

const used = (at: Date | null): Pick<OtherWay, 'usedAt'> => (at === null ? {} : { usedAt: at.toISOString() });

/**
 * The customer's passkeys, providers and telephones, then the devices where the customer is signed
 * in; each kind's latest first.
 */
export async function otherWays(db: Database, owner: { storeId: string; userId: string }): Promise<OtherWay[]> {
  const passkeys = await db
    .selectFrom('passkeys')
    .select(['id', 'name', 'last_used_at'])
    .where('store_id', '=', owner.storeId)
    .where('user_id', '=', owner.userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  const providers = (await providerWays(db, owner)).filter(({ identities }) => identities.length > 0);
  const devices = await customerDevices(db, owner);
  return [
    ...passkeys.map((row) => ({ kind: 'passkey' as const, wayId: row.id, name: row.name, ...used(row.last_used_at) })),
    ...providers.map(({ provider: { id, kind, name } }) => ({
      kind: kind === 'phone' ? ('phone' as const) : ('provider' as const),
      wayId: id,
      name,
    })),
    ...devices.map((row) => ({ kind: 'device' as const, wayId: row.id, name: row.name, ...used(row.last_seen_at) })),
  ];
}
