import type { Locator, Page } from '@playwright/test';
import type { Customer } from '../../../tools/browser/customer.ts';
import { ShopPage } from '../../../tools/browser/shop.ts';

/** Opens a title that the customer has bought, in the viewer. */
export const buyAndOpenTitle = async (page: Page, customer: Customer, titleId: string): Promise<ShopPage> => {
  await customer.buy(titleId);
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId(titleId)}`);
  return new ShopPage(page);
};

/** The message that a title is stalled, and why; empty while it continues. */
export const interruptionOf = (page: Page): Locator => page.locator('[data-flow="interruption"]');

/** Seconds into the current part, by the player's slider. */
export const clock = async (page: Page): Promise<number> => Number(await page.locator('[data-clock="slider"]').inputValue());
