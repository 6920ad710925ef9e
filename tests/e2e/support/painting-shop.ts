import type { RunningShop } from '../../../tools/shop/running-shop.ts';
import { startFreshShop } from './fresh-shop.ts';
import { shopOptions, test as base } from './shop.ts';

const paintingShop = async (use: (shop: RunningShop) => Promise<void>): Promise<void> => {
  const shop = await startFreshShop({ env: { ...shopOptions.env, PAINT: 'always' } });
  await use(shop);
  await shop.remove();
};

/** The same shop, which paints each first screen however long that takes on a busy machine; `ownPainting` is one test's alone. */
export const test = base.extend<{ ownPainting: RunningShop }, { painting: RunningShop }>({
  painting: [async ({}, use) => paintingShop(use), { scope: 'worker', timeout: 120_000 }],
  ownPainting: [async ({}, use) => paintingShop(use), { timeout: 120_000 }],
});
