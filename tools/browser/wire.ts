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
      const response = await route.fetch();
      return route.fulfill({ response, body: (await response.text()).replace(inlineDataPattern, '') });
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

/** Applies `change` to the body of the server's response to calls whose path ends with `path`. */
export async function changeResponse(page: Page, path: string, change: (body: string) => string): Promise<void> {
  await page.route(
    (url) => url.pathname.startsWith('/api/') && url.pathname.endsWith(path),
    async (route) => {
      const response = await route.fetch();
      return route.fulfill({ response, body: change(await response.text()) });
    },
  );
}
