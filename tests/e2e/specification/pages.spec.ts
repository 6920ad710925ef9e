import type { Page } from '@playwright/test';
import { expect, signedIn, test } from '../support/specification/test.ts';

/** Section 2: the frame of each page, the template’s pages, languages and themes. */

/** The parts of the frame, as a visitor finds them. */
const parts = {
  sidebar: (page: Page) => page.getByRole('navigation', { name: 'Categories' }),
  search: (page: Page) => page.getByRole('banner').getByRole('search'),
  explore: (page: Page) => page.getByRole('banner').locator('a[href="/all"]'),
  library: (page: Page) => page.getByRole('banner').locator('a[href="/mylibrary"]'),
  signIn: (page: Page) => page.getByRole('banner').locator('a[href^="/signin"], a[href^="/account"]'),
  footer: (page: Page) => page.getByRole('contentinfo'),
  topBar: (page: Page) => page.getByRole('banner'),
};
type Part = keyof typeof parts;

const shows = async (page: Page, shown: readonly Part[], hidden: readonly Part[]): Promise<void> => {
  for (const part of shown) await expect(parts[part](page).first(), part).toBeVisible();
  for (const part of hidden) await expect(parts[part](page), part).toHaveCount(0);
};

test('the landing page has the sidebar [S2.frame/landing]', async ({ page, shop }) => {
  await page.goto('/');
  await shop.isIn('landing', 'shown');
  await shows(page, ['topBar', 'sidebar', 'search', 'footer'], []);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Home', exact: true })).toHaveCount(0);
});

test('checkout pages hide sidebar, search, library and explore [S2.frame/checkout]', async ({ page, shop }) => {
  await page.goto('/title/purchase?titleid=4');
  await shop.isIn('checkout', 'ready');
  await shows(page, ['topBar'], ['sidebar', 'search', 'library', 'explore']);
});

test('subscription pages hide the same [S2.frame/subscription]', async ({ page, server, shop }) => {
  await signedIn(page, server);
  await page.goto('/subscription/purchase?planid=gold');
  await shop.isIn('subscribing', { offering: 'ready' });
  await shows(page, ['topBar'], ['sidebar', 'search', 'library', 'explore']);
});

test('library pages hide the sidebar and show a prompt to open the app [S2.frame/library] [S2.frame/library-app]', async ({
  page,
  server,
  shop,
}) => {
  await signedIn(page, server);
  await page.goto('/mylibrary');
  await shop.isIn('library', 'empty');
  await shows(page, ['topBar', 'search'], ['sidebar']);
  await expect(page.getByRole('link', { name: 'Google Play' })).toBeVisible();
});

test('the viewer hides the foot and most controls; times are mm:ss [S2.frame/viewer] [S9.time]', async ({
  page,
  server,
  shop,
}) => {
  const customer = await signedIn(page, server);
  customer.owned.push('2');
  await page.goto('/viewer?instanceid=copy-2');
  await shop.isIn('tracks', { attached: 'paused' });
  await shows(page, [], ['footer', 'sidebar', 'search', 'explore']);
  await expect(shop.flow('tracks')).toContainText(/\d\d:\d\d/);
});

test('terms and privacy hide most things, sign-in among them [S2.frame/information]', async ({ page }) => {
  for (const path of ['/terms', '/privacy']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await shows(page, [], ['sidebar', 'search', 'library', 'signIn', 'explore']);
  }
});

test('the template’s pages have its words [S2.template-404] [S2.template-500]', async ({ page }) => {
  await page.goto('/404');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Looks like you got lost');
  await expect(page.getByRole('main')).toContainText('The page you’re looking for doesn’t exist or has been moved.');
  await expect(page.getByRole('link', { name: 'BACK HOME' })).toHaveAttribute('href', '/');
  await page.goto('/500');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Internal Server Error');
  await expect(page.getByRole('main')).toContainText('Something went wrong. Please try again later.');
  await expect(page.getByRole('link', { name: 'BACK HOME' })).toHaveAttribute('href', '/');
});

test('the language is English at first, and can be one of five [S2.language] [S9.languages]', async ({ page }) => {
  await page.goto('/all');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  const choice = page.locator('select[data-event="language.chosen"]').first();
  await expect(choice.locator('option')).toHaveText(['English', '中文', 'Español', 'Français', 'Italiano']);
  await choice.selectOption('it');
  await expect(page.locator('html')).toHaveAttribute('lang', 'it');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'it');
});

test('bars have 7 themes, the background 3 [S3.themes] [S9.theme-sets]', async ({ page, server }) => {
  await signedIn(page, server);
  await page.goto('/all');
  await page
    .getByRole('banner')
    .getByRole('button', { name: /account/i })
    .click();
  for (const [name, count] of [
    ['topBar', 7],
    ['sidebar', 7],
    ['background', 3],
  ] as const)
    await expect(page.locator(`select[name="${name}"] option`)).toHaveCount(count);
  const bar = page.getByRole('banner');
  const before = await bar.evaluate((element) => getComputedStyle(element).backgroundColor);
  await page.locator('select[name="topBar"]').selectOption({ index: 3 });
  await expect.poll(() => bar.evaluate((element) => getComputedStyle(element).backgroundColor)).not.toBe(before);
});

test.describe('a theme of the store', () => {
  test('colours the top bar under the usual look [S7.theme]', async ({ page }) => {
    await page.goto('/all');
    await expect(page.getByRole('banner')).toHaveCSS('background-color', 'rgb(122, 31, 61)');
  });
});

test.describe('with all that a configuration may hold', () => {
  test.use({
    special: {
      config: { paymentLiveMode: true, paymentPublicKey: 'pk_1', mapsKey: 'maps_1', storeAddress: 'https://fernweh.example' },
    },
  });

  test('the page opens, and calls the API and the store that it names [S9.configuration-keys]', async ({
    page,
    server,
    shop,
  }) => {
    await page.goto('/');
    await shop.isIn('landing', 'shown');
    expect(server.asked.length).toBeGreaterThan(0);
    expect(server.asked.filter(({ query }) => query['storeid'] !== '77')).toEqual([]);
  });
});
