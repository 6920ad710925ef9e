import { readFile } from 'node:fs/promises';
import { Customer, password } from '../../../../tools/browser/customer.ts';
import { waitForEmail } from '../../../../tools/browser/emails.ts';
import { createEmail, ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

test('a customer signs another device out, deletes the account, and is a visitor in every tab', async ({
  page,
  context,
  shop: server,
  errors,
}) => {
  // 401: a wrong password, and a sign-in to the deleted account.
  errors.allow(/status of 401/);
  const shop = new ShopPage(page);
  const customer = await Customer.signUp(server);
  const otherDeviceToken = await customer.signInOnDevice('A borrowed telephone');
  await page.goto('/signin');
  await shop.signIn(customer.email);
  await shop.waitForState('landing', 'shown');
  const otherTab = await context.newPage();
  await otherTab.goto('/all');
  await new ShopPage(otherTab).waitForState('catalogue', { shown: 'resting' });

  await page.goto('/account');
  const devices = shop.flow('devices');
  await expect(devices.getByRole('listitem')).toHaveCount(2);
  await devices.getByRole('button', { name: 'Sign out of A borrowed telephone' }).click();
  await expect(devices.getByRole('status')).toContainText('A borrowed telephone');
  await expect(devices.getByRole('listitem')).toHaveCount(1);
  expect((await customer.request('user/devices', { accesstoken: otherDeviceToken })).status).toBe(401);

  const deletion = shop.flow('deletion');
  await shop.control('delete.pressed').click();
  await deletion.locator('[name="password"]').fill('not the password');
  await shop.control('deletion.submitted').click();
  await expect(deletion.getByRole('alert')).toContainText('password is incorrect');
  await deletion.locator('[name="password"]').fill(password);
  const deletionEmail = await waitForEmail(server, customer.email, () => shop.control('deletion.submitted').click());
  await shop.waitForState('deletion', 'gone');
  expect(deletionEmail?.subject).toBe('Your account at Harbour Books has been deleted');
  await expect(otherTab.getByRole('link', { name: 'Sign in' })).toBeVisible();

  await shop.control('leave.pressed').click();
  await shop.waitForState('landing', 'shown');
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
  await page.goto('/signin');
  await shop.signIn(customer.email);
  await expect(page.getByRole('alert')).toContainText('incorrect');
});

test('a customer answers the shop’s questions, and changes address and password', async ({ page, shop: server, errors }) => {
  // 400 and 401: a wrong current password, and a sign-in with the old password.
  errors.allow(/status of 40[01]/);
  const shop = new ShopPage(page);
  const email = createEmail();
  await page.goto('/signup');
  await page.getByLabel('Your name').fill('Ann Ferry');
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('How did you hear about us?').selectOption('From a friend');
  await page.getByRole('checkbox', { name: /I agree/ }).check();
  await shop.control('signUp.submitted').click();
  await shop.waitForState('landing', 'shown');

  await page.goto('/account');
  const details = shop.flow('details');
  await expect(details.getByLabel('How did you hear about us?')).toHaveValue('friend');
  await details.getByLabel('Your name').fill('  ');
  await shop.control('details.submitted').click();
  await expect(details.getByLabel('Your name')).toBeFocused();
  await details.getByLabel('Your name').fill('Ann Ferry-Man');
  await details.getByLabel('Your town').fill('Old Quay');
  await shop.control('details.submitted').click();
  await expect(details.getByRole('status')).toHaveText('Saved.');
  await page.reload();
  await expect(details.getByLabel('Your name')).toHaveValue('Ann Ferry-Man');
  await expect(details.getByLabel('Your town')).toHaveValue('Old Quay');

  const credentials = shop.flow('credentials');
  const newEmail = createEmail();
  await shop.control('changeEmail.pressed').click();
  await expect(credentials.getByLabel('New email address')).toBeFocused();
  await credentials.getByLabel('New email address').fill(newEmail);
  await credentials.getByLabel('Your current password').fill('not the password');
  await shop.control('email.submitted').click();
  await expect(credentials.getByRole('alert')).toContainText('current password is incorrect');
  await expect(credentials.getByLabel('New email address')).toHaveValue(newEmail);
  await credentials.getByLabel('Your current password').fill(password);
  const changeEmail = await waitForEmail(server, email, () => shop.control('email.submitted').click());
  expect(changeEmail?.subject).toBe('Your email address at Harbour Books has been changed');
  await expect(credentials.getByRole('status')).toContainText('email address has been changed');
  await expect(page.getByRole('main').getByText(`Signed in as ${newEmail}`)).toBeVisible();
  await page.reload();
  await expect(page.getByRole('main').getByText(`Signed in as ${newEmail}`)).toBeVisible();

  const newPassword = 'another light 23';
  await shop.control('changePassword.pressed').click();
  await credentials.getByLabel('New password', { exact: true }).fill(newPassword);
  await credentials.getByLabel('New password again').fill(newPassword);
  await credentials.getByLabel('Your current password').fill(password);
  await page.keyboard.press('Enter');
  await expect(credentials.getByRole('status')).toContainText('password has been changed');
  await page.getByRole('main').getByRole('button', { name: 'Logout' }).click();
  await page.goto('/signin');
  await shop.signIn(newEmail);
  await expect(page.getByRole('alert')).toContainText('incorrect');
  await shop.signIn(newEmail, newPassword);
  await shop.waitForState('landing', 'shown');
});

test('a customer downloads the data that the shop has about them', async ({ page, context, shop: server }) => {
  const shop = new ShopPage(page);
  const customer = await Customer.signUp(server);
  await customer.buy('1001');
  await customer.signInBrowser(context);
  await page.goto('/account');
  const download = page.waitForEvent('download');
  await shop.control('download.pressed').click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^my-data-\d{4}-\d\d-\d\d\.json$/);
  const data = JSON.parse(await readFile(await file.path(), 'utf8')) as {
    account: { email: string };
    library: { titleId: string }[];
  };
  expect(data.account.email).toBe(customer.email);
  expect(data.library.map(({ titleId }) => titleId)).toEqual(['1001']);
  await expect(shop.flow('dataDownload').getByRole('status')).toContainText('in your downloads');
});

test('a problem in a long form scrolls into view, and after sign-up the next page is at its top', async ({
  page,
  shop: server,
  errors,
}) => {
  // 409: the e-mail address already has an account.
  errors.allow(/status of 409/);
  await page.setViewportSize({ width: 390, height: 700 });
  const shop = new ShopPage(page);
  const existingCustomer = await Customer.signUp(server);
  await page.goto('/signup');
  await shop.signUp(existingCustomer.email);
  const alert = shop.flow('signUp').getByRole('alert');
  await expect(alert).toContainText('already an account');
  await expect(alert).toBeInViewport({ ratio: 1 });
  await expect(alert).toBeFocused();
  await shop.signUp(createEmail());
  await shop.waitForState('landing', 'shown');
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
});
