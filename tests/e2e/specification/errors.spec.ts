import type { Page } from '@playwright/test';
import { expect, createCustomer, password, signInNewCustomer, test } from '../support/specification/test.ts';

/** Section 8: errors of the API as the page shows them, and a 401, which ends the session. */

type Reply = { status?: number; type?: string; body: string };

/** Answers a call of the API in the server's place. */
const replyTo = async (page: Page, call: string, { status = 200, type = 'text/xml', body }: Reply): Promise<void> => {
  await page.route(
    (url) => url.pathname === `/v1/${call}`,
    (route) => route.fulfill({ status, contentType: type, body }),
  );
};

const jsonReply = (value: object, status = 200): Reply => ({ status, type: 'application/json', body: JSON.stringify(value) });

for (const [name, reply] of [
  ['an XML Error with StatusCode 401 [S8.xml-401]', { body: '<Error><StatusCode>401</StatusCode></Error>' }],
  ['a 401 deep inside a document [S6.401]', { body: '<Answer><Reply><StatusCode>401</StatusCode></Reply></Answer>' }],
  ['a 401 deep inside JSON [S6.401]', jsonReply({ data: { reply: { statusCode: 401 } } })],
] as const)
  test(`${name} ends the session, and asks to sign in`, async ({ page, server, shop }) => {
    await signInNewCustomer(page, server);
    await page.goto('/mylibrary');
    await shop.waitForState('library', 'empty');
    await replyTo(page, 'user/purchases', reply);
    // Follows links, since a page load would store the session again before the check below.
    await page.getByRole('link', { name: 'Home' }).first().click();
    await page.getByRole('link', { name: 'My Library' }).first().click();
    await shop.waitForState('signIn', 'asking');
    expect(await page.evaluate(() => localStorage.getItem('id_token'))).toBeNull();
  });

for (const [name, reply] of [
  ['an XML Error with Status Invalid [S8.xml-invalid]', { body: '<Error><Status>Invalid</Status></Error>' }],
  ['properties without a ShelfId [S3.property/ShelfId]', { body: '<Shop><ShelfName>Nowhere</ShelfName></Shop>' }],
] as const)
  test(`${name} shows the page of an invalid store`, async ({ page }) => {
    await replyTo(page, 'store/properties', reply);
    await page.goto('/all');
    await expect(page).toHaveURL(/\/invalid$/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! You seem to be lost');
  });

test('any other XML Error is shown and can be retried [S8.xml-error]', async ({ page, server, shop }) => {
  await signInNewCustomer(page, server);
  await replyTo(page, 'user/purchases', { body: '<Error><StatusCode>409</StatusCode><Message>Not today</Message></Error>' });
  await page.goto('/mylibrary');
  await shop.waitForState('library', 'failed');
  await expect(page.getByRole('alert')).toBeVisible();
  await page.unrouteAll();
  await shop.control('retry.pressed').click();
  await shop.waitForState('library', 'empty');
});

for (const [name, reply, detail] of [
  ['an error status [S8.http-error]', jsonReply({ oops: true }, 418), 'HTTP Error: 418'],
  ['an error field [S8.json-error]', jsonReply({ error: 'Too bad' }), 'JSON Error: Too bad'],
] as const)
  test(`a JSON answer with ${name} shows its text below the page’s own sentence`, async ({ page, server, shop, errors }) => {
    errors.allow(/status of 418/);
    await signInNewCustomer(page, server);
    await replyTo(page, 'user/purchases', reply);
    await page.goto('/mylibrary');
    await shop.waitForState('library', 'failed');
    await expect(page.getByRole('alert').locator('small')).toHaveText(detail);
  });

test('properties that fail to load reset the favicon, and are logged with their status [S8.properties] [S8.properties-logged] [S4.favicon]', async ({
  page,
  errors,
}) => {
  errors.allow(/store\/properties/);
  const consoleTexts: string[] = [];
  page.on('console', (message) => consoleTexts.push(message.text()));
  await replyTo(page, 'store/properties', { status: 500, body: '<h1>500</h1>', type: 'text/html' });
  await page.goto('/');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', /^\/favicon\.svg/);
  await expect.poll(() => consoleTexts.some((text) => text.includes('store/properties') && text.includes('500'))).toBe(true);
});

test('categories that fail to load are shown as an empty list [S8.categories]', async ({ page, shop }) => {
  await replyTo(page, 'categories', { status: 500, body: 'no', type: 'text/plain' });
  await page.goto('/all');
  await expect(shop.flow('catalogue')).toContainText('The Long Thaw');
  await expect(page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'Stories' })).toHaveCount(0);
});

test('a screen whose chunk does not load shows an error [S8.loading-failed] [S2.loading-failed]', async ({ page, errors }) => {
  errors.allow(/Failed to (?:load|fetch)|dynamically imported/);
  await page.goto('/all');
  await page.route(/\/assets\/.*sign-in.*\.js/, (route) => route.abort());
  await page.getByRole('link', { name: 'Sign in' }).first().click();
  await expect(page.getByRole('alert')).toContainText('Loading failed! Please reload.');
});

test('the sign-in carries user name and password, other calls the token [S6.credentials]', async ({ page, server, shop }) => {
  const customer = createCustomer(server);
  await page.goto('/signin');
  await shop.signIn(customer.email, password);
  await expect.poll(() => server.receivedCalls.find(({ call }) => call === 'user/signin')?.authorization).toMatch(/^Basic /);
  await page.goto('/mylibrary');
  await shop.waitForState('library', 'empty');
  const { query } = server.receivedCalls.findLast(({ call }) => call === 'user/purchases') ?? {};
  expect(server.state.sessions.get(query?.['accesstoken'] ?? '')).toBe(customer);
});
