import type { Page } from '@playwright/test';

const dataInPage = /<script type="application\/json" id="store">[^<]*<\/script>/;

/** Takes out of the shop's pages what the server wrote into them, so that all of it is asked for. */
export async function askForProperties(page: Page): Promise<void> {
  await page.route(
    (url) => !/^\/(api|assets|media)\//.test(url.pathname) && url.pathname !== '/config.json',
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback();
      const answer = await route.fetch();
      return route.fulfill({ response: answer, body: (await answer.text()).replace(dataInPage, '') });
    },
  );
}

/** Answers calls whose path ends so with `body` in place of the server. */
export async function answerWith(page: Page, path: string, body: string, status = 200): Promise<void> {
  await page.route(
    (url) => url.pathname.startsWith('/api/') && url.pathname.endsWith(path),
    (route) => route.fulfill({ status, contentType: 'application/xml', body }),
  );
}

/** Lets the server's own answer through after `change` has been made to it. */
export async function changeAnswer(page: Page, path: string, change: (body: string) => string): Promise<void> {
  await page.route(
    (url) => url.pathname.startsWith('/api/') && url.pathname.endsWith(path),
    async (route) => {
      const answer = await route.fetch();
      return route.fulfill({ response: answer, body: change(await answer.text()) });
    },
  );
}
