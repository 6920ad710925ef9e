import type { World } from './stage.ts';

/** The window is covered or minimised, which a browser without one does not do by itself. */
export const hideWindow = async ({ page, injected }: World): Promise<void> => {
  injected('a window that is hidden');
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    Reflect.deleteProperty(document, 'visibilityState');
  });
};

/** The customer is back from another site, and the page comes out of the browser's memory as it was left. */
export const returnToPage = async ({ page, injected }: World): Promise<void> => {
  injected('a page that comes back out of the browser’s memory');
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
};

/** The gateway has nothing to show: the shop's page stays where it is, as it does while it is being left. */
export const stubGateway = async ({ page, shop }: World): Promise<void> => {
  const gateway = String(Number(new URL(shop.url).port) + 1);
  await page.route(
    (url) => url.port === gateway,
    (route) => route.fulfill({ status: 204 }),
  );
};
