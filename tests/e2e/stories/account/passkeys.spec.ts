import { Customer, password } from '../../../../tools/browser/customer.ts';
import { waitForEmail } from '../../../../tools/browser/emails.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';
import { addAuthenticator } from '../../../../tools/browser/virtual-authenticator.ts';

test('a customer adds a passkey, signs in by it, and deletes it, after which it is refused', async ({
  page,
  shop: server,
  errors,
}) => {
  // 409: the passkey was deleted.
  errors.allow(/status of 409/);
  const shop = new ShopPage(page);
  const device = await addAuthenticator(page);
  const { email } = await Customer.signUp(server);
  await page.goto('/signin');
  await shop.signIn(email);
  await shop.waitForState('landing', 'shown');

  await page.goto('/account');
  const passkeys = shop.flow('passkeys');
  await expect(passkeys.getByRole('listitem')).toHaveCount(0);
  const addButton = shop.control('add.pressed').and(passkeys.getByRole('button'));
  const additionEmail = await waitForEmail(server, email, () => addButton.click());
  expect(additionEmail?.subject).toBe('You can now sign in to Harbour Books with a new passkey');
  await expect(passkeys.getByRole('status')).toContainText('has been added');
  await expect(passkeys.getByRole('status')).toBeFocused();
  await expect(passkeys.getByRole('listitem')).toContainText('Not used yet');
  expect(await device.count()).toBe(1);

  // A device that has a passkey gets no second one.
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(passkeys.getByRole('alert')).toContainText('already has a passkey');
  expect(await device.count()).toBe(1);

  await page.getByRole('main').getByRole('button', { name: 'Logout' }).click();
  await shop.waitForState('signIn', 'asking');
  await expect(page).toHaveURL('/signin?return=%2Faccount');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL('/account');
  await expect(page.getByRole('main').getByText(`Signed in as ${email}`)).toBeVisible();
  await expect(passkeys.getByRole('listitem')).toContainText('Last used');

  await passkeys.getByRole('button', { name: /^Delete the passkey/ }).click();
  await passkeys.getByRole('button', { name: 'Keep passkey' }).click();
  await expect(passkeys.getByRole('button', { name: /^Delete the passkey/ })).toBeFocused();
  await page.keyboard.press('Enter');
  const deletionEmail = await waitForEmail(server, email, () => passkeys.getByRole('button', { name: 'Delete passkey' }).click());
  expect(deletionEmail?.subject).toBe('A passkey for Harbour Books has been deleted');
  await expect(passkeys.getByRole('status')).toContainText('has been deleted');
  await expect(passkeys.getByRole('listitem')).toHaveCount(0);

  await page.getByRole('main').getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('alert')).toContainText('doesn’t belong to any account');
  await shop.signIn(email);
  await expect(page).toHaveURL('/account');
});

test('a cancelled passkey prompt is reported, and a sign-in without “Remember me” is limited to its tab', async ({
  page,
  context,
  shop: server,
}) => {
  const shop = new ShopPage(page);
  const device = await addAuthenticator(page);
  const { email } = await Customer.signUp(server);
  await page.goto('/signin?return=%2Faccount');
  await shop.signIn(email);
  const passkeys = shop.flow('passkeys');
  await device.setUserVerified(false);
  const startResponse = page.waitForResponse(/\/user\/passkeys\/start/);
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
  await startResponse;
  await shop.waitForState('passkeys', 'shown');
  await expect(passkeys.getByRole('alert')).toHaveCount(0);
  await device.setUserVerified(true);
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(passkeys.getByRole('status')).toContainText('has been added');

  await page.getByRole('main').getByRole('button', { name: 'Logout' }).click();
  await device.setUserVerified(false);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(shop.flow('passkeySignIn').getByRole('status')).toContainText('No passkey was used');
  await device.setUserVerified(true);
  await page.getByLabel('Remember me').uncheck();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL('/account');
  const otherTab = await context.newPage();
  await otherTab.goto('/');
  await expect(otherTab.getByRole('link', { name: 'Sign in' })).toBeVisible();
});

test('a customer who signed in long ago must sign in again before adding a passkey, and returns', async ({
  page,
  shop: server,
  errors,
}) => {
  errors.allow(/status of 409/);
  const shop = new ShopPage(page);
  await addAuthenticator(page);
  const { email } = await Customer.signUp(server);
  await page.goto('/signin?return=%2Faccount');
  await shop.signIn(email);
  // The response of the server when the sign-in was more than ten minutes ago.
  const call = '**/api/user/passkeys/start?*';
  await page.route(call, (route) =>
    route.fulfill({ status: 409, json: { error: 'Please sign in again.', status: 409, code: 'sign_in_again' } }),
  );
  const passkeys = shop.flow('passkeys');
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(passkeys.getByRole('alert')).toContainText('please sign in again');
  await page.unroute(call);
  await passkeys.getByRole('button', { name: 'Sign in again' }).click();
  await shop.waitForState('signIn', 'asking');
  await shop.signIn(email, password);
  await expect(page).toHaveURL('/account');
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(passkeys.getByRole('status')).toContainText('has been added');
});

test('a passkey that the browser offers in the e-mail field signs in, and the button ends the offer', async ({
  page,
  shop: server,
}) => {
  const shop = new ShopPage(page);
  const device = await addAuthenticator(page, { autofill: true });
  const { email } = await Customer.signUp(server);
  await page.goto('/signin?return=%2Faccount');
  await expect(page.getByLabel('Email address')).toHaveAttribute('autocomplete', 'username webauthn');
  await shop.signIn(email);
  const passkeys = shop.flow('passkeys');
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(passkeys.getByRole('status')).toContainText('has been added');
  const logout = page.getByRole('main').getByRole('button', { name: 'Logout' });

  // Without a choice the offer stays open, and the button still opens the device's prompt.
  await device.setPresent(false);
  await logout.click();
  await shop.waitForState('passkeySignIn', 'offered');
  await device.waitForOffer();
  await device.setPresent(true);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL('/account');

  // The offered passkey is chosen at once, without a press in the shop.
  await logout.click();
  await expect(page).toHaveURL('/account');
  await expect(page.getByRole('main').getByText(`Signed in as ${email}`)).toBeVisible();
});
