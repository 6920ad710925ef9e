import { join } from 'node:path';
import { Client } from 'pg';
import { parseCode, readMessages } from '../../../support/text-messages.ts';
import { Customer } from '../../../../tools/browser/customer.ts';
import { readRecordedTrace } from '../../../../tools/browser/recorded-trace.ts';
import { createEmail, ShopPage } from '../../../../tools/browser/shop.ts';
import { test } from '../../support/provider-shop.ts';
import { expect } from '../../support/shop.ts';

const providerButtonName = /^Continue with Lamplight$/;

test('a customer links a provider to their account, signs in by it, and removes it', async ({
  page,
  context,
  provider,
  shopWithProvider,
}) => {
  const shop = new ShopPage(page);
  const customer = await Customer.signUp(shopWithProvider);
  await customer.signInBrowser(context);
  provider.accounts.set('reader-7', { email: createEmail(), email_verified: true });
  await page.goto('/account');
  await page.getByRole('button', { name: 'Connect Lamplight' }).click();
  await page.getByLabel('Subject').fill('reader-7');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/account?part=ways');
  await expect(page.getByRole('button', { name: 'Remove Lamplight' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Other ways to sign in' })).toBeInViewport();

  await page.getByRole('button', { name: 'Account', exact: true }).click();
  await page.getByRole('navigation', { name: 'Your account' }).getByRole('button', { name: 'Logout' }).click();
  // The provider remembers the customer's recent sign-in.
  await page.getByRole('button', { name: providerButtonName }).click();
  await shop.waitForState('account', 'empty');
  await expect(page.getByRole('main').getByText(customer.email)).toBeVisible();

  await page.getByRole('button', { name: 'Remove Lamplight' }).click();
  await page.getByRole('group', { name: 'Remove Lamplight?' }).getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Lamplight has been removed.')).toBeFocused();
  await expect(page.getByRole('button', { name: 'Connect Lamplight' })).toBeVisible();
});

test('a provider of another account is not linked, and the last way to sign in is not removed', async ({
  page,
  context,
  provider,
  shopWithProvider,
  errors,
}) => {
  errors.allow(/status of 409/);
  const shop = new ShopPage(page);
  provider.accounts.set('reader-8', {});
  await page.goto('/signin?return=%2Faccount');
  await page.getByRole('button', { name: providerButtonName }).click();
  await page.getByLabel('Subject').fill('reader-8');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Remove Lamplight' }).click();
  await page.getByRole('group', { name: 'Remove Lamplight?' }).getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('This is your only way to sign in.')).toBeVisible();

  await page.evaluate(() => localStorage.clear());
  await (await Customer.signUp(shopWithProvider)).signInBrowser(context);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Connect Lamplight' }).click();
  await page.getByLabel('Subject').fill('reader-8');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await shop.waitForState('providerReturn', 'notJoined');
  await expect(page.getByText('is already linked to another account')).toBeVisible();
  await shop.control('again.pressed').click();
  await expect(page.getByRole('button', { name: 'Connect Lamplight' })).toBeVisible();
});

test('a customer links a telephone', async ({ page, context, shopWithProvider }) => {
  await (await Customer.signUp(shopWithProvider)).signInBrowser(context);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Connect Phone number' }).click();
  await page.getByLabel('Phone number').fill('07400 900 456');
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByText('We’ve texted you a code.')).toBeVisible();
  const [message] = await readMessages(join(shopWithProvider.data, 'outbox'), '+447400900456');
  await page.getByLabel('Code from the text message').fill(parseCode(message));
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(page.getByText('Phone number is connected.')).toBeFocused();
  await expect(page.getByRole('button', { name: 'Remove Phone number' })).toBeVisible();
});

test('a redeem code in the URL is still there after a sign-in at a provider, and is not recorded', async ({ page, provider }) => {
  const shop = new ShopPage(page);
  provider.accounts.set('reader-9', {});
  await page.goto('/redeem/DEMO-CREDITS');
  await shop.control('redeem.pressed').click();
  await shop.waitForState('signIn', 'asking');
  await page.getByRole('button', { name: providerButtonName }).click();
  await page.getByLabel('Subject').fill('reader-9');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/redeem\/DEMO-CREDITS$/);
  await expect(shop.flow('redeem')).toContainText('3 Credits');
  await page.keyboard.press('Shift');
  await expect.poll(() => readRecordedTrace(page)).not.toBeNull();
  expect(await readRecordedTrace(page)).not.toContain('DEMO-CREDITS');
});

test('a customer from a provider must answer the store’s required question, then continues, and the account has the answer', async ({
  page,
  provider,
  shopWithProvider,
}) => {
  const shop = new ShopPage(page);
  const database = new Client({ connectionString: shopWithProvider.databaseUrl });
  await database.connect();
  await database.query("update custom_fields set is_required = true where id = 'town'");
  await database.end();
  provider.accounts.set('reader-10', {});
  await page.goto('/redeem/DEMO-CREDITS');
  await shop.control('redeem.pressed').click();
  await page.getByRole('button', { name: providerButtonName }).click();
  await page.getByLabel('Subject').fill('reader-10');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await shop.waitForState('questions', 'asking');
  await expect(page.getByRole('heading', { name: 'Almost there' })).toBeVisible();
  await shop.control('answers.submitted').click();
  await expect(page.getByLabel('Your town')).toBeFocused();
  await page.reload();
  await shop.waitForState('questions', 'asking');
  await page.getByLabel('Your town').fill('Old Quay');
  await shop.control('answers.submitted').click();
  await expect(page).toHaveURL(/\/redeem\/DEMO-CREDITS$/);
  await expect(shop.flow('redeem')).toContainText('3 Credits');

  await page.goto('/account');
  await expect(shop.flow('details').getByLabel('Your town')).toHaveValue('Old Quay');
  await page.goto('/questions?return=%2Fabout');
  await expect(page).toHaveURL('/about');
});
