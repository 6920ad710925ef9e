import { DomainError } from '../kernel/errors.ts';
import type { Database } from '../database/open.ts';
import { vouchesFor, type Provider } from './provider.ts';

type Owner = { storeId: string; userId: string };
type Identity = { issuer: string; subject: string };

/** A provider of the store, and what it knows the customer by: nothing where it does not open the account. */
export type WayIn = { provider: Pick<Provider, 'id' | 'kind' | 'name' | 'settings'>; identities: Identity[] };

/** The store's providers in their order, with the customer's identities. One whose provider the store has no more opens nothing. */
export async function providerWays(db: Database, { storeId, userId }: Owner): Promise<WayIn[]> {
  const providers = await db
    .selectFrom('providers')
    .select(['id', 'kind', 'name', 'settings'])
    .where('store_id', '=', storeId)
    .orderBy('position')
    .execute();
  const identities = await db
    .selectFrom('identities')
    .select(['issuer', 'subject'])
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .execute();
  return providers.map((provider) => ({ provider, identities: identities.filter((each) => vouchesFor(provider, each)) }));
}

/**
 * Called in the transaction that has taken a way away, under the customer's lock: password, passkeys, providers and telephones
 * count alike, and one of them is left.
 * @throws DomainError conflict last_way_in
 */
export async function requireWayIn(trx: Database, { storeId, userId }: Owner): Promise<void> {
  const user = await trx
    .selectFrom('users')
    .select('password_hash')
    .where('store_id', '=', storeId)
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  if (user.password_hash !== null) return;
  const passkey = await trx
    .selectFrom('passkeys')
    .select('id')
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  if (passkey) return;
  const ways = await providerWays(trx, { storeId, userId });
  if (ways.some(({ identities }) => identities.length > 0)) return;
  throw new DomainError('conflict', 'Nothing else opens this account.', { code: 'last_way_in' });
}
