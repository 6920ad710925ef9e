import type { BrowserContext, Page } from '@playwright/test';
import type { Customer } from '../../../tools/browser/customer.ts';
import { expect } from '../support/shop.ts';
import { parseAddress } from '../../../tools/tours/in-shop.ts';
import type { ShopTest } from './shop-test.ts';

/** A page that stays open from one walk to the next. */
export class SharedPage {
  context: BrowserContext | null = null;

  /**
   * Whether another walk can start in it. Not in a page that was never opened, has navigated away,
   * or has a title open: a book's renderer runs for a moment after it was left.
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
export const sharedPageTest = (test: ShopTest) =>
  test.extend<object, { kept: SharedPage }>({
    kept: [
      async ({}, use) => {
        const kept = new SharedPage();
        await use(kept);
        await kept.close();
      },
      { scope: 'worker' },
    ],
    context: async ({ kept, browser, baseURL, viewport, locale }, use) => {
      if (!(await kept.isReusable())) await kept.close();
      kept.context ??= await browser.newContext({ viewport, ...(baseURL && { baseURL }), ...(locale && { locale }) });
      await use(kept.context);
    },
    page: async ({ context }, use) => use(context.pages()[0] ?? (await context.newPage())),
  });

/** Whether an earlier walk has left the shop open in the page. */
export const isShopOpen = (page: Page): boolean => page.url() !== 'about:blank';

/**
 * Navigates the running shop to an address, at its top, by a `popstate` event like Back and
 * Forward.
 */
export const navigateInShop = (page: Page, address: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to);
    scrollTo(0, 0);
    dispatchEvent(new PopStateEvent('popstate'));
  }, address);

/**
 * Leaves the previous walk's screen for an unknown address, which marks the start of a walk in the
 * record, and hands the running shop to another customer, or a visitor.
 */
export const resetShop = async (page: Page, customer: Customer | null): Promise<void> => {
  await page.clock.resume();
  await navigateInShop(page, '/between/tours');
  const stored: Record<string, string> = customer
    ? { userid: customer.userId, emailid: customer.email, id_token: customer.token }
    : {};
  await page.evaluate((session) => {
    localStorage.clear();
    // The page's record stays: it covers the whole visit.
    for (const name of Object.keys(sessionStorage)) if (!name.startsWith('colophon.trace')) sessionStorage.removeItem(name);
    for (const [name, value] of Object.entries(session)) localStorage.setItem(name, value);
    // A `storage` event, as from another tab.
    dispatchEvent(new StorageEvent('storage', { key: null }));
  }, stored);
  await expect(page.locator('[data-flow="notFound"]')).toBeVisible();
  // Not before: calls held by the previous walk would reach the server.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
};
