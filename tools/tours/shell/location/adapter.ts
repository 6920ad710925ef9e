import { expect, type Page } from '@playwright/test';
import { ShopPage } from '../../../browser/shop.ts';
import { hideWindow, returnToPage, stubGateway } from '../../causes.ts';
import type { BrowserAdapter } from '../../browser-adapter.ts';
import { models } from '../../../../machines/path-models/shell/location/paths.ts';

const openAllTitles = (page: Page): Promise<void> =>
  page.getByRole('navigation', { name: 'Explore' }).locator('[href="/all"]').click();

/**
 * The address bar and the browser's history; the state of the location machine is visible only
 * while the app leaves for the gateway.
 */
export const adapter: BrowserAdapter = {
  name: 'location',
  models,
  getStartPath: () => '/all',
  prepare: async (walk) => {
    await (await walk.getCustomer()).signInBrowser(walk.context);
    await stubGateway(walk);
    return undefined;
  },
  checkState: ({ page }, { value }) => {
    const shop = new ShopPage(page);
    return value === 'leaving' ? shop.waitForState('payment', 'actionRequired') : expect(shop.flow('app')).toBeVisible();
  },
  ports: {},
  causes: {
    'history.changed': async ({ page }, _, { value }) => {
      if (value === 'here') await page.getByRole('navigation', { name: 'Explore' }).locator('[href="/ebook"]').click();
      await page.evaluate(() => history.back());
    },
    'page.hidden': hideWindow,
    'page.returned': returnToPage,
    go: async ({ page }, { replace }) => {
      if (replace !== true) return openAllTitles(page);
      await page.locator('[data-event="sort.chosen"]').selectOption('title');
      await expect(page).toHaveURL(/sort=title/);
    },
    leave: async ({ page }) => {
      const shop = new ShopPage(page);
      await shop.openTitle('Night Ferry to Corrow');
      await shop.control('buy.pressed').click();
      await shop.control('pay.pressed').click();
    },
  },
};
