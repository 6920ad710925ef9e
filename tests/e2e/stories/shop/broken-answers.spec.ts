import type { Page } from '@playwright/test';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { stubResponse, forcePropertiesRequest, changeResponse } from '../../../../tools/browser/wire.ts';
import { expect, operatorEmail, test } from '../../support/shop.ts';

const brokenXml = '<?xml version="1.0" encoding="UTF-8"?><StoreProperties><ShelfId>harb';
const getHeading = (page: Page) => page.getByRole('heading', { level: 1 });
const titlesPath = '/api/titles';

for (const [fault, body] of [
  ['says Invalid', '<StoreProperties><Status>Invalid</Status><ShelfId>harbour</ShelfId></StoreProperties>'],
  ['is refused as Invalid', '<Error><StatusCode>400</StatusCode><Status>Invalid</Status><Message>No shop.</Message></Error>'],
  ['has no ShelfId', '<StoreProperties><ShelfName>Harbour</ShelfName></StoreProperties>'],
] as const) {
  test(`a store whose properties response ${fault} leads to /invalid [S2.blocked] [S2.invalid-page] [S2.invalid-support] [S4.invalid-all] [S4.invalid-status] [S4.invalid-shelf]`, async ({
    page,
    errors,
  }) => {
    errors.allow(/status of 400/);
    await forcePropertiesRequest(page);
    await stubResponse(page, '/store/properties', body, body.startsWith('<Error>') ? 400 : 200);
    await page.goto('/id:1005');
    await expect(getHeading(page)).toHaveText('Oops! You seem to be lost');
    await expect(page).toHaveURL('/invalid');
    await expect(page.getByRole('link', { name: operatorEmail })).toHaveAttribute('href', `mailto:${operatorEmail}`);
  });
}

test('an existing store has no /invalid page [S2.invalid-valid]', async ({ page }) => {
  await page.goto('/invalid');
  await new ShopPage(page).waitForState('landing', 'shown');
  await expect(page).toHaveURL('/');
});

test('data that is embedded in the page is not requested again', async ({ page }) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/') || pathname === '/config.json') calls.push(pathname);
  });
  await page.goto('/id:1005');
  await expect(getHeading(page)).toHaveText('The Wend');
  await expect(page.getByRole('navigation', { name: 'Categories' }).getByRole('link').first()).toBeVisible();
  expect(calls).toContain('/api/titles/1005');
  expect(calls.filter((path) => /config|properties|categories/.test(path))).toEqual([]);
});

test('unreadable properties are reported, not confused with an invalid store, and requested again on Retry', async ({ page }) => {
  const view = new ShopPage(page);
  await forcePropertiesRequest(page);
  await stubResponse(page, '/store/properties', brokenXml);
  await page.goto('/about');
  await view.waitForState('boot', 'unreachable');
  await expect(view.flow('boot')).toContainText('sent an unexpected response');
  await expect(page).toHaveURL('/about');

  await page.unrouteAll();
  await view.control('retry.pressed').click();
  await view.waitForState('information', 'shown');
  await expect(page).toHaveURL('/about');
});

test('an unreadable list or title is reported and requested again on Retry', async ({ page }) => {
  const view = new ShopPage(page);
  await stubResponse(page, titlesPath, '<Titles><Title><TitleId>1</TitleId>');
  await page.goto('/ebook');
  await view.waitForState('catalogue', 'failed');
  await expect(view.flow('catalogue')).toContainText('sent an unexpected response');
  await page.unrouteAll();
  await view.control('retry.pressed').click();
  await view.waitForState('catalogue', { shown: 'resting' });

  await stubResponse(page, '/titles/1005', '<Title><TitleId>1005</Name></Title>');
  await page.goto('/id:1005');
  await view.waitForState('title', 'failed');
  await page.unrouteAll();
  await view.control('retry.pressed').click();
  await expect(getHeading(page)).toHaveText('The Wend');
});

test('a title without a required field is reported; a title without an optional field is shown', async ({ page }) => {
  const view = new ShopPage(page);
  await changeResponse(page, '/titles/1005', (xml) => xml.replace(/<Name>The Wend<\/Name>/, ''));
  await page.goto('/id:1005');
  await view.waitForState('title', 'failed');
  await expect(getHeading(page)).toHaveText('We couldn’t load this title');
  await expect(view.flow('title')).toContainText('sent an unexpected response');

  await page.unrouteAll();
  await changeResponse(page, '/titles/1005', (xml) => xml.replace(/<Publisher>[^<]*<\/Publisher>/, ''));
  await view.control('retry.pressed').click();
  await expect(getHeading(page)).toHaveText('The Wend');
  await expect(view.flow('title')).not.toContainText('Two Herons Press');
  await expect(view.control('buy.pressed')).toBeVisible();
});

test('a missing title or page is reported, with a link to continue [S8.not-found] [S2.wrong-turn]', async ({ page, errors }) => {
  errors.allow(/status of 404/);
  const view = new ShopPage(page);
  await page.goto('/id:9999');
  await view.waitForState('title', 'notFound');
  await expect(getHeading(page)).toHaveText('We don’t have that title');
  await page.getByRole('link', { name: 'See all titles' }).click();
  await view.waitForState('catalogue', { shown: 'resting' });

  await page.goto('/no/such/page');
  await expect(getHeading(page)).toHaveText('Oops! Wrong Turn');
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await view.waitForState('landing', 'shown');
  await expect(page).toHaveURL('/');
});

test('a server error is reported as the shop’s fault, not as one of the customer’s connection', async ({ page, errors }) => {
  errors.allow(/status of 500/);
  const view = new ShopPage(page);
  await stubResponse(page, '/titles/1005', 'oops', 500);
  await page.goto('/id:1005');
  await view.waitForState('title', 'failed');
  await expect(view.flow('title')).toContainText('Something went wrong on our side');
});
