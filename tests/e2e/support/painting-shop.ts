import type { RunningShop } from '../../../tools/shop/running-shop.ts';
import { startFreshShop } from './fresh-shop.ts';
import { shopOptions, test as base } from './shop.ts';

/** The same shop, which paints each first screen however long that takes on a busy machine. */
export const test = base.extend<object, { painting: RunningShop }>({
  painting: [
    async ({}, use) => {
      const shop = await startFreshShop({ env: { ...shopOptions.env, PAINT: 'always' } });
      await use(shop);
      await shop.remove();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});
