import { join } from 'node:path';
import { Client } from 'pg';
import { codeIn, messagesIn } from '../../../support/text-messages.ts';
import { Customer } from '../../../../tools/browser/customer.ts';
import { recordedTrace } from '../../../../tools/browser/recorded-trace.ts';
import { newEmail, ShopPage } from '../../../../tools/browser/shop.ts';
import { test } from '../../support/provider-shop.ts';
import { expect } from '../../support/shop.ts';

const continueWith = /^Continue with Lamplight$/;

test('a customer connects a provider in their account, signs in by it, and removes it', async ({
  page,
  context,
  provider,
  withProvider,
}) => {
  const shop = new ShopPage(page);
  const customer = await Customer.signUp(withProvider);
  await customer.uses(context);
  provider.accounts.set('reader-7', { email: newEmail(), email_verified: true });
  await page.goto('/account');
  await page.getByRole('button', { name: 'Connect Lamplight' }).click();
  await page.getByLabel('Subject').fill('reader-7');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/account?part=ways');
  await expect(page.getByRole('button', { name: 'Remove Lamplight' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Other ways to sign in' })).toBeInViewport();

  await page.getByRole('button', { name: 'Account', exact: true }).click();
  await page.getByRole('navigation', { name: 'Your account' }).getByRole('button', { name: 'Logout' }).click();
  // The provider remembers who has just shown it who they are.
  await page.getByRole('button', { name: continueWith }).click();
  await shop.isIn('account', 'empty');
  await expect(page.getByRole('main').getByText(customer.email)).toBeVisible();

  await page.getByRole('button', { name: 'Remove Lamplight' }).click();
  await page.getByRole('group', { name: 'Remove Lamplight?' }).getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Lamplight has been removed.')).toBeFocused();
  await expect(page.getByRole('button', { name: 'Connect Lamplight' })).toBeVisible();
});

test('what opens another account is not connected, and the last way in is not removed', async ({
  page,
  context,
  provider,
  withProvider,
  errors,
}) => {
  errors.allow(/status of 409/);
  const shop = new ShopPage(page);
  provider.accounts.set('reader-8', {});
  await page.goto('/signin?return=%2Faccount');
  await page.getByRole('button', { name: continueWith }).click();
  await page.getByLabel('Subject').fill('reader-8');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Remove Lamplight' }).click();
  await page.getByRole('group', { name: 'Remove Lamplight?' }).getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('This is the only way into your account.')).toBeVisible();

  await page.evaluate(() => localStorage.clear());
  await (await Customer.signUp(withProvider)).uses(context);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Connect Lamplight' }).click();
  await page.getByLabel('Subject').fill('reader-8');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await shop.isIn('providerReturn', 'notJoined');
  await expect(page.getByText('already opens another account')).toBeVisible();
  await shop.press('again.pressed').click();
  await expect(page.getByRole('button', { name: 'Connect Lamplight' })).toBeVisible();
});

test('a customer connects a telephone', async ({ page, context, withProvider }) => {
  await (await Customer.signUp(withProvider)).uses(context);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Connect Phone number' }).click();
  await page.getByLabel('Phone number').fill('07400 900 456');
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByText('We’ve texted you a code.')).toBeVisible();
  const [message] = await messagesIn(join(withProvider.data, 'outbox'), '+447400900456');
  await page.getByLabel('Code from the text message').fill(codeIn(message));
  await page.getByRole('button', { name: 'Connect' }).click();
  await expect(page.getByText('Phone number is connected.')).toBeFocused();
  await expect(page.getByRole('button', { name: 'Remove Phone number' })).toBeVisible();
});

test('a code that somebody came for is still there when they come back from the provider', async ({ page, provider }) => {
  const shop = new ShopPage(page);
  provider.accounts.set('reader-9', {});
  await page.goto('/redeem/DEMO-CREDITS');
  await shop.press('redeem.pressed').click();
  await shop.isIn('signIn', 'asking');
  await page.getByRole('button', { name: continueWith }).click();
  await page.getByLabel('Subject').fill('reader-9');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/redeem\/DEMO-CREDITS$/);
  await expect(shop.flow('redeem')).toContainText('3 Credits');
  await page.keyboard.press('Shift');
  await expect.poll(() => recordedTrace(page)).not.toBeNull();
  expect(await recordedTrace(page)).not.toContain('DEMO-CREDITS');
});

test('a store’s required question is asked of who comes by a provider; then they go on, and the account has the answer', async ({
  page,
  provider,
  withProvider,
}) => {
  const shop = new ShopPage(page);
  const database = new Client({ connectionString: withProvider.databaseUrl });
  await database.connect();
  await database.query("update custom_fields set is_required = true where id = 'town'");
  await database.end();
  provider.accounts.set('reader-10', {});
  await page.goto('/redeem/DEMO-CREDITS');
  await shop.press('redeem.pressed').click();
  await page.getByRole('button', { name: continueWith }).click();
  await page.getByLabel('Subject').fill('reader-10');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await shop.isIn('questions', 'asking');
  await expect(page.getByRole('heading', { name: 'Almost there' })).toBeVisible();
  await shop.press('answers.submitted').click();
  await expect(page.getByLabel('Your town')).toBeFocused();
  await page.reload();
  await shop.isIn('questions', 'asking');
  await page.getByLabel('Your town').fill('Old Quay');
  await shop.press('answers.submitted').click();
  await expect(page).toHaveURL(/\/redeem\/DEMO-CREDITS$/);
  await expect(shop.flow('redeem')).toContainText('3 Credits');

  await page.goto('/account');
  await expect(shop.flow('details').getByLabel('Your town')).toHaveValue('Old Quay');
  await page.goto('/questions?return=%2Fabout');
  await expect(page).toHaveURL('/about');
});
