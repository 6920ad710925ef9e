import type { Database } from '../database/open.ts';
import { TEST_CLIENT, TEST_CLIENT_SECRET } from '../gateway/sign-in-providers.ts';
import { isSecureUrl, type NewProvider, saveProviders } from './save-providers.ts';

/** The demo store with all sign-in methods. */
const DEMO_STORE = 'harbour';

const createTestProviders = (origin: string): NewProvider[] => {
  const toProviderUrl = (id: string): string => `${origin}/providers/${id}`;
  const client = { clientId: TEST_CLIENT, clientSecret: TEST_CLIENT_SECRET };
  return [
    {
      kind: 'facebook',
      appId: TEST_CLIENT,
      appSecret: TEST_CLIENT_SECRET,
      authorizeUrl: `${toProviderUrl('facebook')}/authorize`,
      tokenUrl: `${toProviderUrl('facebook')}/token`,
      profileUrl: `${toProviderUrl('facebook')}/me`,
    },
    { kind: 'oidc', id: 'google', name: 'Google', issuer: toProviderUrl('google'), ...client },
    { kind: 'oidc', id: 'auth0', name: 'Auth0', issuer: toProviderUrl('auth0'), ...client },
    { kind: 'phone', country: 'GB' },
  ];
};

/**
 * Adds the test gateway's sign-in providers to the demo store, or removes them. Providers that an
 * operator has set stay.
 * @param origin of the test gateway; undefined without a gateway, or where TEST_PROVIDERS is off.
 * Secrets are sent there, so it must be https or on this machine
 */
export async function offerTestProviders(db: Database, origin: string | undefined): Promise<void> {
  const isUsable = origin !== undefined && isSecureUrl(new URL(origin));
  const store = await db.selectFrom('stores').select('id').where('id', '=', DEMO_STORE).executeTakeFirst();
  if (!store) return;
  const rows = await db.selectFrom('providers').select('settings').where('store_id', '=', DEMO_STORE).execute();
  const areTestProviders = rows.some(({ settings }) => settings.clientId === TEST_CLIENT);
  if (rows.length > 0 && !areTestProviders) return;
  if (isUsable || rows.length > 0) await saveProviders(db, DEMO_STORE, isUsable ? createTestProviders(origin) : []);
}
