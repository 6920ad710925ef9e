import { join } from 'node:path';
import { signInAtProvider } from '../../../support/oidc-provider.ts';
import { parseCode, readMessages } from '../../../support/text-messages.ts';
import { Customer, password } from '../../../../tools/browser/customer.ts';
import { Keyboard } from '../../pages/keyboard.ts';
import { readRecordedTrace } from '../../../../tools/browser/recorded-trace.ts';
import { createEmail, ShopPage } from '../../../../tools/browser/shop.ts';
import { test } from '../../support/provider-shop.ts';
import { expect } from '../../support/shop.ts';

const continueWith = /^Continue with Lamplight$/;

test('by keyboard, a visitor signs in at a provider, and reaches their destination under their own name', async ({
  page,
  provider,
}) => {
  const shop = new ShopPage(page);
  const keyboard = new Keyboard(page);
  const email = createEmail();
  provider.accounts.set('reader-1', { email, email_verified: true, name: 'A Reader' });

  await page.goto('/mylibrary?sort=title');
  await shop.waitForState('signIn', 'asking');
  await keyboard.press(page.getByRole('button', { name: continueWith }));
  await page.waitForURL((url) => url.origin === provider.issuer);
  await keyboard.type(page.getByLabel('Subject'), 'reader-1');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/mylibrary?sort=title');
  await shop.waitForState('library', 'empty');
  await page.goto('/account');
  await expect(page.getByRole('main').getByText(email).first()).toBeVisible();

  // The provider's answer is kept nowhere: not behind Back, and not in the record of the visit.
  const record = await readRecordedTrace(page);
  expect(record).not.toBeNull();
  expect(record).not.toMatch(/[?&](?:code|state)=[\w-]{20}/);
  await page.goBack();
  await expect(page).toHaveURL('/mylibrary?sort=title');
  await page.goBack();
  await expect(page).not.toHaveURL(/code=|auth0loginCallback/);
});

test('a customer not to be remembered is a visitor in the next window', async ({ page, context, provider }) => {
  const shop = new ShopPage(page);
  provider.accounts.set('reader-2', { name: 'A Reader' });
  await page.goto('/signin');
  await page.getByLabel('Remember me').uncheck();
  await page.getByRole('button', { name: continueWith }).click();
  await page.getByLabel('Subject').fill('reader-2');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await shop.waitForState('landing', 'shown');
  await expect(page.getByRole('button', { name: 'Account' })).toBeVisible();
  const other = await context.newPage();
  await other.goto('/');
  await expect(other.getByRole('link', { name: 'Sign in' })).toBeVisible();
});

test('cancelling is reported, still leads to the destination, and Back returns from the provider', async ({ page, provider }) => {
  const shop = new ShopPage(page);
  provider.accounts.set('reader-3', {});
  await page.goto('/signup?return=%2Fabout');
  await page.getByRole('button', { name: continueWith }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await shop.waitForState('providerReturn', 'cancelled');
  await expect(page).toHaveURL('/auth0loginCallback?return=%2Fabout');
  await shop.control('again.pressed').click();
  await expect(page).toHaveURL('/signin?return=%2Fabout');
  await page.getByRole('button', { name: continueWith }).click();
  await page.waitForURL((url) => url.origin === provider.issuer);
  await page.goBack();
  await shop.waitForState('providers', 'offered');
  await page.getByRole('button', { name: continueWith }).click();
  await page.getByLabel('Subject').fill('reader-3');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/about');
});

test('an account with a password is not opened by an unverified address', async ({ page, provider, withProvider, errors }) => {
  errors.allow(/status of 409/);
  const shop = new ShopPage(page);
  const { email } = await Customer.signUp(withProvider);
  provider.accounts.set('thief', { email, email_verified: false });
  await page.goto('/signin');
  await page.getByRole('button', { name: continueWith }).click();
  await page.getByLabel('Subject').fill('thief');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await shop.waitForState('providerReturn', 'passwordNeeded');
  await shop.control('again.pressed').click();
  await shop.signIn(email, password);
  await shop.waitForState('landing', 'shown');
});

test('an answer meant for another window signs no customer in', async ({ page, context, provider }) => {
  const shop = new ShopPage(page);
  provider.accounts.set('stranger', { name: 'A Stranger' });
  const stranger = await context.newPage();
  let asked = '';
  stranger.on('request', (request) => {
    if (request.url().startsWith(`${provider.issuer}/auth?`)) asked = request.url();
  });
  await stranger.goto('/signin');
  await stranger.getByRole('button', { name: continueWith }).click();
  await stranger.waitForURL((url) => url.origin === provider.issuer);
  const answer = await signInAtProvider(asked, 'stranger');
  expect(answer.get('code')).not.toBeNull();
  await page.goto(`/auth0loginCallback?${answer.toString()}`);
  await shop.waitForState('providerReturn', 'over');
  await expect(page).toHaveURL('/auth0loginCallback');
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
});

test('an unreachable provider is reported, and the form still works', async ({ page, provider, withProvider, errors }) => {
  errors.allow(/status of 502/);
  const shop = new ShopPage(page);
  const { email } = await Customer.signUp(withProvider);
  await page.goto('/signin');
  await expect(page.getByRole('button', { name: continueWith })).toBeVisible();
  await provider.stop();
  await page.getByRole('button', { name: continueWith }).click();
  await expect(page.getByRole('alert')).toContainText('isn’t responding');
  await shop.signIn(email, password);
  await shop.waitForState('landing', 'shown');
});

test('by keyboard, a visitor signs in by telephone, after a mistyped code', async ({ page, withProvider, errors }) => {
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
  const [message = ''] = await readMessages(join(withProvider.data, 'outbox'), '+447400654321');
  expect(message).toContain('Harbour Books');
  const code = parseCode(message);
  await page.keyboard.type(code === '000000' ? '000001' : '000000');
  await page.keyboard.press('Enter');
  await expect(phone.getByRole('alert')).toContainText('incorrect');
  await page.getByLabel('Code from the text message').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/account');
  await shop.waitForState('account', 'empty');
  // There is no address to show.
  await expect(page.getByText('Signed in as')).toHaveCount(0);
});

test('an account without a password gets another address, asks for a recent sign-in, and is deleted', async ({
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
  await page.getByRole('button', { name: continueWith }).click();
  await page.getByLabel('Subject').fill('reader-9');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/account');
  const credentials = shop.flow('credentials');
  await expect(credentials.getByRole('link', { name: 'Set one with a link we’ll email you' })).toBeVisible();
  await expect(credentials.getByRole('button', { name: 'Change password…' })).toHaveCount(0);
  await shop.control('changeEmail.pressed').click();
  await expect(credentials.locator('[name="current"]')).toHaveCount(0);
  const moved = createEmail();
  await credentials.getByLabel('New email address').fill(moved);
  await shop.control('email.submitted').click();
  await expect(page.getByRole('main').getByText(`Signed in as ${moved}`)).toBeVisible();

  const deletion = shop.flow('deletion');
  await shop.control('delete.pressed').click();
  await expect(deletion.locator('[name="password"]')).toHaveCount(0);
  // As the server answers after ten minutes.
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
  // The provider still remembers them.
  await page.getByRole('button', { name: continueWith }).click();
  await expect(page).toHaveURL('/account');
  await shop.control('delete.pressed').click();
  await shop.control('deletion.submitted').click();
  await shop.waitForState('deletion', 'gone');
  await shop.control('leave.pressed').click();
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
});
