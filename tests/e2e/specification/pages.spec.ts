import type { Locator, Page } from '@playwright/test';
import type { ShopPage } from '../../../tools/browser/shop.ts';
import type { SpecificationServer } from '../support/specification/server.ts';
import { expect, signInNewCustomer, test, writeGift } from '../support/specification/test.ts';

/** Section 2: the frame of each page, the template’s pages, languages and themes. */

/** The parts of the frame, as a visitor sees them. */
const pageParts = {
  sidebar: (page: Page) => page.getByRole('navigation', { name: 'Categories' }),
  subscribe: (page: Page) => page.getByRole('banner').locator('a[href="/subscription"]'),
  search: (page: Page) => page.getByRole('banner').getByRole('search'),
  explore: (page: Page) => page.getByRole('banner').locator('a[href="/all"]'),
  library: (page: Page) => page.getByRole('banner').locator('a[href="/mylibrary"]'),
  home: (page: Page) => page.getByRole('banner').getByRole('link', { name: 'Home', exact: true }),
  signIn: (page: Page) =>
    page.getByRole('banner').locator('a[href^="/signin"], a[href^="/account"], button[aria-label="Account"]'),
  footer: (page: Page) => page.getByRole('contentinfo'),
  topBar: (page: Page) => page.getByRole('banner'),
};
type PagePart = keyof typeof pageParts;

/** Expects that the page shows these parts of the frame, and none of the others. */
const expectOnly = async (page: Page, expectedParts: readonly PagePart[]): Promise<void> => {
  for (const part of expectedParts) await expect(pageParts[part](page).first(), part).toBeVisible();
  const hiddenParts = (Object.keys(pageParts) as PagePart[]).filter((part) => !expectedParts.includes(part));
  for (const part of hiddenParts) await expect(pageParts[part](page), part).toHaveCount(0);
};
const allParts = Object.keys(pageParts) as PagePart[];
const allPartsExcept = (...hidden: PagePart[]): PagePart[] => allParts.filter((part) => !hidden.includes(part));

/** Parts that remain on payment pages. */
const partsWhilePaying = ['topBar', 'footer', 'signIn'] as const;

test('the landing page has the sidebar and hides home [S2.frame/landing]', async ({ page, shop }) => {
  await page.goto('/');
  await shop.waitForState('landing', 'shown');
  await expectOnly(page, allPartsExcept('home'));
});

test('pages without a rule of their own show every part of the frame [S2.frame/default]', async ({ page, shop }) => {
  for (const path of ['/all', '/id:4', '/about', '/redeem']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectOnly(page, allParts);
  }
  await page.goto('/signin');
  await shop.waitForState('signIn', 'asking');
  await expectOnly(page, allParts);
});

test('catalog and title set pages keep the sidebar and hide subscribe [S2.frame/catalog]', async ({ page, shop }) => {
  for (const path of ['/catalog/titles/autumn', '/titleset/titles/tides']) {
    await page.goto(path);
    await expect(shop.flow('catalogue')).toContainText('The Tide Clock');
    await expectOnly(page, allPartsExcept('subscribe'));
  }
});

test('checkout and success pages hide sidebar, search, library, home and explore [S2.frame/checkout]', async ({
  page,
  server,
  shop,
}) => {
  const customer = await signInNewCustomer(page, server);
  customer.cart.push('5');
  const transaction = server.state.openTransaction(customer, { works: ['4'], planId: null, price: 5, giftInfo: null });
  server.state.confirm(transaction);
  const pages = {
    '/title/purchase?titleid=4': ['purchase', 'owned'],
    '/title/purchase?titleid=5': ['purchase', 'ready'],
    '/purchase': ['cart', { shown: 'resting' }],
    '/cart/checkout': ['purchase', 'ready'],
    [`/title/purchase/success?transId=${transaction.id}`]: ['receipt', 'shown'],
    [`/cart/purchase/success?transId=${transaction.id}`]: ['receipt', 'shown'],
  } as const;
  for (const [path, [flow, state]] of Object.entries(pages)) {
    await page.goto(path);
    await shop.waitForState(flow, state);
    await expectOnly(page, partsWhilePaying);
  }
});

test('subscription pages hide sidebar, search, library, home and explore [S2.frame/subscription]', async ({
  page,
  server,
  shop,
}) => {
  const customer = await signInNewCustomer(page, server);
  await page.goto('/subscription');
  await shop.waitForState('subscription', 'offered');
  await expectOnly(page, partsWhilePaying);
  await page.goto('/subscription/purchase?planid=gold');
  await shop.waitForState('purchase', 'ready');
  await expectOnly(page, partsWhilePaying);
  customer.planId = 'gold';
  await page.goto('/subscription/purchase/success?planid=gold');
  await shop.waitForState('receipt', 'subscribed');
  await expectOnly(page, partsWhilePaying);
});

test('library pages hide the sidebar and show a prompt to open the app [S2.frame/library] [S2.frame/library-app]', async ({
  page,
  server,
  shop,
}) => {
  await signInNewCustomer(page, server);
  await page.goto('/mylibrary');
  await shop.waitForState('library', 'empty');
  await expectOnly(page, allPartsExcept('sidebar'));
  await expect(page.getByRole('link', { name: 'Google Play' })).toBeVisible();
});

test('the viewer hides every part of the frame [S2.frame/viewer]', async ({ page, server, shop }) => {
  const customer = await signInNewCustomer(page, server);
  customer.owned.push('2');
  await page.goto('/viewer?instanceid=copy-2');
  await shop.waitForState('tracks', { attached: 'paused' });
  await expectOnly(page, []);
});

