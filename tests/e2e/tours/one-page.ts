import type { BrowserContext, Page } from '@playwright/test';
import type { Customer } from '../../../tools/browser/customer.ts';
import { expect } from '../support/shop.ts';
import { parseAddress } from '../../../tools/tours/in-shop.ts';
import type { ShopTest } from './shop-test.ts';

/** A page that remains open from one walk to the next. */
export class SharedPage {
  context: BrowserContext | null = null;

  /**
   * Whether another walk can start in this page: false if it was never opened, has navigated away,
   * or has a title open, since a book's renderer runs for a moment after the book is closed.
   */
  async isReusable(): Promise<boolean> {
    const [page] = this.context?.pages() ?? [];
    return page !== undefined && (await page.locator('#root').count()) > 0 && parseAddress(page.url()).flow !== 'viewer';
  }

  async close(): Promise<void> {
    await this.context?.close();
    this.context = null;
  }
}

/**
 * The `test` of walks that run one after another in one page: opening a page costs more than most
 * walks. When a test fails, Playwright continues in a new worker, and so in a new page.
 */
export const createSharedPageTest = (test: ShopTest) =>
  test.extend<object, { sharedPage: SharedPage }>({
    sharedPage: [
      async ({}, use) => {
        const sharedPage = new SharedPage();
        await use(sharedPage);
        await sharedPage.close();
      },
      { scope: 'worker' },
    ],
    context: async ({ sharedPage, browser, baseURL, viewport, locale }, use) => {
      if (!(await sharedPage.isReusable())) await sharedPage.close();
      sharedPage.context ??= await browser.newContext({ viewport, ...(baseURL && { baseURL }), ...(locale && { locale }) });
      await use(sharedPage.context);
    },
    page: async ({ context }, use) => use(context.pages()[0] ?? (await context.newPage())),
  });

/** Whether an earlier walk has left the shop open in the page. */
export const isShopOpen = (page: Page): boolean => page.url() !== 'about:blank';

/**
 * Navigates the open shop to a path by a `popstate` event, like Back and Forward, and scrolls to
 * the top.
 */
export const navigateInShop = (page: Page, address: string): Promise<void> =>
  page.evaluate((path) => {
    history.pushState(null, '', path);
    scrollTo(0, 0);
    dispatchEvent(new PopStateEvent('popstate'));
  }, address);

/**
 * Leaves the previous walk's screen for an unknown address, which marks the start of a walk in the
 * record, and signs the open shop in as another customer, or out if `customer` is null.
 */
export const resetShop = async (page: Page, customer: Customer | null): Promise<void> => {
  await page.clock.resume();
  await navigateInShop(page, '/between/tours');
  const sessionItems: Record<string, string> = customer
    ? { userid: customer.userId, emailid: customer.email, id_token: customer.token }
    : {};
  await page.evaluate((items) => {
    localStorage.clear();
    // The page's record remains: it covers the whole visit.
    for (const name of Object.keys(sessionStorage)) if (!name.startsWith('colophon.trace')) sessionStorage.removeItem(name);
    for (const [name, value] of Object.entries(items)) localStorage.setItem(name, value);
    // A `storage` event, as from another tab.
    dispatchEvent(new StorageEvent('storage', { key: null }));
  }, sessionItems);
  await expect(page.locator('[data-flow="notFound"]')).toBeVisible();
  // Only now: earlier, calls held by the previous walk would reach the server.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
};
