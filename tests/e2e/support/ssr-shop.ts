import type { RunningShop } from '../../../tools/shop/running-shop.ts';
import { startFreshShop } from './fresh-shop.ts';
import { shopOptions, test as base } from './shop.ts';

const useSsrShop = async (use: (shop: RunningShop) => Promise<void>): Promise<void> => {
  const shop = await startFreshShop({ env: { ...shopOptions.env, SSR_MODE: 'always' } });
  await use(shop);
  await shop.remove();
};

/**
 * The shop of `shop.ts` with server rendering of each first screen, without a time limit since the
 * computer may be busy. `ssr` is shared by the tests of a worker, `ownSsr` belongs to one test.
 */
export const test = base.extend<{ ownSsr: RunningShop }, { ssr: RunningShop }>({
  ssr: [async ({}, use) => useSsrShop(use), { scope: 'worker', timeout: 120_000 }],
  ownSsr: [async ({}, use) => useSsrShop(use), { timeout: 120_000 }],
});
