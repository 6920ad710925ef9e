import type { Page } from '@playwright/test';

/** Holds the shop's own script back until the returned function is called. */
export const holdScripts = async (page: Page): Promise<() => Promise<void>> => {
  const release = Promise.withResolvers<void>();
  await page.route(/\/assets\/(?:shop|index)-[^/]*\.js$/, async (route) => {
    await release.promise;
    await route.continue();
  });
  return async () => release.resolve();
};
