import { test as base, expect } from '@playwright/test';
import type { RunningShop, ShopOptions } from '../../../tools/shop/running-shop.ts';
import { Customer } from '../../../tools/browser/customer.ts';
import { watchErrors, type PageErrors } from './errors.ts';
import { commentsHost } from '../../../tools/tours/comments-host.ts';
import { startFreshShop } from './fresh-shop.ts';

/** The server's admin token, with which tests change the store. */
export const adminToken = 'a token of the browser tests';

/** The e-mail address that the page of an unknown store shows. */
export const operatorEmail = 'help@operator.example';

export const shopOptions: ShopOptions = {
  // A cheap password hash, since these tests create many customers. Pages are not server-rendered,
  // so that each response to their first screens can be held or replaced; `ssr-shop.ts` has a shop
  // with server rendering.
  env: {
    ADMIN_TOKEN: adminToken,
    CORAL_HOST: commentsHost,
    SUPPORT_EMAIL: operatorEmail,
    PASSWORD_COST: '1024',
    SSR_MODE: 'off',
  },
};

type Fixtures = {
  /** A new customer of the shop who is signed in in the test's browser. */
  customer: Customer;
  /** A shop of this test alone, for tests that stop it. */
  ownShop: RunningShop;
  /** The errors of the pages; an unexpected one fails the test when it ends. */
  errors: PageErrors;
};

type WorkerFixtures = {
  /** The shop that all tests of one worker share. */
  shop: RunningShop;
};

/** Playwright's `test` on the real built server: `page.goto('/')` opens the shop. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  shop: [
    async ({}, use) => {
      const shop = await startFreshShop(shopOptions);
      await use(shop);
      await shop.remove();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  ownShop: [
    async ({ errors }, use) => {
      const shop = await startFreshShop(shopOptions);
      await use(shop);
      errors.ignoreFurther();
      await shop.remove();
    },
    { timeout: 120_000 },
  ],
  customer: async ({ shop, context }, use) => {
    const customer = await Customer.signUp(shop);
    await customer.signInBrowser(context);
    await use(customer);
  },
  baseURL: async ({ shop }, use) => use(shop.url),
  errors: [
    async ({ context }, use) => {
      const errors = watchErrors(context);
      await use(errors);
      expect(errors.getUnexpected(), 'errors of the page that no test allowed').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
