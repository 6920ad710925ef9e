import type { Page } from '@playwright/test';
import { expect, signInNewCustomer, test } from '../support/specification/test.ts';

/** A store, its categories and its titles, on the page. */

const removePlans = async (page: Page): Promise<void> => {
  await page.route(
    ({ pathname }) => pathname === '/v1/plans',
    (route) => route.fulfill({ contentType: 'text/xml', body: '<ArrayOfPlan/>' }),
  );
};

test.describe('a store with only the required fields', () => {
  test.use({
    serverOptions: { properties: { EnableAudioTitle: '', EnableVideoTitle: '', ShelfName: '', EnableGiftingTitle: '' } },
  });

  test('a store without optional properties has the default texts, flags and name [S9.display-texts] [S9.on] [S9.off] [S9.site-name]', async ({
    page,
    server,
    shop,
  }) => {
    await page.goto('/all');
    await expect(page).toHaveTitle(/Titles · Colophon$/);
    const bar = page.getByRole('banner');
    await expect(bar.locator('a[href="/ebook"]')).toHaveText('eBooks');
    for (const path of ['/audio', '/video']) await expect(bar.locator(`a[href="${path}"]`)).toHaveCount(0);
    await expect(bar.locator('a[href="/subscription"]').first()).toBeVisible();
    await page.goto('/audio');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Audio Books');
    await page.goto('/video');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Video Books');
    await page.goto('/id:4');
    await expect(shop.flow('title')).toContainText('€5.00');
    await expect(page.getByRole('link', { name: 'Redeem a code' }).first()).toBeVisible();
    await page.keyboard.press('End');
    await expect(page.getByRole('heading', { name: 'You may also like' })).toBeVisible();
    await expect(page.getByRole('contentinfo')).toContainText('Powered by Colophon');
    await expect(page.getByText(/cookies/i)).toHaveCount(0);
    await expect(shop.flow('title')).not.toContainText('tax');
    (await signInNewCustomer(page, server)).owned.push('1');
    await page.goto('/mylibrary');
    const tabs = page.getByRole('navigation', { name: 'Types of title' });
    await expect(tabs.locator('a[href="/mylibrary"]')).toHaveText('My Catalog');
    await expect(shop.control('title.opened')).toHaveText(/^Read/);
    await page.goto('/redeem');
    await expect(shop.flow('redeem')).toContainText('Codes can be redeemed for titles, credits, a subscription or a discount.');
    await page.goto('/subscription');
    await shop.waitForState('subscription', 'offered');
    await expect(shop.flow('subscription').getByRole('link', { name: 'Redeem a code' })).toBeVisible();
  });

  test('a store without CreditsPerRenewal mentions no credits with a subscription [S9.credits-per-renewal]', async ({
    page,
    shop,
  }) => {
    // Plans have their own credits: the store’s number is shown only if no plan is offered.
    await removePlans(page);
    await page.goto('/subscription');
    await shop.waitForState('subscription', 'offered');
    await expect(shop.flow('subscription')).toContainText('Would you like to subscribe?');
    await expect(shop.flow('subscription')).not.toContainText(/credit/i);
  });

  test('Help links to /about, and app links to a search in both app stores [S9.links] [S2.frame/library-app]', async ({
    page,
    server,
    shop,
  }) => {
    await signInNewCustomer(page, server);
    await page.goto('/mylibrary');
    await shop.waitForState('library', 'empty');
    await expect(page.locator('a[href^="https://play.google.com/store/search"]').first()).toBeVisible();
    await expect(page.locator('a[href^="https://www.apple.com/us/search/"]').first()).toBeVisible();
    await page.goto('/all');
    await expect(page.getByRole('link', { name: 'Help' }).first()).toHaveAttribute('href', '/about');
  });
});

