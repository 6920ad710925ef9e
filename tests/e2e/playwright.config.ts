import { defineConfig } from '@playwright/test';
import { getBrowserLaunch } from '../../tools/shop/browser.ts';

const browserOptions = await getBrowserLaunch();

/** A test's page lives for seconds: optimising its code costs more time than it saves. */
const withoutOptimizing = '--js-flags=--no-maglev --no-turbofan';

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  globalSetup: './support/global-setup.ts',
  outputDir: '../../test-results',
  fullyParallel: true,
  workers: 2,
  // The retry is for its trace, and tells whether the test is flaky; it counts as failed all the
  // same.
  retries: 1,
  forbidOnly: true,
  timeout: 60_000,
  // On a busy machine the frame, which loads when the browser is idle, may be late.
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    launchOptions: { ...browserOptions, args: [...browserOptions.args, withoutOptimizing] },
    viewport: { width: 1366, height: 900 },
    locale: 'en-GB',
    trace: 'on-first-retry',
    // Even if kept only for failures, one would be made at the end of every test.
    screenshot: 'off',
  },
});
