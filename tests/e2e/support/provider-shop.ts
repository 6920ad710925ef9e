import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningShop } from '../../../tools/shop/running-shop.ts';
import { startProvider, type TestProvider } from '../../support/oidc-provider.ts';
import { startFreshShop } from './fresh-shop.ts';
import { test as base } from './shop.ts';

type Fixtures = {
  /** The provider's pages have no icon, which some browsers request. */
  withoutIcon: void;
  /** A provider of this test alone, where the store's customers sign in. */
  provider: TestProvider;
  /** A shop with that provider. */
  withProvider: RunningShop;
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
  withProvider: [
    async ({ provider }, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'colophon-providers-'));
      const file = join(folder, 'providers.json');
      const { issuer, clientId, clientSecret } = provider;
      const oidc = { kind: 'oidc', id: 'lamplight', name: 'Lamplight', issuer, clientId, clientSecret };
      const list = [oidc, { kind: 'phone', country: 'GB' }];
      await writeFile(file, JSON.stringify({ harbour: list }));
      const shop = await startFreshShop({ env: { PROVIDERS_FILE: file, PASSWORD_COST: '1024' } });
      provider.trust(`${shop.url}/auth0loginCallback`);
      await use(shop);
      await shop.remove();
      await rm(folder, { recursive: true, force: true });
    },
    { timeout: 120_000 },
  ],
  baseURL: async ({ withProvider }, use) => use(withProvider.url),
});
