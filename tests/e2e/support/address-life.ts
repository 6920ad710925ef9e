import type { RunningShop } from '../../../tools/shop/running-shop.ts';
import { Customer } from '../pages/customer.ts';
import { startFreshShop } from './fresh-shop.ts';
import { test } from './shop.ts';

/** Stories of a customer in a shop whose media addresses open for so many seconds at most. */
export const withAddressesOf = (seconds: number) =>
  test.extend<{ customer: Customer }, { shop: RunningShop }>({
    shop: [
      async ({}, use) => {
        const shop = await startFreshShop({ env: { MEDIA_LIFETIME: String(seconds), PASSWORD_COST: '1024' } });
        await use(shop);
        await shop.remove();
      },
      { scope: 'worker', timeout: 120_000 },
    ],
    customer: async ({ shop, context }, use) => {
      const customer = await Customer.signUp(shop);
      await customer.uses(context);
      await use(customer);
    },
  });
