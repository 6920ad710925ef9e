import { expect } from '@playwright/test';
import type { World } from './stage.ts';

/** Time stands still from here on, unless it runs away from an attempt to stop it, which is then made again. */
export const stopTime = ({ page }: World): Promise<void> =>
  expect(async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 500)).toPass();
