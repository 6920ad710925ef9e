import { expect, type Page } from '@playwright/test';

const PAUSE_AHEAD_MS = 500;

/**
 * Pauses the page's fake clock, so that time advances only on request. On a busy computer the clock
 * may pass the requested time before it is paused, hence the retries.
 */
export const pauseClock = ({ page }: { page: Page }): Promise<void> =>
  expect(async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + PAUSE_AHEAD_MS)).toPass();
