import { test as base, expect, type Page } from '@playwright/test';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { watchErrors, type PageErrors } from '../../support/errors.ts';
import { startOtherStore, type OtherStore } from '../../support/other-store.ts';

/** The `test` of the built app on a store server that is not this project's. */
const test = base.extend<{ store: OtherStore; errors: PageErrors }>({
  store: async ({}, use) => {
    const store = await startOtherStore();
    await use(store);
    await store.close();
  },
  baseURL: async ({ store }, use) => use(store.url),
  errors: [
    async ({ context }, use) => {
      const errors = watchErrors(context);
      // 404: the other server has only the calls of the specification.
      errors.allow(/status of 404/);
      await use(errors);
      expect(errors.getUnexpected(), 'errors of the page that no test allowed').toEqual([]);
    },
    { auto: true },
  ],
});

const getHeading = (page: Page) => page.getByRole('heading', { level: 1 });

const signIn = async (page: Page): Promise<void> => {
  const shop = new ShopPage(page);
  await shop.waitForState('signIn', 'asking');
  await shop.signIn('reader@example.com', 'open sesame');
};

test('a reader browses, searches, opens a title, signs in, buys it and finds it in the library', async ({ page, store }) => {
  const consoleMessages: string[] = [];
  page.on('console', (message) => consoleMessages.push(message.text()));
  const shop = new ShopPage(page);
  await page.goto('/');
  await shop.waitForState('landing', 'shown');
  await expect(page).toHaveTitle(/Fernweh/);
  // Categories that hang are shown as loading, and block nothing else.
  await shop.waitForState('categories', 'loading');

  await page.getByRole('link', { name: 'Audio Books' }).first().click();
  await expect(shop.flow('catalogue')).toContainText('Café in the Fog');
  await page.getByRole('link', { name: 'Titles' }).first().click();
  // The rest of the list is not sent yet.
  await shop.waitForState('catalogue', { shown: 'arriving' });
  await expect(shop.flow('catalogue')).toContainText('The Long Thaw');
  await expect(shop.flow('catalogue')).not.toContainText('Low Water');
  store.releaseLists();
  await shop.waitForState('catalogue', { shown: 'resting' });
  await expect(shop.flow('catalogue')).toContainText('Low Water');
  await expect(shop.flow('catalogue')).not.toContainText('A Thing Apart');
  expect(consoleMessages.some((text) => text.startsWith('titles: malformed, titles.1.type'))).toBe(true);

  await page.getByRole('combobox', { name: 'Search the shop' }).fill('thaw');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/search=thaw/);
  await shop.openTitle('The Long Thaw');
  await expect(shop.flow('title')).toContainText('eBook (EPUB)');
  await expect(shop.flow('title')).toContainText('14 November 2023');

  await page.goto('/title/purchase?titleid=1');
  await shop.waitForState('purchase', 'ready');
  await shop.control('pay.pressed').click();
  await signIn(page);
  await shop.waitForState('receipt', 'shown');
  await expect(shop.flow('receipt')).toContainText('The Long Thaw');

  await page.getByRole('link', { name: 'My Library' }).first().click();
  await shop.waitForState('library', 'shown');
  await expect(shop.flow('library')).toContainText('The Long Thaw');
});

test('a visitor gets a free title with one press and a sign-in', async ({ page }) => {
  const shop = new ShopPage(page);
  await page.goto('/id:1');
  await page.getByRole('button', { name: 'Get it for free' }).click();
  await signIn(page);
  await expect(shop.flow('title')).toContainText('In your library');
  await expect(shop.control('read.pressed')).toHaveText('Read');
});

test('a URL finds a title by its ISBN or its name, and a wrong ISBN is not found', async ({ page, store }) => {
  store.releaseLists();
  const shop = new ShopPage(page);
  await page.goto('/isbn:0-306-40615-2');
  await expect(getHeading(page)).toHaveText('Café in the Fog');
  await expect(shop.flow('title')).toContainText('01:30:00');

  const requestedPaths: string[] = [];
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
  await page.goto('/isbn:0-306-40615-3');
  await shop.waitForState('title', 'notFound');
  expect(requestedPaths.filter((path) => path.includes('isbn/'))).toEqual([]);

  await page.goto('/video/low-water');
  await expect(getHeading(page)).toHaveText('Low Water');
  await page.goto('/audio/low-water-marks/');
  // No title has that name. The server cannot tell whether a category has it, so that the list of
  // the category decides.
  await expect(shop.flow('title')).toHaveCount(0);
});

test('a customer with an expired token sees the shop as a visitor, and signs in again for the library', async ({
  page,
  store,
}) => {
  store.releaseLists();
  const shop = new ShopPage(page);
  await page.goto('/mylibrary');
  await signIn(page);
  await shop.waitForState('library', 'empty');

  store.forgetSessions();
  await page.goto('/');
  await shop.waitForState('landing', 'shown');
  await expect(page.getByRole('link', { name: 'Sign in' }).first()).toBeVisible();
  await expect(page.getByText('can’t be reached')).toHaveCount(0);

  await page.goto('/mylibrary');
  await signIn(page);
  await shop.waitForState('library', 'empty');
  // The session ends while the page is open.
  store.forgetSessions();
  await page.getByRole('link', { name: 'Home' }).first().click();
  await shop.waitForState('landing', 'shown');
  await page.getByRole('link', { name: 'My Library' }).first().click();
  await shop.waitForState('signIn', 'asking');
});
