import type { RunningShop } from '../../../tools/shop/running-shop.ts';
import { startFreshShop } from './fresh-shop.ts';
import { shopOptions, test as base } from './shop.ts';

/**
 * Tests in the demo shop with the sign-in providers of its test gateway, which are on by default.
 */
export const test = base.extend<object, { shop: RunningShop }>({
  shop: [
    async ({}, use) => {
      const shop = await startFreshShop({ env: { ...shopOptions.env, TEST_PROVIDERS: 'on' } });
      await use(shop);
      await shop.remove();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});
