import type { RunningShop } from '../../../tools/shop/running-shop.ts';
import { startFreshShop } from './fresh-shop.ts';
import { test } from './shop.ts';

/** A `test` in a shop whose media URLs are valid for at most that many seconds. */
export const testWithMediaLifetime = (seconds: number) =>
  test.extend<object, { shop: RunningShop }>({
    shop: [
      async ({}, use) => {
        const shop = await startFreshShop({ env: { MEDIA_LIFETIME: String(seconds), PASSWORD_COST: '1024' } });
        await use(shop);
        await shop.remove();
      },
      { scope: 'worker', timeout: 120_000 },
    ],
  });
