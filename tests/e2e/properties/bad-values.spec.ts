import type { Page } from '@playwright/test';
import { openWithFrame } from '../../../tools/browser/frame.ts';
import { expect, test, type StoreProperties } from '../support/store.ts';

/** HTML whose scripts, if they run, set a mark on the window. */
const attackHtml = '<img src="/nothing.png" onerror="window.taken = true"><script>window.taken = true</script>';
const scriptLink = 'javascript:window.taken=true';
const longText = 'long words '.repeat(9_100);
const longWord = 'W'.repeat(300);

const checkedPages = ['/', '/all', '/id:1001', '/about', '/terms', '/title/purchase?titleid=1001'];

/**
 * Expects a page with its heading and footer, in which no script of a property has run or can run.
 */
const expectWorkingPage = async (page: Page, path: string): Promise<void> => {
  await openWithFrame(page, path);
  await expect(page.getByRole('main').getByRole('heading', { level: 1 }), path).toHaveCount(1);
  await expect(page.getByRole('contentinfo')).toBeVisible();
  expect(await page.evaluate(() => 'taken' in window), path).toBe(false);
  const scriptableElements = page.locator(
    'a[href^="javascript:" i], a[href^="data:" i], img[src^="javascript:" i], iframe, main script, [onerror]',
  );
  await expect(scriptableElements, path).toHaveCount(0);
};

const measureOverflow = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/**
 * Values of properties that may be wrong. The store server refuses `refusedProperties`;
 * `tests/client` has servers that send such values all the same.
 */
const badValues: {
  name: string;
  properties?: StoreProperties;
  refusedProperties?: StoreProperties;
  check?: (page: Page) => Promise<void>;
}[] = [
  {
    name: 'an invalid colour',
    refusedProperties: { ShelfColor: 'mauve); background: url(https://elsewhere.example/' },
    check: async (page) => {
      const footer = page.getByRole('contentinfo');
      await expect(footer).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
      await expect(footer).toHaveCSS('background-image', 'none');
    },
  },
  {
    name: 'HTML where text is expected',
    properties: Object.fromEntries(
      [
        'ShelfName',
        'EbooksDisplayText',
        'TitlesDisplayText',
        'MyCatalogDisplayText',
        'NewsletterSignupText',
        'CreditCurrency',
        'SubscribeButtonText',
        'SubscribeButtonSubText',
        'ActionAfterPurchaseConfirmationLinkText',
      ].map((name) => [name, attackHtml]),
    ),
    refusedProperties: { SupportEmail: attackHtml },
    check: async (page) => {
      await page.goto('/all');
      await expect(page.getByRole('banner').locator('a[href="/ebook"]')).toHaveText(attackHtml);
    },
  },
  {
    name: 'scripts in the store’s own HTML',
    properties: {
      About: attackHtml,
      TermsOfService: attackHtml,
      PrivacyPolicy: attackHtml,
      CustomCode: attackHtml,
      SubscriptionMessageHtml: attackHtml,
    },
  },
  {
    name: 'lists that are not JSON',
    properties: { AllTitlesSortOptions: null },
    refusedProperties: {
      AllTitlesSortOptions: '[{"text": ',
      MyLibrarySortOptions: '{"a": 1}',
      AppStoreUrls: '[{]',
      PurchaseCountries: 'everywhere',
    },
    check: async (page) => {
      await page.goto('/all');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByLabel('Sort by')).toHaveCount(0);
    },
  },
  {
    name: 'links that would run a script',
    properties: {
      TermsOfService: null,
      PrivacyPolicy: `<a href="${scriptLink}">here</a> <a href="data:text/html,<script>1</script>">there</a>`,
      Faq: scriptLink,
    },
    refusedProperties: {
      ShelfLogo: scriptLink,
      FavIcon: scriptLink,
      AppStoreUrls: [{ Type: 'Apple', Url: scriptLink }],
      TermsOfServiceUrl: scriptLink,
      CookieConsentUrl: scriptLink,
      ActionAfterPurchaseConfirmation: scriptLink,
      StoreUrl: scriptLink,
      StoreUrlAlt: 'data:text/html,<script>1</script>',
      ShopifyShop: scriptLink,
    },
  },
  {
    name: 'texts of 100 kB',
    properties: {
      ShelfName: longText,
      About: longText,
      CustomCode: longText,
      NewsletterSignupText: longText,
    },
    refusedProperties: { SupportEmail: longText, ShelfColor: longText, ActionAfterPurchaseConfirmation: longText },
    check: async (page) => {
      expect(await measureOverflow(page)).toBeLessThanOrEqual(0);
    },
  },
  {
    name: 'long names without a space',
    properties: {
      ShelfName: longWord,
      ShelfLogo: null,
      TitlesDisplayText: longWord,
      SubscribeButtonText: longWord,
      SubscribeButtonSubText: longWord,
    },
    check: async (page) => {
      for (const width of [320, 1300]) {
        await page.setViewportSize({ width, height: 800 });
        for (const path of checkedPages) {
          await expectWorkingPage(page, path);
          expect(await measureOverflow(page), `${path} at ${width} px`).toBeLessThanOrEqual(0);
        }
      }
    },
  },
  {
    name: 'a logo that is not a picture',
    properties: { ShelfLogo: '/no-picture-at-all' },
    check: async (page) => {
      // The browser shows the alternative text: black on white, on any colour of the bar.
      const logo = page.getByRole('banner').getByRole('img', { name: 'Harbour Books' });
      await expect(logo).toHaveCSS('color', 'rgb(0, 0, 0)');
      await expect(logo).toHaveCSS('background-color', 'rgb(255, 255, 255)');
    },
  },
  {
    name: 'invalid numbers and flags',
    refusedProperties: { CreditsPerRenewal: 'many', EnableEbook: 'perhaps', EnableTax: '<b>', ShowBuyTitle: 7 },
    check: async (page) => {
      await page.goto('/all');
      await expect(page.getByRole('banner').locator('a[href="/ebook"]')).toBeVisible();
    },
  },
];

for (const { name, properties = {}, refusedProperties = {}, check } of badValues) {
  test(`the pages work with ${name}`, async ({ page, errors, setProperties, expectRefused }) => {
    // A value that the browser refuses or cannot load is not a fault of the page.
    errors.allow(/Content Security Policy|Failed to load resource/);
    await setProperties(properties);
    await expectRefused(refusedProperties);
    for (const path of checkedPages) await expectWorkingPage(page, path);
    await check?.(page);
  });
}
