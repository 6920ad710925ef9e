import type { Page } from '@playwright/test';
import { openWithFrame } from '../../../tools/browser/frame.ts';
import { expect, test, type Properties } from '../support/store.ts';

/** Sets a mark on the window if any script in the value runs. */
const attackHtml = '<img src="/nothing.png" onerror="window.taken = true"><script>window.taken = true</script>';
const scriptLink = 'javascript:window.taken=true';
const longText = 'long words '.repeat(9_100);
const longWord = 'W'.repeat(300);

const checkedPages = ['/', '/all', '/id:1001', '/about', '/terms', '/title/purchase?titleid=1001'];

/** The page works: it has its heading, its links can be followed, and no dialog blocks it. */
const expectWholePage = async (page: Page, path: string): Promise<void> => {
  await openWithFrame(page, path);
  await expect(page.getByRole('main').getByRole('heading', { level: 1 }), path).toHaveCount(1);
  await expect(page.getByRole('contentinfo')).toBeVisible();
  expect(await page.evaluate(() => 'taken' in window), path).toBe(false);
  const running = page.locator(
    'a[href^="javascript:" i], a[href^="data:" i], img[src^="javascript:" i], iframe, main script, [onerror]',
  );
  await expect(running, path).toHaveCount(0);
};

const measureOverflow = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/**
 * The store server refuses the values of `refused`; `tests/client` has other servers that send
 * them.
 */
const badValues: { what: string; properties?: Properties; refused?: Properties; also?: (page: Page) => Promise<void> }[] = [
  {
    what: 'an invalid colour',
    refused: { ShelfColor: 'mauve); background: url(https://elsewhere.example/' },
    also: async (page) => {
      const foot = page.getByRole('contentinfo');
      await expect(foot).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
      await expect(foot).toHaveCSS('background-image', 'none');
    },
  },
  {
    what: 'HTML where text is expected',
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
    refused: { SupportEmail: attackHtml },
    also: async (page) => {
      await page.goto('/all');
      await expect(page.getByRole('banner').locator('a[href="/ebook"]')).toHaveText(attackHtml);
    },
  },
  {
    what: 'scripts in the store’s own HTML',
    properties: {
      About: attackHtml,
      TermsOfService: attackHtml,
      PrivacyPolicy: attackHtml,
      CustomCode: attackHtml,
      SubscriptionMessageHtml: attackHtml,
    },
  },
  {
    what: 'lists that are no JSON',
    properties: { AllTitlesSortOptions: null },
    refused: {
      AllTitlesSortOptions: '[{"text": ',
      MyLibrarySortOptions: '{"a": 1}',
      AppStoreUrls: '[{]',
      PurchaseCountries: 'everywhere',
    },
    also: async (page) => {
      await page.goto('/all');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByLabel('Sort by')).toHaveCount(0);
    },
  },
  {
    what: 'links that would run',
    properties: {
      TermsOfService: null,
      PrivacyPolicy: `<a href="${scriptLink}">here</a> <a href="data:text/html,<script>1</script>">there</a>`,
      Faq: scriptLink,
    },
    refused: {
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
    what: 'texts of 100 kB',
    properties: {
      ShelfName: longText,
      About: longText,
      CustomCode: longText,
      NewsletterSignupText: longText,
    },
    refused: { SupportEmail: longText, ShelfColor: longText, ActionAfterPurchaseConfirmation: longText },
    also: async (page) => {
      expect(await measureOverflow(page)).toBeLessThanOrEqual(0);
    },
  },
  {
    what: 'names without a blank',
    properties: {
      ShelfName: longWord,
      ShelfLogo: null,
      TitlesDisplayText: longWord,
      SubscribeButtonText: longWord,
      SubscribeButtonSubText: longWord,
    },
    also: async (page) => {
      for (const width of [320, 1300]) {
        await page.setViewportSize({ width, height: 800 });
        for (const path of checkedPages) {
          await expectWholePage(page, path);
          expect(await measureOverflow(page), `${path} at ${width} px`).toBeLessThanOrEqual(0);
        }
      }
    },
  },
  {
    what: 'a logo that is no picture',
    properties: { ShelfLogo: '/no-picture-at-all' },
    also: async (page) => {
      // The browser shows the alternative text: black on white, on any colour of the bar.
      const sign = page.getByRole('banner').getByRole('img', { name: 'Harbour Books' });
      await expect(sign).toHaveCSS('color', 'rgb(0, 0, 0)');
      await expect(sign).toHaveCSS('background-color', 'rgb(255, 255, 255)');
    },
  },
  {
    what: 'invalid numbers and flags',
    refused: { CreditsPerRenewal: 'many', EnableEbook: 'perhaps', EnableTax: '<b>', ShowBuyTitle: 7 },
    also: async (page) => {
      await page.goto('/all');
      await expect(page.getByRole('banner').locator('a[href="/ebook"]')).toBeVisible();
    },
  },
];

for (const { what, properties = {}, refused = {}, also } of badValues) {
  test(`${what}: harmless`, async ({ page, errors, setProperties, expectRefused }) => {
    // A value that the browser refuses or cannot load is not a fault of the page.
    errors.allow(/Content Security Policy|Failed to load resource/);
    await setProperties(properties);
    await expectRefused(refused);
    for (const path of checkedPages) await expectWholePage(page, path);
    await also?.(page);
  });
}
