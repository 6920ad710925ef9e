import { join } from 'node:path';
import { signInAtProvider } from '../../../support/oidc-provider.ts';
import { parseCode, readMessages } from '../../../support/text-messages.ts';
import { Customer, password } from '../../../../tools/browser/customer.ts';
import { Keyboard } from '../../pages/keyboard.ts';
import { readRecordedTrace } from '../../../../tools/browser/recorded-trace.ts';
import { createEmail, ShopPage } from '../../../../tools/browser/shop.ts';
import { test } from '../../support/provider-shop.ts';
import { expect } from '../../support/shop.ts';

const providerButtonName = /^Continue with Lamplight$/;

test('a visitor signs in at a provider by keyboard, and returns to the page that required it', async ({ page, provider }) => {
  const shop = new ShopPage(page);
  const keyboard = new Keyboard(page);
  const email = createEmail();
  provider.accounts.set('reader-1', { email, email_verified: true, name: 'A Reader' });

  await page.goto('/mylibrary?sort=title');
  await shop.waitForState('signIn', 'asking');
  await keyboard.press(page.getByRole('button', { name: providerButtonName }));
  await page.waitForURL((url) => url.origin === provider.issuer);
  await keyboard.type(page.getByLabel('Subject'), 'reader-1');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/mylibrary?sort=title');
  await shop.waitForState('library', 'empty');
  await page.goto('/account');
  await expect(page.getByRole('main').getByText(email).first()).toBeVisible();

  // The provider's response is neither in the history nor in the record of the visit.
  const record = await readRecordedTrace(page);
  expect(record).not.toBeNull();
  expect(record).not.toMatch(/[?&](?:code|state)=[\w-]{20}/);
  await page.goBack();
  await expect(page).toHaveURL('/mylibrary?sort=title');
  await page.goBack();
  await expect(page).not.toHaveURL(/code=|auth0loginCallback/);
});

test('a customer signed in by a provider without “Remember me” is a visitor in another tab', async ({
  page,
  context,
  provider,
}) => {
  const shop = new ShopPage(page);
  provider.accounts.set('reader-2', { name: 'A Reader' });
  await page.goto('/signin');
  await page.getByLabel('Remember me').uncheck();
  await page.getByRole('button', { name: providerButtonName }).click();
  await page.getByLabel('Subject').fill('reader-2');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await shop.waitForState('landing', 'shown');
  await expect(page.getByRole('button', { name: 'Account' })).toBeVisible();
  const otherTab = await context.newPage();
  await otherTab.goto('/');
  await expect(otherTab.getByRole('link', { name: 'Sign in' })).toBeVisible();
});

