import type { Page } from '@playwright/test';
import { openWithFrame } from '../../../tools/browser/frame.ts';
import { expect, test, type Properties } from '../support/store.ts';

/** Marks the window if anything in it runs. */
const attack = '<img src="/nothing.png" onerror="window.taken = true"><script>window.taken = true</script>';
const link = 'javascript:window.taken=true';
const long = 'long words '.repeat(9_100);
const endless = 'W'.repeat(300);

const pages = ['/', '/all', '/id:1001', '/about', '/terms', '/title/purchase?titleid=1001'];

/** The page works: it has its heading, links lead away from it, and no dialog blocks it. */
const isWhole = async (page: Page, path: string): Promise<void> => {
  await openWithFrame(page, path);
  await expect(page.getByRole('main').getByRole('heading', { level: 1 }), path).toHaveCount(1);
  await expect(page.getByRole('contentinfo')).toBeVisible();
  expect(await page.evaluate(() => 'taken' in window), path).toBe(false);
  const running = page.locator(
    'a[href^="javascript:" i], a[href^="data:" i], img[src^="javascript:" i], iframe, main script, [onerror]',
  );
  await expect(running, path).toHaveCount(0);
};

const wide = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** The store server does not take the values of `refused`; `tests/client` has other servers'. */
const bad: { what: string; properties?: Properties; refused?: Properties; also?: (page: Page) => Promise<void> }[] = [
  {
    what: 'a colour that is none',
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
      ].map((name) => [name, attack]),
    ),
    refused: { SupportEmail: attack },
    also: async (page) => {
      await page.goto('/all');
      await expect(page.getByRole('banner').locator('a[href="/ebook"]')).toHaveText(attack);
    },
  },
  {
    what: 'scripts in the store’s own HTML',
    properties: {
      About: attack,
      TermsOfService: attack,
      PrivacyPolicy: attack,
      CustomCode: attack,
      SubscriptionMessageHtml: attack,
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
      PrivacyPolicy: `<a href="${link}">here</a> <a href="data:text/html,<script>1</script>">there</a>`,
      Faq: link,
    },
    refused: {
      ShelfLogo: link,
      FavIcon: link,
      AppStoreUrls: [{ Type: 'Apple', Url: link }],
      TermsOfServiceUrl: link,
      CookieConsentUrl: link,
      ActionAfterPurchaseConfirmation: link,
      StoreUrl: link,
      StoreUrlAlt: 'data:text/html,<script>1</script>',
      ShopifyShop: link,
    },
  },
  {
    what: 'texts of 100 kB',
    properties: {
      ShelfName: long,
      About: long,
      CustomCode: long,
      NewsletterSignupText: long,
    },
    refused: { SupportEmail: long, ShelfColor: long, ActionAfterPurchaseConfirmation: long },
    also: async (page) => {
      expect(await wide(page)).toBeLessThanOrEqual(0);
    },
  },
  {
    what: 'names without a blank',
    properties: {
      ShelfName: endless,
      ShelfLogo: null,
      TitlesDisplayText: endless,
      SubscribeButtonText: endless,
      SubscribeButtonSubText: endless,
    },
    also: async (page) => {
      for (const width of [320, 1300]) {
        await page.setViewportSize({ width, height: 800 });
        for (const path of pages) {
          await isWhole(page, path);
          expect(await wide(page), `${path} at ${width} px`).toBeLessThanOrEqual(0);
        }
      }
    },
  },
  {
    what: 'a logo that is no picture',
    properties: { ShelfLogo: '/no-picture-at-all' },
    also: async (page) => {
      // The browser writes the name in its place: black on white, whatever the colour of the bar.
      const sign = page.getByRole('banner').getByRole('img', { name: 'Harbour Books' });
      await expect(sign).toHaveCSS('color', 'rgb(0, 0, 0)');
      await expect(sign).toHaveCSS('background-color', 'rgb(255, 255, 255)');
    },
  },
  {
    what: 'numbers and flags that are none',
    refused: { CreditsPerRenewal: 'many', EnableEbook: 'perhaps', EnableTax: '<b>', ShowBuyTitle: 7 },
    also: async (page) => {
      await page.goto('/all');
      await expect(page.getByRole('banner').locator('a[href="/ebook"]')).toBeVisible();
    },
  },
];

for (const { what, properties = {}, refused = {}, also } of bad) {
  test(`${what}: harmless`, async ({ page, errors, setProperties, expectRefused }) => {
    // What the browser refuses or does not find is no fault of the page.
    errors.allow(/Content Security Policy|Failed to load resource/);
    await setProperties(properties);
    await expectRefused(refused);
    for (const path of pages) await isWhole(page, path);
    await also?.(page);
  });
}
