import { expect, type Page } from '@playwright/test';
import { flowModels } from '../../../machines/flows.paths.ts';
import { ShopPage } from '../../pages/shop.ts';
import type { Stage, World } from '../stage.ts';

const toList = (page: Page): Promise<void> => page.getByRole('navigation', { name: 'Explore' }).locator('[href="/all"]').click();

/** The window is covered or minimised, which a browser without one does not do by itself. */
export const hideWindow = async ({ page, injected }: World): Promise<void> => {
  injected('a window that is hidden');
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    Reflect.deleteProperty(document, 'visibilityState');
  });
};

/** The customer is back from another site, and the page comes out of the browser's memory as it was left. */
export const returnToPage = async ({ page, injected }: World): Promise<void> => {
  injected('a page that comes back out of the browser’s memory');
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
};

/** The gateway has nothing to show: the shop's page stays where it is, as it does while it is being left. */
export const keepAtTheDoor = async ({ page, shop }: World): Promise<void> => {
  const gateway = String(Number(new URL(shop.url).port) + 1);
  await page.route(
    (url) => url.port === gateway,
    (route) => route.fulfill({ status: 204 }),
  );
};

/** The address bar and the browser's history; what a location machine is in shows only while it leaves for the gateway. */
export const location: Stage = {
  name: 'location',
  models: flowModels.filter(({ name }) => name === 'location'),
  address: () => '/all',
  prepares: async (world) => {
    await (await world.customer()).uses(world.context);
    await keepAtTheDoor(world);
    return undefined;
  },
  shows: ({ page }, { value }) => {
    const shop = new ShopPage(page);
    return value === 'leaving' ? shop.isIn('payment', 'actionRequired') : expect(shop.flow('app')).toBeVisible();
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
      if (replace !== true) return toList(page);
      await page.locator('[data-event="sort.chosen"]').selectOption('title');
      await expect(page).toHaveURL(/sort=title/);
    },
    leave: async ({ page }) => {
      const shop = new ShopPage(page);
      await shop.openTitle('The Wend');
      await shop.press('buy.pressed').click();
      await shop.press('pay.pressed').click();
    },
  },
};
