import { defineConfig } from '@playwright/test';
import { browserLaunch } from '../../tools/shop/browser.ts';

const launch = await browserLaunch();

/** A page of a test lives for seconds: to make its code faster while it runs costs more than the test gets back. */
const withoutOptimizing = '--js-flags=--no-maglev --no-turbofan';

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  globalSetup: './support/global-setup.ts',
  outputDir: '../../test-results',
  fullyParallel: true,
  workers: 2,
  // The second try is for its trace, and to say whether the test is flaky; it counts as failed all the same.
  retries: 1,
  forbidOnly: true,
  timeout: 60_000,
  // On a busy machine the frame, which comes when the browser is idle, may take its time.
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    launchOptions: { ...launch, args: [...launch.args, withoutOptimizing] },
    viewport: { width: 1366, height: 900 },
    locale: 'en-GB',
    trace: 'on-first-retry',
    // Kept for failures alone, one would still be made at the end of every test.
    screenshot: 'off',
  },
});
