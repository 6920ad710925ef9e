import type { Page } from '@playwright/test';
import { expect, test } from '../support/store.ts';

const appStoreUrls = [
  { Type: 'GooglePlay', Url: 'https://play.example/lamplight' },
  { Type: 'Apple', Url: 'https://apps.example/lamplight' },
];

const getAppLinks = (page: Page) => page.getByRole('main').getByRole('link', { name: /^(Google Play|App Store)$/ });

test('AppStoreUrls sets the links of the prompt to open the app [S3.property/AppStoreUrls]', async ({
  page,
  customer,
  setProperties,
}) => {
  await customer.startPurchase('1001');
  const prompt = page.getByRole('complementary', { name: 'The app' });
  await setProperties({ AppStoreUrls: appStoreUrls });
  await page.goto('/mylibrary');
  await expect(prompt.getByRole('link', { name: 'Google Play' })).toHaveAttribute('href', 'https://play.example/lamplight');
  await expect(prompt.getByRole('link', { name: 'App Store' })).toHaveAttribute('href', 'https://apps.example/lamplight');
  await setProperties({ AppStoreUrls: null });
  await page.goto('/mylibrary');
  // Without the property, the app stores are searched for the shop's name.
  await expect(prompt.getByRole('link', { name: 'Google Play' })).toHaveAttribute(
    'href',
    'https://play.google.com/store/search?c=apps&q=Harbour%20Books',
  );
  await expect(prompt.getByRole('link', { name: 'App Store' })).toHaveAttribute(
    'href',
    'https://www.apple.com/us/search/Harbour%20Books',
  );
});

test('MyCatalogDisplayText names the customer’s library [S3.property/MyCatalogDisplayText]', async ({
  page,
  customer,
  setProperties,
}) => {
  await customer.startPurchase('1001');
  const tab = page.getByRole('navigation', { name: 'Types of title' }).locator('a[href="/mylibrary"]');
  await setProperties({ MyCatalogDisplayText: 'My Shelf' });
  await page.goto('/mylibrary');
  await expect(tab).toHaveText('My Shelf');
  await setProperties({ MyCatalogDisplayText: null });
  await page.goto('/mylibrary');
  await expect(tab).toHaveText('My Catalog');
});

test('MyLibrarySortOptions sets the sort orders of the library [S3.property/MyLibrarySortOptions]', async ({
  page,
  customer,
  setProperties,
}) => {
  await customer.buy('1001');
  await customer.buy('1008');
  const sortSelect = page.getByLabel('Sort by');
  await setProperties({ MyLibrarySortOptions: '[{"text": "A to Z", "value": "title"}, "newest"]' });
  await page.goto('/mylibrary?sort=newest');
  await expect(sortSelect.getByRole('option')).toHaveText(['A to Z', 'Newest']);
  const titleHeadings = page.getByRole('article').getByRole('heading');
  await expect(titleHeadings).toHaveCount(2);
  await sortSelect.selectOption('A to Z');
  await expect(page).toHaveURL(/\?sort=title$/);
  await expect
    .poll(async () => {
      const shownNames = await titleHeadings.allTextContents();
      return shownNames.length === 2 && shownNames.toString() === shownNames.toSorted((a, b) => a.localeCompare(b)).toString();
    })
    .toBe(true);
  await setProperties({ MyLibrarySortOptions: null });
  await page.goto('/mylibrary');
  await expect(titleHeadings).toHaveCount(2);
  await expect(sortSelect).toHaveCount(0);
});

test('customers read in the browser with EnableWebReader, and in the app without it [S3.property/EnableWebReader]', async ({
  page,
  shopPage,
  customer,
  setProperties,
}) => {
  await customer.buy('1001');
  await page.goto('/mylibrary');
  await expect(shopPage.control('title.opened')).toHaveText(/^Read/);
  await page.goto('/id:1008');
  await expect(shopPage.control('sample.pressed')).toBeVisible();

  await setProperties({ EnableWebReader: false, AppStoreUrls: appStoreUrls });
  await page.goto('/mylibrary');
  await expect(page.getByRole('article')).toContainText('In the app');
  await expect(shopPage.control('title.opened')).toHaveCount(0);
  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId('1001')}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/read and play this shop’s titles in its app/);
  await expect(getAppLinks(page)).toHaveCount(2);
  await shopPage.control('close.pressed').click();
  await shopPage.waitForState('library', 'shown');
  await page.goto('/id:1001');
  await expect(page.getByText('This title is in your library. Open it in the app.')).toBeVisible();
  await expect(getAppLinks(page)).toHaveCount(2);
  await page.goto('/id:1008');
  await expect(shopPage.control('buy.pressed')).toBeVisible();
  await expect(shopPage.control('sample.pressed')).toHaveCount(0);
  await page.goto('/title/purchase?titleid=1008');
  await expect(page.getByText('Available in the shop’s app, on any of your devices')).toBeVisible();
});