test.describe('with links in /config.json', () => {
  const config = {
    helpUrl: 'https://help.fernweh.example/',
    appStoreUrls: [{ type: 'Apple', url: 'https://apps.apple.com/app/id1' }],
    providers: [
      { id: 'fb', kind: 'facebook', name: 'Facebook' },
      { id: 'google', kind: 'oidc', name: 'Google' },
    ],
  };
  test.use({ serverOptions: { config } });

  test('Help, the app and sign-in providers are those of the configuration [S9.links] [S9.configuration] [S2.signin/providers]', async ({
    page,
    server,
    shop,
  }) => {
    await page.goto('/signin');
    await shop.waitForState('signIn', 'asking');
    for (const name of ['Facebook', 'Google'])
      await expect(page.getByRole('button', { name: new RegExp(`Continue with ${name}`) })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Help' }).first()).toHaveAttribute('href', config.helpUrl);
    expect(server.receivedCalls.every(({ query }) => query['storeid'] === '77')).toBe(true);
    await signInNewCustomer(page, server);
    await page.goto('/mylibrary');
    await expect(page.getByRole('link', { name: 'App Store' })).toHaveAttribute('href', 'https://apps.apple.com/app/id1');
  });
});

test.describe('a store with credits', () => {
  test.use({ serverOptions: { properties: { CreditsPerRenewal: '2', EnableBuyWithCredits: 'true' } } });

  test('the subscription page shows the store’s credits per renewal [S9.credits-per-renewal]', async ({ page, shop }) => {
    await removePlans(page);
    await page.goto('/subscription');
    await expect(shop.flow('subscription')).toContainText('Each renewal gives you 2 credits.');
  });

  test('credits are labelled Credit or Credits [S9.credits]', async ({ page, server, shop }) => {
    const customer = await signInNewCustomer(page, server);
    customer.credits = 1;
    await page.goto('/account');
    await expect(shop.flow('credits')).toContainText('1 Credit');
    await expect(shop.flow('credits')).not.toContainText('1 Credits');
    customer.credits = 3;
    await page.reload();
    await expect(shop.flow('credits')).toContainText('3 Credits');
  });
});

test('a category is found by its id, its tag and its path [S3.category] [S3.category-path]', async ({ page, server, shop }) => {
  await page.goto('/all');
  const link = page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'Deep/Sea' });
  await expect(link).toHaveAttribute('href', '/all/deep-sea/20');
  // The category's path with the tag leads to the same titles.
  await page.goto('/all/deep-sea/tag-sea');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Deep/Sea');
  await expect(shop.flow('catalogue')).toContainText('The Tide Clock');
  await expect(shop.flow('catalogue')).not.toContainText('Salt Roads');
  expect(
    server.receivedCalls.some(({ query }) => query['categoryid'] === '20' || query['tagid']?.toLowerCase() === 'tag-sea'),
  ).toBe(true);
  // The path with the id, the encoded path with the tag, and the name alone lead to the category,
  // too.
  for (const reference of ['deep-sea/20', 'deep-sea%2Ftag-sea', 'deep-sea']) {
    await page.goto(`/ebook/${reference}`);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Deep/Sea');
    await expect(shop.flow('catalogue')).toContainText('The Tide Clock');
  }
  // A category without a tag has its id in the path instead.
  await page.goto('/ebook/stories%2F10');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Stories');
});

test('a price has its currency’s symbol and decimals, and zero is Free [S3.title-price] [S9.price]', async ({ page, shop }) => {
  const prices = { '4': '€5.00', '6': '¥900', '7': /JOD\s?1\.250/, '1': 'Free' };
  for (const [id, price] of Object.entries(prices)) {
    await page.goto(`/id:${id}`);
    await expect(shop.flow('title')).toContainText(price);
  }
});

test('lists are requested by the number of a type, and each title shows its type [S3.title-type] [S9.list-codes]', async ({
  page,
  server,
  shop,
}) => {
  for (const [path, code, name] of [
    ['/ebook', '1', 'Salt Roads'],
    ['/audio', '2', 'Café in the Fog'],
    ['/video', '4', 'Low Water'],
  ] as const) {
    await page.goto(path);
    await expect(shop.flow('catalogue')).toContainText(name);
    expect(server.receivedCalls.some(({ call, query }) => call === 'titles' && query['titletype'] === code)).toBe(true);
  }
  await page.goto('/all');
  await expect(shop.flow('catalogue')).toContainText('Salt Roads');
  expect(server.receivedCalls.some(({ call, query }) => call === 'titles' && [undefined, '0'].includes(query['titletype']))).toBe(
    true,
  );
  for (const [id, kind] of Object.entries({ '4': 'eBook (EPUB)', '2': 'Audiobook', '9': 'Interactive story', '3': 'Video' })) {
    await page.goto(`/id:${id}`);
    await expect(shop.flow('title')).toContainText(kind);
  }
});

test('the name of a title in a URL has dashes, and 60 characters at most [S9.slug]', async ({ page, shop }) => {
  await page.goto('/all');
  const name = 'A Very Long Name / With Slashes and Blanks That Goes On for More Than Sixty Characters';
  const link = shop.flow('catalogue').getByRole('link', { name }).first();
  const href = (await link.getAttribute('href')) ?? '';
  expect(decodeURIComponent(href)).toBe(`/id:8/${name.replaceAll(/[ /]+/g, '-').slice(0, 60)}`);
});
