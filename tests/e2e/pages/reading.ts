import type { Locator, Page } from '@playwright/test';
import type { Customer } from '../../../tools/browser/customer.ts';
import { ShopPage } from '../../../tools/browser/shop.ts';

/** Buys a title for the signed-in customer, and opens it in the viewer. */
export const buyAndOpenTitle = async (page: Page, customer: Customer, titleId: string): Promise<ShopPage> => {
  await customer.buy(titleId);
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId(titleId)}`);
  return new ShopPage(page);
};

/** Returns the message why a title does not play; empty while it plays. */
export const getInterruption = (page: Page): Locator => page.locator('[data-flow="interruption"]');

/** Reads the position in the current part from the player's slider, in seconds. */
export const readClock = async (page: Page): Promise<number> => Number(await page.locator('[data-clock="slider"]').inputValue());
