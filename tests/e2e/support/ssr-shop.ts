import type { RunningShop } from '../../../tools/shop/running-shop.ts';
import { startFreshShop } from './fresh-shop.ts';
import { shopOptions, test as base } from './shop.ts';

const ssrShop = async (use: (shop: RunningShop) => Promise<void>): Promise<void> => {
  const shop = await startFreshShop({ env: { ...shopOptions.env, SSR_MODE: 'always' } });
  await use(shop);
  await shop.remove();
};

/**
 * The same shop, which server-renders each first screen without a time limit, for busy machines;
 * `ownPainting` belongs to one test alone.
 */
export const test = base.extend<{ ownSsr: RunningShop }, { ssr: RunningShop }>({
  ssr: [async ({}, use) => ssrShop(use), { scope: 'worker', timeout: 120_000 }],
  ownSsr: [async ({}, use) => ssrShop(use), { timeout: 120_000 }],
});
