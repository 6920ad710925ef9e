import { expect, signInNewCustomer, test } from '../support/specification/test.ts';

/** Section 3: stores that together set every property, and how the pages show each property. */

const testedProperties = {
  ShelfName: 'Fernweh & Daughters',
  ShelfLogo: '/content/logo.svg',
  ShelfColor: '#7a1f3d',
  FavIcon: '/content/icon.svg',
  EbooksDisplayText: 'Wonders',
  AudioTitlesDisplayText: 'Voices',
  VideoTitlesDisplayText: 'Sights',
  TitlesDisplayText: 'Everything',
  MyCatalogDisplayText: 'My Shelf',
  AppStoreUrls: '<AppStoreUrl><Type>Apple</Type><Url>https://apps.example/fernweh</Url></AppStoreUrl>',
  About: '<p>Two cats and a ladder.</p>',
  TermsOfService: '<p>Be kind.</p>',
  PrivacyPolicyUrl: 'https://fernweh.example/private',
  SupportEmail: 'cats@fernweh.example',
  ActionAfterPurchaseConfirmation: 'home',
  ActionAfterPurchaseConfirmationLinkText: 'Go further',
  ShowCookieConsent: 'true',
  CookieConsentUrl: 'https://fernweh.example/crumbs',
  SubscriptionMessageHtml: '<p>All of the light.</p>',
  Faq: 'https://help.fernweh.example/dogs',
  EnableTax: 'true',
  CustomCode: '<h2>Rain today</h2>',
  ShowPapertrellBrand: 'false',
  AllTitlesSortOptions: '["author", {"text": "Z to A", "value": "title-desc"}]',
  MyLibrarySortOptions: '[{"text": "A to Z", "value": "title"}]',
  EnableBuyWithCredits: 'true',
  ShowNewsletterControls: 'true',
  NewsletterSignupText: 'Tell me of the cats.',
  EnableGiftingTitle: 'true',
  EnableMblurb: 'true',
  PurchaseCountries: 'AT,DE',
  CreditsPerRenewal: '2',
  CreditCurrency: 'Pearls',
  SubscribeButtonText: 'Join us',
  SubscribeButtonSubText: 'Oil included',
  ShowRelatedTitles: 'false',
  ShopifyShop: 'fernweh-prints',
  StoreUrl: 'https://fernweh.example/',
  StoreUrlAlt: 'https://other.example/',
};

