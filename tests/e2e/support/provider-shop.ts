import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningShop } from '../../../tools/shop/running-shop.ts';
import { startProvider, type TestProvider } from '../../support/oidc-provider.ts';
import { startFreshShop } from './fresh-shop.ts';
import { test as base } from './shop.ts';

type Fixtures = {
  /** Allows failed requests for an icon: the provider's pages have none, and some browsers ask. */
  withoutIcon: void;
  /** A sign-in provider of this test alone. */
  provider: TestProvider;
  /** A shop whose customers sign in by that provider or by telephone. */
  shopWithProvider: RunningShop;
};

export const test = base.extend<Fixtures>({
  withoutIcon: [
    async ({ errors }, use) => {
      errors.allow(/favicon\.ico/);
      await use();
    },
    { auto: true },
  ],
  provider: async ({}, use) => {
    const provider = await startProvider();
    await use(provider);
    await provider.stop();
  },
  shopWithProvider: [
    async ({ provider }, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'colophon-providers-'));
      const providersFile = join(folder, 'providers.json');
      const { issuer, clientId, clientSecret } = provider;
      const oidc = { kind: 'oidc', id: 'lamplight', name: 'Lamplight', issuer, clientId, clientSecret };
      const providers = [oidc, { kind: 'phone', country: 'GB' }];
      await writeFile(providersFile, JSON.stringify({ harbour: providers }));
      const shop = await startFreshShop({ env: { PROVIDERS_FILE: providersFile, PASSWORD_COST: '1024' } });
      provider.trust(`${shop.url}/auth0loginCallback`);
      await use(shop);
      await shop.remove();
      await rm(folder, { recursive: true, force: true });
    },
    { timeout: 120_000 },
  ],
  baseURL: async ({ shopWithProvider }, use) => use(shopWithProvider.url),
});
