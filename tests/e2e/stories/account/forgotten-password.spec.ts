import { Customer, password } from '../../../../tools/browser/customer.ts';
import { Keyboard } from '../../pages/keyboard.ts';
import { waitForEmail, getLinkPath } from '../../../../tools/browser/emails.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

test.use({ viewport: { width: 390, height: 844 }, locale: 'fr-FR' });

const newPassword = 'huile de lampe';

test('in French and on a phone’s width, a forgotten password is reset by keyboard, and the e-mail’s link works once', async ({
  page,
  shop: server,
  errors,
}) => {
  errors.allow(/status of 401/);
  const shop = new ShopPage(page);
  const keyboard = new Keyboard(page);
  const { email } = await Customer.signUp(server);

  await page.goto('/signin');
  await keyboard.type(shop.flow('signIn').locator('[name="email"]'), email);
  await keyboard.press(shop.flow('signIn').locator('a[href="/signup"]'));
  // The e-mail address, typed once, is filled into each form, and is not in the URL.
  await expect(shop.flow('signUp').locator('[name="email"]')).toHaveValue(email);
  await keyboard.press(shop.flow('signUp').locator('a[href="/signin"]'));
  await keyboard.press(shop.flow('signIn').locator('a[href="/forgotpassword"]'));
  await expect(shop.flow('forgotPassword').locator('[name="email"]')).toHaveValue(email);
  expect(page.url()).not.toContain('example');
  await shop.flow('forgotPassword').locator('[name="email"]').focus();
  const resetEmail = await waitForEmail(server, email, () => page.keyboard.press('Enter'));
  await shop.waitForState('forgotPassword', 'sent');
  expect(resetEmail?.subject).toBe('Choisissez un nouveau mot de passe pour Harbour Books');
  const link = getLinkPath(resetEmail);

  await page.goto(link);
  const form = shop.flow('resetPassword');
  await shop.waitForState('resetPassword', 'asking');
  await keyboard.type(form.locator('[name="password"]'), newPassword);
  await keyboard.type(form.locator('[name="again"]'), 'lampe de huile');
  await page.keyboard.press('Enter');
  await expect(form.locator('[name="again"]')).toBeFocused();
  await expect(form.locator('[name="again"]')).toHaveAttribute('aria-invalid', 'true');
  await form.locator('[name="again"]').fill(newPassword);
  await page.keyboard.press('Enter');
  await shop.waitForState('resetPassword', 'saved');

  await keyboard.press(form.locator('a[href="/signin"]'));
  await shop.signIn(email, password);
  await expect(page.getByRole('alert')).toContainText('incorrect');
  await shop.signIn(email, newPassword);
  await expect(shop.flow('signIn')).toHaveCount(0);

  await page.goto(link);
  await shop.waitForState('resetPassword', 'over');
  await keyboard.press(form.locator('a[href="/forgotpassword"]'));
  await shop.waitForState('forgotPassword', 'asking');
});

test('after a network failure a reset link can be requested without retyping the e-mail address', async ({
  page,
  shop: server,
  errors,
}) => {
  errors.allow(/Failed to load resource/);
  const shop = new ShopPage(page);
  const { email } = await Customer.signUp(server);
  await page.goto('/forgotpassword');
  const field = shop.flow('forgotPassword').locator('[name="email"]');
  await field.fill(email);
  await page.route('**/api/user/forgotpassword*', (route) => route.abort());
  await shop.control('request.submitted').click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(field).toHaveValue(email);
  await page.unroute('**/api/user/forgotpassword*');
  await shop.control('request.submitted').click();
  await shop.waitForState('forgotPassword', 'sent');
});