test.describe('a store with every property', () => {
  test.use({ serverOptions: { properties: testedProperties, config: { coralHost: 'https://comments.example' } } });

  test.beforeEach(async ({ context }) => {
    const body = 'window.Coral = { createStreamEmbed: ({ id }) => document.getElementById(id).append("Well told.") }';
    await context.route('https://comments.example/**', (route) => route.fulfill({ contentType: 'text/javascript', body }));
  });

  test('properties of a store are shown in the frame of its pages [S1.brand] [S3.store-properties] [S4.foot-colour]', async ({
    page,
  }) => {
    await page.goto('/all');
    await expect(page).toHaveTitle('Everything · Fernweh & Daughters');
    await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', /\/content\/icon\.svg$/);
    const bar = page.getByRole('banner');
    await expect(bar.getByRole('img', { name: 'Fernweh & Daughters' })).toHaveAttribute('src', /\/content\/logo\.svg$/);
    const kinds = { '/all': 'Everything', '/ebook': 'Wonders', '/audio': 'Voices', '/video': 'Sights' };
    for (const [path, text] of Object.entries(kinds)) await expect(bar.locator(`a[href="${path}"]`)).toHaveText(text);
    await expect(bar.locator('a[href="/subscription"]').first()).toHaveText(/^Join us\s*Oil included$/);
    const footer = page.getByRole('contentinfo');
    // The colour of the store with each channel reduced by 30 %.
    await expect(footer).toHaveCSS('background-color', 'rgb(85, 22, 43)');
    await expect(footer).not.toContainText('Powered by');
    await expect(footer.getByRole('link', { name: 'Help' })).toHaveAttribute('href', testedProperties.Faq);
    const shop = 'https://fernweh-prints.myshopify.com/';
    for (const href of [`mailto:${testedProperties.SupportEmail}`, shop, testedProperties.StoreUrl, testedProperties.StoreUrlAlt])
      await expect(footer.locator(`a[href="${href}"]`)).toBeVisible();
    const notice = page.getByRole('region', { name: 'Cookies' });
    await expect(notice.getByRole('link', { name: 'Read more' })).toHaveAttribute('href', testedProperties.CookieConsentUrl);
    await page.goto('/all?sort=author');
    await expect(page.getByRole('main').getByLabel('Sort by').getByRole('option')).toHaveText(['Author', 'Z to A']);
  });

  test('properties of a store are shown on its landing, information and sign-up pages [S3.store-properties]', async ({
    page,
  }) => {
    const main = page.getByRole('main');
    const texts = {
      '/': 'Rain today',
      '/about': 'Two cats and a ladder.',
      '/terms': 'Be kind.',
      '/subscription': 'All of the light.',
    };
    for (const [path, text] of Object.entries(texts)) {
      await page.goto(path);
      await expect(main.getByText(text)).toBeVisible();
    }
    await page.goto('/privacy');
    await expect(main.locator(`a[href="${testedProperties.PrivacyPolicyUrl}"]`)).toBeVisible();
    await page.goto('/signup');
    await expect(page.getByRole('checkbox', { name: testedProperties.NewsletterSignupText })).toBeVisible();
  });

  test('properties of a store are shown on title, purchase, receipt and library pages [S3.store-properties]', async ({
    page,
    server,
    shop,
  }) => {
    await page.goto('/id:5');
    const title = shop.flow('title');
    await expect(title).toContainText('plus tax');
    await expect(title).toContainText('You can also pay with Pearls. A subscription brings more with each renewal.');
    await expect(title.locator('a[href="/title/gift?titleid=5"]')).toBeVisible();
    await page.keyboard.press('End');
    await expect(page.getByText('Well told.')).toBeVisible();
    await expect(page.locator('[data-in-view="related"]')).toHaveCount(0);
    const customer = await signInNewCustomer(page, server);
    customer.owned.push('1', '4');
    await page.goto('/title/purchase?titleid=5');
    await expect(page.getByText('Available in: Austria and Germany')).toBeVisible();
    const transaction = server.state.openTransaction(customer, { works: ['4'], planId: null, price: 5, giftInfo: null });
    server.state.confirm(transaction);
    await page.goto(`/title/purchase/success?transId=${transaction.id}`);
    await expect(shop.flow('receipt').getByRole('link', { name: 'Go further' })).toHaveAttribute('href', '/');
    await page.goto('/mylibrary');
    const tabs = page.getByRole('navigation', { name: 'Types of title' });
    await expect(tabs.locator('a[href="/mylibrary"]')).toHaveText('My Shelf');
    await expect(page.getByRole('link', { name: 'App Store' })).toHaveAttribute('href', 'https://apps.example/fernweh');
    await expect(page.getByLabel('Sort by').getByRole('option', { name: 'A to Z' })).toHaveCount(1);
  });
});

test.describe('a store with every feature switched off', () => {
  const properties = {
    EnableSubscription: 'false',
    EnableEbook: 'false',
    EnableAudioTitle: 'false',
    EnableVideoTitle: 'false',
    EnableWebSubscriptionRedeem: 'false',
    EnableWebTitleRedeem: 'false',
    EnableWebReader: 'false',
    ShowBuyTitle: 'false',
    ShowTitlePrice: 'false',
    HideFilters: 'true',
    TermsOfServiceUrl: 'https://fernweh.example/terms',
    PrivacyPolicy: '<p>We look away.</p>',
    AllTitlesSortOptions: '["author"]',
  };
  test.use({ serverOptions: { properties } });

  test('features that are switched off are not shown [S3.store-properties]', async ({ page, server, shop }) => {
    await page.goto('/all');
    await expect(shop.flow('catalogue')).toContainText('The Tide Clock');
    for (const path of ['/ebook', '/audio', '/video', '/subscription'])
      await expect(page.getByRole('banner').locator(`a[href="${path}"]`), path).toHaveCount(0);
    await expect(page.getByRole('main').getByLabel('Sort by')).toHaveCount(0);
    await expect(shop.flow('catalogue')).not.toContainText('€');
    await page.goto('/terms');
    await expect(page.getByRole('main').locator(`a[href="${properties.TermsOfServiceUrl}"]`)).toBeVisible();
    await page.goto('/privacy');
    await expect(page.getByRole('main')).toContainText('We look away.');
    await page.goto('/redeem');
    await expect(page.getByRole('main')).toContainText('This shop doesn’t accept codes.');
    (await signInNewCustomer(page, server)).owned.push('1');
    await page.goto('/mylibrary');
    await expect(page.getByRole('article')).toContainText('In the app');
    await page.goto('/id:4');
    await expect(shop.flow('title').getByRole('heading', { level: 1 })).toHaveText('Salt Roads');
    await expect(shop.control('buy.pressed')).toHaveCount(0);
  });
});
