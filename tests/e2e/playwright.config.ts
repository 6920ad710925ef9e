import { defineConfig } from '@playwright/test';
import { getBrowserLaunch } from '../../tools/shop/browser.ts';

const browserOptions = await getBrowserLaunch();

/** A test's page lives for seconds: optimising its code costs more time than it saves. */
const noOptimizingFlag = '--js-flags=--no-maglev --no-turbofan';

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  globalSetup: './support/global-setup.ts',
  outputDir: '../../test-results',
  fullyParallel: true,
  workers: 2,
  // The retry records a trace, and shows whether the test is flaky; a test that passes only on the
  // retry counts as failed.
  retries: 1,
  forbidOnly: true,
  timeout: 60_000,
  // On a busy computer the frame, which loads when the browser is idle, may be late.
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    launchOptions: { ...browserOptions, args: [...browserOptions.args, noOptimizingFlag] },
    viewport: { width: 1366, height: 900 },
    locale: 'en-GB',
    trace: 'on-first-retry',
    // Even with 'only-on-failure', a screenshot would be taken at the end of every test.
    screenshot: 'off',
  },
});
