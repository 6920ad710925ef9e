import { Customer, password } from '../pages/customer.ts';
import { letterAfter } from '../pages/letters.ts';
import { ShopPage } from '../pages/shop.ts';
import { expect, test } from '../support/shop.ts';

test('a customer signs another device out, deletes the account, and is a visitor in every tab', async ({
  page,
  context,
  shop: server,
  errors,
}) => {
  // A wrong password, and later the old one.
  errors.allow(/status of 401/);
  const shop = new ShopPage(page);
  const customer = await Customer.signUp(server);
  const there = await customer.signsInOn('A borrowed telephone');
  await page.goto('/signin');
  await shop.signIn(customer.email);
  await shop.isIn('landing', 'shown');
  const other = await context.newPage();
  await other.goto('/all');
  await new ShopPage(other).isIn('catalogue', { shown: 'resting' });

  await page.goto('/account');
  const devices = shop.flow('devices');
  await expect(devices.getByRole('listitem')).toHaveCount(2);
  await devices.getByRole('button', { name: 'Sign out of A borrowed telephone' }).click();
  await expect(devices.getByRole('status')).toContainText('A borrowed telephone');
  await expect(devices.getByRole('listitem')).toHaveCount(1);
  expect((await customer.ask('user/devices', { accesstoken: there })).status).toBe(401);

  const deletion = shop.flow('deletion');
  await shop.press('delete.pressed').click();
  await deletion.locator('[name="password"]').fill('not the password');
  await shop.press('deletion.submitted').click();
  await expect(deletion.getByRole('alert')).toContainText('password is incorrect');
  await deletion.locator('[name="password"]').fill(password);
  const letter = await letterAfter(server, customer.email, () => shop.press('deletion.submitted').click());
  await shop.isIn('deletion', 'gone');
  expect(letter?.subject).toBe('Your account at Harbour Books has been deleted');
  await expect(other.getByRole('link', { name: 'Sign in' })).toBeVisible();

  await shop.press('leave.pressed').click();
  await shop.isIn('landing', 'shown');
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
  await page.goto('/signin');
  await shop.signIn(customer.email);
  await expect(page.getByRole('alert')).toContainText('incorrect');
});
