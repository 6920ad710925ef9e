import type { Request } from '@playwright/test';
import { Customer } from '../../../../tools/browser/customer.ts';
import { getInterruption } from '../../pages/reading.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { forcePropertiesRequest } from '../../../../tools/browser/wire.ts';
import { expect, test } from '../../support/shop.ts';

const connectionErrors = /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED/;

test('a shop whose server is down is reported at the same URL, and opens when the server is back', async ({
  page,
  ownShop,
  errors,
}) => {
  errors.allow(connectionErrors);
  const view = new ShopPage(page);
  await forcePropertiesRequest(page);
  const chunkResponse = page.waitForResponse(/\/assets\/information-/);
  const pendingAssets = new Set<Request>();
  page.on('requestfinished', (request) => void pendingAssets.delete(request));
  page.on('request', (request) => void (request.url().includes('/assets/') && pendingAssets.add(request)));
  // The page and its scripts are still served; the server stops when the store itself is requested.
  const stopServer = async (): Promise<void> => {
    await Promise.all([chunkResponse, page.waitForLoadState()]);
    await expect.poll(() => pendingAssets.size, 'scripts and styles that are still loading').toBe(0);
    await ownShop.stop();
  };
  let stopPromise: Promise<void> | undefined;
  await page.route('**/api/store/properties*', async (route) => {
    // The page may send several requests; the server is stopped once.
    await (stopPromise ??= stopServer());
    await route.continue();
  });
  await page.goto(`${ownShop.url}/terms`);
  await view.waitForState('boot', 'unreachable');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The shop can’t be reached');
  await expect(page).toHaveURL(`${ownShop.url}/terms`);
  await view.control('retry.pressed').click();
  await view.waitForState('boot', 'unreachable');

  await ownShop.start();
  await view.control('retry.pressed').click();
  await view.waitForState('information', 'shown');
  await expect(page).toHaveURL(`${ownShop.url}/terms`);
  // The formatted text appears once the sanitiser is loaded.
  await expect(view.flow('information').locator('h3').first()).toBeVisible();
});

test('a page whose text cannot be formatted because a chunk is missing shows its plain text', async ({ page, shop, errors }) => {
  errors.allow(/ERR_FAILED/);
  await page.route('**/assets/Markup-*', (route) => route.abort());
  const view = new ShopPage(page);
  const failedRequest = page.waitForEvent('requestfailed');
  await page.goto(`${shop.url}/terms`);
  await view.waitForState('information', 'shown');
  await failedRequest;
  const paragraphs = view.flow('information').locator('p');
  await expect(paragraphs.first()).toContainText(/\w{3}/);
  await expect(view.flow('information')).not.toContainText('<');
  await expect(page.getByRole('contentinfo')).toBeVisible();
});

test('a list that could not be loaded loads on Retry once the server is back', async ({ page, ownShop, errors }) => {
  errors.allow(connectionErrors);
  const view = new ShopPage(page);
  await page.goto(`${ownShop.url}/all`);
  await view.waitForState('catalogue', { shown: 'resting' });
  await page.getByRole('link', { name: 'Low Water' }).first().click();
  await expect(view.flow('title')).toContainText('Low Water');
  await page.goBack();
  await view.waitForState('catalogue', { shown: 'resting' });

  await ownShop.stop();
  await page.goForward();
  await view.waitForState('title', 'failed');
  await page.goBack();
  // The previous list is cached; another one must be fetched.
  await view.waitForState('catalogue', { shown: 'resting' });
  await page.getByRole('banner').getByRole('link', { name: 'Films' }).click();
  await view.waitForState('catalogue', 'failed');
  await expect(page).toHaveURL(`${ownShop.url}/video`);

  await ownShop.start();
  await view.control('retry.pressed', view.flow('catalogue')).click();
  await view.waitForState('catalogue', { shown: 'resting' });
  await expect(view.flow('catalogue').getByRole('link', { name: 'Low Water' })).toBeVisible();
});

test('a script that fails to load is reported, and the page can be left or reloaded', async ({ page, errors }) => {
  errors.allow(/ERR_FAILED|Failed to fetch dynamically imported module/);
  const view = new ShopPage(page);
  await page.goto('/');
  await view.waitForState('landing', 'shown');
  await page.route('**/assets/catalogue-*.js', (route) => route.abort());
  await page.getByRole('link', { name: 'eBooks' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Loading failed! Please reload.');
  await expect(page).toHaveURL('/ebook');

  await page.getByRole('link', { name: 'Sign in' }).click();
  await view.waitForState('signIn', 'asking');
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Loading failed! Please reload.');

  await page.unroute('**/assets/catalogue-*.js');
  await view.control('page.reloaded').click();
  await view.waitForState('catalogue', { shown: 'resting' });
  await expect(page).toHaveURL('/ebook');
});

test('a script whose failure the browser has cached still loads on Retry', async ({ page, errors }) => {
  errors.allow(/Failed to load resource|Failed to fetch dynamically imported module/);
  const view = new ShopPage(page);
  // The browser caches the failure for the page's lifetime, though the server is back.
  let loadCount = 0;
  page.on('request', (request) => void (loadCount += Number(request.isNavigationRequest())));
  await page.route('**/assets/not-found-*.js', (route) => (loadCount < 2 ? route.abort() : route.continue()));
  await page.goto('/');
  await view.waitForState('landing', 'shown');
  await page.evaluate(() => {
    history.pushState(null, '', '/no/such/page');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await view.waitForState('screen', 'unfetched');
  await view.control('retry.pressed').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! Wrong Turn');
});

test('a book whose server goes down reports it within 15 seconds, keeps its page, and continues automatically', async ({
  page,
  context,
  ownShop,
  errors,
}) => {
  errors.allow(connectionErrors);
  const customer = await Customer.signUp(ownShop);
  await customer.signInBrowser(context);
  await customer.buy('1001');
  const view = new ShopPage(page);
  const nextButton = view.flow('book').getByRole('button', { name: 'Next page' });
  await page.goto(`${ownShop.url}/viewer?instanceid=${await customer.fetchInstanceId('1001')}`);
  await expect(nextButton).toBeEnabled();
  await ownShop.stop();
  await expect(async () => {
    if ((await getInterruption(page).innerText()) === '') await nextButton.click({ timeout: 500 });
    await expect(getInterruption(page)).toContainText('The shop can’t be reached', { timeout: 200 });
    // The renderer alone would wait for twenty seconds.
  }).toPass({ timeout: 15_000 });
  const progressBefore = await view.readProgress();
  await ownShop.start();
  await expect(getInterruption(page)).toBeEmpty({ timeout: 15_000 });
  await expect.poll(() => view.readProgress()).toBeGreaterThan(progressBefore);
  expect((await view.readProgress()) - progressBefore).toBeLessThan(0.15);
});