test('times are mm:ss, from an hour on hh:mm:ss [S9.time]', async ({ page, server, shop }) => {
  for (const [id, time] of Object.entries({ '3': '12:05', '2': '03:25:45' })) {
    await page.goto(`/id:${id}`);
    await expect(shop.flow('title').getByText(time, { exact: true })).toBeVisible();
  }
  (await signInNewCustomer(page, server)).owned.push('2');
  await page.goto('/viewer?instanceid=copy-2');
  await expect(shop.flow('tracks').getByText('01:00', { exact: true }).first()).toBeVisible();
});

test('terms and privacy show only top bar, footer and home [S2.frame/information]', async ({ page }) => {
  for (const path of ['/terms', '/privacy']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectOnly(page, ['topBar', 'footer', 'home']);
  }
});

test('the pages /404 and /500 have the texts of the template [S2.template-404] [S2.template-500]', async ({ page }) => {
  await page.goto('/404');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Looks like you got lost');
  await expect(page.getByRole('main')).toContainText('The page you’re looking for doesn’t exist or has been moved.');
  await expect(page.getByRole('link', { name: 'BACK HOME' })).toHaveAttribute('href', '/');
  await page.goto('/500');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Internal Server Error');
  await expect(page.getByRole('main')).toContainText('Something went wrong. Please try again later.');
  await expect(page.getByRole('link', { name: 'BACK HOME' })).toHaveAttribute('href', '/');
});

/** The name of the library in each language. */
const languages = {
  en: 'My Library',
  zh: '我的书库',
  es: 'Mi biblioteca',
  fr: 'Ma bibliothèque',
  it: 'La mia biblioteca',
};

test('the language is English at first, and can be one of five [S2.language] [S9.languages]', async ({ page }) => {
  await page.goto('/all');
  const languageSelect = page.locator('select[data-event="language.chosen"]').first();
  const expectLanguage = async (language: string, libraryName: string): Promise<void> => {
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expect(pageParts.library(page)).toHaveText(libraryName);
  };
  await expectLanguage('en', languages.en);
  await expect(languageSelect.locator('option')).toHaveText(['English', '中文', 'Español', 'Français', 'Italiano']);
  for (const [language, libraryName] of Object.entries(languages)) {
    await languageSelect.selectOption(language);
    await expectLanguage(language, libraryName);
  }
  await page.reload();
  await expectLanguage('it', languages.it);
});

const readColour = (element: Locator): Promise<string> => element.evaluate((each) => getComputedStyle(each).backgroundColor);

test('bars have 7 themes, the background 3 [S3.themes] [S9.theme-sets]', async ({ page, server }) => {
  await signInNewCustomer(page, server);
  await page.goto('/all');
  await page
    .getByRole('banner')
    .getByRole('button', { name: /account/i })
    .click();
  for (const [name, count, colouredElement] of [
    ['topBar', 7, pageParts.topBar(page)],
    ['sidebar', 7, page.getByRole('complementary').filter({ has: pageParts.sidebar(page) })],
    ['background', 3, page.locator('body')],
  ] as const) {
    const themeSelect = page.locator(`select[name="${name}"]`);
    const colours: string[] = [];
    for (const option of await themeSelect.locator('option').all()) {
      await themeSelect.selectOption((await option.getAttribute('value')) ?? '');
      await expect.poll(async () => colours.includes(await readColour(colouredElement)), { message: name }).toBe(false);
      colours.push(await readColour(colouredElement));
    }
    expect(colours, name).toHaveLength(count);
  }
});

test.describe('a theme of the store', () => {
  test('a store’s theme colours the top bar under the default theme [S7.theme]', async ({ page }) => {
    await page.goto('/all');
    await expect(page.getByRole('banner')).toHaveCSS('background-color', 'rgb(122, 31, 61)');
  });
});

const otherConfig = { paymentPublicKey: 'pk_1', mapsKey: 'maps_1', storeAddress: 'https://fernweh.example' };
const testModeText = 'This shop is being tried out: nothing you pay here is charged.';

/** Opens each payment page up to its button, and runs the expectation there. */
const visitPayingPages = async (
  page: Page,
  server: SpecificationServer,
  shop: ShopPage,
  expectOnPage: () => Promise<void>,
): Promise<void> => {
  const customer = await signInNewCustomer(page, server);
  customer.cart.push('5');
  await page.goto('/title/purchase?titleid=4');
  await shop.waitForState('purchase', 'ready');
  await expectOnPage();
  await page.goto('/cart/checkout');
  await shop.waitForState('purchase', 'ready');
  await expectOnPage();
  await page.goto('/subscription/purchase?planid=gold');
  await shop.waitForState('purchase', 'ready');
  await expectOnPage();
  await page.goto('/title/gift?titleid=4');
  await writeGift(shop);
  await expect(shop.control('pay.pressed')).toBeVisible();
  await expectOnPage();
};

for (const [paymentLiveMode, count] of [
  [false, 1],
  [true, 0],
] as const)
  test.describe(`with paymentLiveMode ${paymentLiveMode} in the configuration`, () => {
    test.use({ serverOptions: { config: { paymentLiveMode, ...otherConfig } } });

    test('payment pages say whether they charge, and use the API and the store of the configuration [S9.configuration-keys]', async ({
      page,
      server,
      shop,
    }) => {
      await visitPayingPages(page, server, shop, () => expect(page.getByText(testModeText)).toHaveCount(count));
      expect(server.receivedCalls.length).toBeGreaterThan(0);
      expect(server.receivedCalls.filter(({ query }) => query['storeid'] !== '77')).toEqual([]);
    });
  });

test('without paymentLiveMode in the configuration payment pages show no notice of a test mode', async ({
  page,
  server,
  shop,
}) => {
  await visitPayingPages(page, server, shop, () => expect(page.getByText(testModeText)).toHaveCount(0));
});
