import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'puppeteer-core';
import { test as base, expect } from 'vitest';
import type { RunningShop } from '../../../../tools/shop/running-shop.ts';
import { Customer } from '../../../../tools/browser/customer.ts';
import { startFreshShop } from '../../support/fresh-shop.ts';
import { missingFirefoxReason, startFirefox, startVisit } from './firefox.ts';
import { FirefoxPage } from './firefox-page.ts';

if (missingFirefoxReason !== null) console.info(`skipped: ${missingFirefoxReason}`);

const pictureFolder = join(import.meta.dirname, '../../../../test-results/firefox');

type Fixtures = {
  $worker: { shop: RunningShop; firefox: Browser };
  $test: { view: FirefoxPage; customer: Customer };
};

const firefoxTest = base.extend<Fixtures>({
  shop: [
    async ({}, use) => {
      const shop = await startFreshShop({ env: { PASSWORD_COST: '1024' } });
      await use(shop);
      await shop.remove();
    },
    { scope: 'worker' },
  ],
  firefox: [
    async ({}, use) => {
      const firefox = await startFirefox();
      await use(firefox);
      await firefox.close();
    },
    { scope: 'worker' },
  ],
  view: async ({ shop, firefox, task }, use) => {
    const { context, page, errors } = await startVisit(firefox);
    await use(new FirefoxPage(page, shop.url));
    if (task.result?.state === 'fail') {
      await mkdir(pictureFolder, { recursive: true });
      await page.screenshot({ path: join(pictureFolder, `${task.name.replaceAll(/\W+/g, '-')}.png`) });
    }
    await context.close();
    expect(errors, 'errors of the page').toEqual([]);
  },
  customer: async ({ shop, view }, use) => {
    const customer = await Customer.signUp(shop);
    await view.signInAs(customer);
    await use(customer);
  },
});

/**
 * A story in Firefox on a real built shop: `view` is a visitor's page, `customer` signs it in.
 * Errors of the page fail it; a failed story leaves a screenshot in `test-results/firefox`.
 */
export const testInFirefox = firefoxTest.skipIf(missingFirefoxReason !== null);

export { expect };
