import { expect, type Page } from '@playwright/test';

/** The choices of the page's foot, which come with the frame. */
const choices = (page: Page) => page.locator('footer select').first();

/** Waits for the frame, which is fetched when the first screen has stood for a moment. */
export const frameStands = async ({ page }: { page: Page }): Promise<void> => expect(choices(page)).toBeVisible();
