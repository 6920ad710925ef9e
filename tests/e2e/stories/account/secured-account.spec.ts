import { getFirstLink, getEmailLinks } from '../../../../tools/shop/emails.ts';
import { addAuthenticator } from '../../../../tools/browser/virtual-authenticator.ts';
import { Customer, password } from '../../../../tools/browser/customer.ts';
import { Keyboard } from '../../pages/keyboard.ts';
import { verifyEmail, waitForEmail } from '../../../../tools/browser/emails.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

const newPassword = 'huile de lampe';
const toPath = (link: string): string => new URL(link).pathname + new URL(link).search;

test.describe('in French, on a phone’s width', () => {
  test.use({ viewport: { width: 390, height: 844 }, locale: 'fr-FR' });

  test('a customer who did not change the account removes another person’s additions, by keyboard', async ({
    page,
    shop: server,
  }) => {
    const shop = new ShopPage(page);
    const keyboard = new Keyboard(page);
    await addAuthenticator(page);
    const customer = await Customer.signUp(server);
    const { email } = customer;
    // With an unconfirmed e-mail address, a reset would always remove all earlier ways to sign in.
    await verifyEmail(server, email, password);
    for (const device of ['Safari, iPhone', 'Firefox, Windows']) await customer.signInOnDevice(device);
    await page.goto('/signin?return=%2Faccount');
    await shop.signIn(email);
    const passkeys = shop.flow('passkeys');
    const passkeyEmail = await waitForEmail(server, email, () => passkeys.locator('[data-event="add.pressed"]').click());
    await expect(passkeys.getByRole('status')).toBeVisible();
    const notMePath = toPath(getEmailLinks(passkeyEmail).at(-1) ?? '');
    expect(notMePath).toBe('/forgotpassword?notme=1');

    await page.locator('main [data-event="signOut.pressed"]').click();
    await expect(page.getByRole('link', { name: 'Se connecter' })).toBeVisible();
    await page.goto(notMePath);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sécurisez votre compte');
    await shop.flow('forgotPassword').locator('[name="email"]').fill(email);
    const resetEmail = await waitForEmail(server, email, () => page.keyboard.press('Enter'));
    await shop.waitForState('forgotPassword', 'sent');

    await page.goto(toPath(getFirstLink(resetEmail)));
    const form = shop.flow('resetPassword');
    await shop.waitForState('resetPassword', 'asking');
    const checkboxes = form.getByRole('checkbox');
    // One of them is this browser, which is still known though the customer has signed out.
    await expect(checkboxes).toHaveCount(4);
    for (const checkbox of await checkboxes.all()) await expect(checkbox).toBeChecked();
    await expect(form.getByRole('checkbox', { name: /^Clé d’accès/ })).toBeEnabled();
    const iphoneCheckbox = form.getByRole('checkbox', { name: /Safari, iPhone/ });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

    await keyboard.type(form.locator('[name="password"]'), newPassword);
    await keyboard.type(form.locator('[name="again"]'), newPassword);
    while (!(await iphoneCheckbox.evaluate((element) => element === document.activeElement))) await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await expect(iphoneCheckbox).not.toBeChecked();
    await page.keyboard.press('Enter');
    await shop.waitForState('resetPassword', 'saved');
    await expect(shop.flow('resetPassword').getByRole('status')).toContainText(
      'Les 3 éléments que vous avez cochés ont été retirés.',
    );

    await keyboard.press(form.locator('a[href="/signin"]'));
    await shop.signIn(email, newPassword);
    await expect(shop.flow('signIn')).toHaveCount(0);
    await page.goto('/account');
    await shop.waitForState('passkeys', 'shown');
    await expect(passkeys.getByRole('listitem')).toHaveCount(0);
  });
});

test('a common new password is refused, with the reason', async ({ page, shop: server, errors }) => {
  errors.allow(/status of 400/);
  const shop = new ShopPage(page);
  const { email } = await Customer.signUp(server);
  await page.goto('/signin?return=%2Faccount');
  await shop.signIn(email);
  await shop.control('changePassword.pressed').click();
  const credentials = shop.flow('credentials');
  for (const [commonPassword, reason] of [
    ['password', 'Many people use this password'],
    [email, 'This password is your email address'],
    ['Harbour Books 2026', 'This password is the name of this shop'],
  ] as const) {
    await credentials.locator('[name="password"]').fill(commonPassword);
    await credentials.locator('[name="again"]').fill(commonPassword);
    await credentials.locator('[name="current"]').fill(password);
    await shop.control('password.submitted').click();
    await expect(credentials.getByRole('alert')).toContainText(reason);
  }
});

test('a customer who signed in long ago signs in again before a device is signed out, and returns', async ({
  page,
  shop: server,
  errors,
}) => {
  errors.allow(/status of 409/);
  const shop = new ShopPage(page);
  const customer = await Customer.signUp(server);
  await customer.signInOnDevice('Safari, iPhone');
  await page.goto('/signin?return=%2Faccount');
  await shop.signIn(customer.email);
  // The response of the server when the sign-in was more than ten minutes ago.
  const call = '**/api/user/devices/deregister?*';
  await page.route(call, (route) =>
    route.fulfill({
      status: 409,
      contentType: 'application/xml',
      body: '<Error><StatusCode>409</StatusCode><Status>Conflict</Status><Code>sign_in_again</Code></Error>',
    }),
  );
  const devices = shop.flow('devices');
  await devices.getByRole('button', { name: 'Sign out of Safari, iPhone' }).click();
  await expect(devices.getByRole('alert')).toContainText('please sign in again');
  await page.unroute(call);
  await devices.getByRole('button', { name: 'Sign in again' }).click();
  await shop.waitForState('signIn', 'asking');
  await shop.signIn(customer.email);
  await expect(page).toHaveURL('/account');
  await devices.getByRole('button', { name: 'Sign out of Safari, iPhone' }).click();
  await expect(devices.getByRole('status')).toContainText('Signed out of Safari, iPhone.');
});