test('a cancelled sign-in at a provider is reported, and the next one still leads to the destination', async ({
  page,
  provider,
}) => {
  const shop = new ShopPage(page);
  provider.accounts.set('reader-3', {});
  await page.goto('/signup?return=%2Fabout');
  await page.getByRole('button', { name: providerButtonName }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await shop.waitForState('providerReturn', 'cancelled');
  await expect(page).toHaveURL('/auth0loginCallback?return=%2Fabout');
  await shop.control('again.pressed').click();
  await expect(page).toHaveURL('/signin?return=%2Fabout');
  await page.getByRole('button', { name: providerButtonName }).click();
  await page.waitForURL((url) => url.origin === provider.issuer);
  await page.goBack();
  await shop.waitForState('providers', 'offered');
  await page.getByRole('button', { name: providerButtonName }).click();
  await page.getByLabel('Subject').fill('reader-3');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/about');
});

test('an unverified e-mail address from a provider opens no account that has a password', async ({
  page,
  provider,
  shopWithProvider,
  errors,
}) => {
  errors.allow(/status of 409/);
  const shop = new ShopPage(page);
  const { email } = await Customer.signUp(shopWithProvider);
  provider.accounts.set('thief', { email, email_verified: false });
  await page.goto('/signin');
  await page.getByRole('button', { name: providerButtonName }).click();
  await page.getByLabel('Subject').fill('thief');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await shop.waitForState('providerReturn', 'passwordNeeded');
  await shop.control('again.pressed').click();
  await shop.signIn(email, password);
  await shop.waitForState('landing', 'shown');
});

test('a provider’s response to another tab signs no customer in', async ({ page, context, provider }) => {
  const shop = new ShopPage(page);
  provider.accounts.set('stranger', { name: 'A Stranger' });
  const otherTab = await context.newPage();
  let authorizationUrl = '';
  otherTab.on('request', (request) => {
    if (request.url().startsWith(`${provider.issuer}/auth?`)) authorizationUrl = request.url();
  });
  await otherTab.goto('/signin');
  await otherTab.getByRole('button', { name: providerButtonName }).click();
  await otherTab.waitForURL((url) => url.origin === provider.issuer);
  const callbackParams = await signInAtProvider(authorizationUrl, 'stranger');
  expect(callbackParams.get('code')).not.toBeNull();
  await page.goto(`/auth0loginCallback?${callbackParams.toString()}`);
  await shop.waitForState('providerReturn', 'over');
  await expect(page).toHaveURL('/auth0loginCallback');
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
});

test('an unreachable provider is reported, and the sign-in form still works', async ({
  page,
  provider,
  shopWithProvider,
  errors,
}) => {
  errors.allow(/status of 502/);
  const shop = new ShopPage(page);
  const { email } = await Customer.signUp(shopWithProvider);
  await page.goto('/signin');
  await expect(page.getByRole('button', { name: providerButtonName })).toBeVisible();
  await provider.stop();
  await page.getByRole('button', { name: providerButtonName }).click();
  await expect(page.getByRole('alert')).toContainText('isn’t responding');
  await shop.signIn(email, password);
  await shop.waitForState('landing', 'shown');
});

test('a visitor signs in by telephone, with the keyboard, after a mistyped code', async ({ page, shopWithProvider, errors }) => {
  errors.allow(/status of 40[09]/);
  const shop = new ShopPage(page);
  const keyboard = new Keyboard(page);
  const phone = shop.flow('phone');
  await page.goto('/signin?return=%2Faccount');
  await keyboard.press(page.getByRole('button', { name: 'Continue with a phone number' }));
  await expect(page.getByLabel('Phone number')).toBeFocused();
  await page.keyboard.type('12');
  await page.keyboard.press('Enter');
  await expect(phone.getByRole('alert')).toContainText('phone number');
  await page.getByLabel('Phone number').fill('07400 654321');
  await page.keyboard.press('Enter');
  await shop.waitForState('phone', 'codeAsked');
  await expect(page.getByLabel('Code from the text message')).toBeFocused();
  const [message = ''] = await readMessages(join(shopWithProvider.data, 'outbox'), '+447400654321');
  expect(message).toContain('Harbour Books');
  const code = parseCode(message);
  await page.keyboard.type(code === '000000' ? '000001' : '000000');
  await page.keyboard.press('Enter');
  await expect(phone.getByRole('alert')).toContainText('incorrect');
  await page.getByLabel('Code from the text message').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/account');
  await shop.waitForState('account', 'empty');
  // The account has no e-mail address to show.
  await expect(page.getByText('Signed in as')).toHaveCount(0);
});

test('without a password, a customer can change the e-mail address, and can delete the account only after a recent sign-in', async ({
  page,
  provider,
  errors,
}) => {
  // Calls that were pending when the account was deleted are answered 401.
  errors.allow(/status of (401|409)/);
  const shop = new ShopPage(page);
  const email = createEmail();
  provider.accounts.set('reader-9', { email, email_verified: true, name: 'A Reader' });
  await page.goto('/signin?return=%2Faccount');
  await page.getByRole('button', { name: providerButtonName }).click();
  await page.getByLabel('Subject').fill('reader-9');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/account');
  const credentials = shop.flow('credentials');
  await expect(credentials.getByRole('link', { name: 'Set one with a link we’ll email you' })).toBeVisible();
  await expect(credentials.getByRole('button', { name: 'Change password…' })).toHaveCount(0);
  await shop.control('changeEmail.pressed').click();
  await expect(credentials.locator('[name="current"]')).toHaveCount(0);
  const newEmail = createEmail();
  await credentials.getByLabel('New email address').fill(newEmail);
  await shop.control('email.submitted').click();
  await expect(page.getByRole('main').getByText(`Signed in as ${newEmail}`)).toBeVisible();

  const deletion = shop.flow('deletion');
  await shop.control('delete.pressed').click();
  await expect(deletion.locator('[name="password"]')).toHaveCount(0);
  // The response of the server when the sign-in was more than ten minutes ago.
  const call = '**/api/user/delete?*';
  await page.route(call, (route) =>
    route.fulfill({
      status: 409,
      contentType: 'application/xml',
      body: '<Error><StatusCode>409</StatusCode><Status>Conflict</Status><Code>sign_in_again</Code></Error>',
    }),
  );
  await shop.control('deletion.submitted').click();
  await expect(deletion.getByRole('alert')).toContainText('please sign in again');
  await page.unroute(call);
  await deletion.getByRole('button', { name: 'Sign in again' }).click();
  await shop.waitForState('signIn', 'asking');
  // The customer is still signed in at the provider.
  await page.getByRole('button', { name: providerButtonName }).click();
  await expect(page).toHaveURL('/account');
  await shop.control('delete.pressed').click();
  await shop.control('deletion.submitted').click();
  await shop.waitForState('deletion', 'gone');
  await shop.control('leave.pressed').click();
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
});
