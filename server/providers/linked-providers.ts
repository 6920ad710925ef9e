import { DomainError } from '../kernel/errors.ts';
import type { Database } from '../database/open.ts';
import { isIssuerOf, type Provider } from './provider.ts';

type Owner = { storeId: string; userId: string };
type Identity = { issuer: string; subject: string };

/**
 * A provider of the store, with the customer's identities there; none where it is not linked to the
 * account.
 */
export type LinkedProvider = { provider: Pick<Provider, 'id' | 'kind' | 'name' | 'settings'>; identities: Identity[] };

/**
 * The store's providers in their order, with the customer's identities. Identities of providers
 * that the store no longer has are ignored.
 */
export async function listLinkedProviders(db: Database, { storeId, userId }: Owner): Promise<LinkedProvider[]> {
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
  return providers.map((provider) => ({ provider, identities: identities.filter((each) => isIssuerOf(provider, each)) }));
}

/**
 * Called under the customer's lock in the transaction that has removed a sign-in method: a
 * password, passkey, provider or telephone must remain.
 * @throws DomainError conflict last_way_in
 */
export async function requireSignInMethod(trx: Database, { storeId, userId }: Owner): Promise<void> {
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
  const linkedProviders = await listLinkedProviders(trx, { storeId, userId });
  if (linkedProviders.some(({ identities }) => identities.length > 0)) return;
  throw new DomainError('conflict', 'This is the only way into the account.', { code: 'last_way_in' });
}
