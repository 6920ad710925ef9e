import type { Page } from '@playwright/test';

const inlineDataPattern = /<script type="application\/json" id="store">[^<]*<\/script>/;

/**
 * Removes the data that the server has embedded into the shop's pages, so that the page requests
 * all of it.
 */
export async function forcePropertiesRequest(page: Page): Promise<void> {
  await page.route(
    (url) => !/^\/(api|assets|media)\//.test(url.pathname) && url.pathname !== '/config.json',
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback();
      const answer = await route.fetch();
      return route.fulfill({ response: answer, body: (await answer.text()).replace(inlineDataPattern, '') });
    },
  );
}

/** Stubs the response to calls whose path ends with `path`. */
export async function stubResponse(page: Page, path: string, body: string, status = 200): Promise<void> {
  await page.route(
    (url) => url.pathname.startsWith('/api/') && url.pathname.endsWith(path),
    (route) => route.fulfill({ status, contentType: 'application/xml', body }),
  );
}

/** Passes the server's own response on after `change` was applied to its body. */
export async function changeResponse(page: Page, path: string, change: (body: string) => string): Promise<void> {
  await page.route(
    (url) => url.pathname.startsWith('/api/') && url.pathname.endsWith(path),
    async (route) => {
      const answer = await route.fetch();
      return route.fulfill({ response: answer, body: change(await answer.text()) });
    },
  );
}
