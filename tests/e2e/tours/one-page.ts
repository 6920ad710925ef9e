import type { BrowserContext, Page } from '@playwright/test';
import type { Customer } from '../../../tools/browser/customer.ts';
import { expect } from '../support/shop.ts';
import { routeAt } from '../../../tools/tours/in-shop.ts';
import type { ShopTest } from './shop-test.ts';

/** A page that stays open from one tour to the next. */
export class KeptPage {
  context: BrowserContext | null = null;

  /**
   * Whether another tour can begin in it. Not in one that was never opened, has gone elsewhere, or has a title open: what
   * draws a book goes on for a moment after it was left.
   */
  async canGoOn(): Promise<boolean> {
    const [page] = this.context?.pages() ?? [];
    return page !== undefined && (await page.locator('#root').count()) > 0 && routeAt(page.url()).flow !== 'viewer';
  }

  async close(): Promise<void> {
    await this.context?.close();
    this.context = null;
  }
}

/**
 * The `test` of tours that are played one after another in one page: to open a page costs more than most tours. When a test
 * fails, Playwright goes on in a new worker, and so in a new page.
 */
export const withOnePage = (test: ShopTest) =>
  test.extend<object, { kept: KeptPage }>({
    kept: [
      async ({}, use) => {
        const kept = new KeptPage();
        await use(kept);
        await kept.close();
      },
      { scope: 'worker' },
    ],
    context: async ({ kept, browser, baseURL, viewport, locale }, use) => {
      if (!(await kept.canGoOn())) await kept.close();
      kept.context ??= await browser.newContext({ viewport, ...(baseURL && { baseURL }), ...(locale && { locale }) });
      await use(kept.context);
    },
    page: async ({ context }, use) => use(context.pages()[0] ?? (await context.newPage())),
  });

/** Whether an earlier tour has left the shop open in the page. */
export const isOpen = (page: Page): boolean => page.url() !== 'about:blank';

/** Leads the running shop to an address, at its top; the shop hears of it as of the browser's Back and Forward. */
export const goTo = (page: Page, address: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to);
    scrollTo(0, 0);
    dispatchEvent(new PopStateEvent('popstate'));
  }, address);

/**
 * Leaves the screen of the tour before for an address that has none, by which a record shows where a tour began, and hands the
 * running shop to another customer, or a visitor.
 */
export const startAnew = async (page: Page, customer: Customer | null): Promise<void> => {
  await page.clock.resume();
  await goTo(page, '/between/tours');
  const stored: Record<string, string> = customer
    ? { userid: customer.userId, emailid: customer.email, id_token: customer.token }
    : {};
  await page.evaluate((session) => {
    localStorage.clear();
    // The page's record stays: it is of the whole visit.
    for (const name of Object.keys(sessionStorage)) if (!name.startsWith('colophon.trace')) sessionStorage.removeItem(name);
    for (const [name, value] of Object.entries(session)) localStorage.setItem(name, value);
    // The shop hears of it as it does of what happens in another tab.
    dispatchEvent(new StorageEvent('storage', { key: null }));
  }, stored);
  await expect(page.locator('[data-flow="notFound"]')).toBeVisible();
  // Not before: what the tour before has held would go to the server.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
};
