import { expect, type Page } from '@playwright/test';

/** The choices of the page's foot, which come with the frame. */
const choices = (page: Page) => page.locator('footer select').first();

/** A sign of life, and the idle moment after it, in which the frame is fetched; for a page whose time stands still. */
export const wakeFrame = async ({ page }: { page: Page }): Promise<void> => {
  await page.keyboard.press('Shift');
  await page.clock.runFor(3_000);
};

/** Waits for the frame, which is fetched when the first screen has stood for a moment. */
export const frameStands = async ({ page }: { page: Page }): Promise<void> => expect(choices(page)).toBeVisible();
