import type { Page } from '@playwright/test';
import { createEmail } from '../../../tools/browser/shop.ts';
import { expect, createCustomer, password, test } from '../support/specification/test.ts';

/** Sections 4 and 5: sessions, and the forms that start them. */

const readStored = (page: Page, name: string): Promise<string | null> => page.evaluate((key) => localStorage.getItem(key), name);

test('signing in stores token, e-mail address and user id, until sign-out [S3.session] [S3.storage] [S4.login] [S9.session-kept] [S7.user/validate]', async ({
  page,
  server,
  shop,
}) => {
  const customer = createCustomer(server);
  await page.goto('/signin');
  await shop.signIn(customer.email, password);
  await expect.poll(() => readStored(page, 'id_token')).not.toBeNull();
  expect(server.state.sessions.get((await readStored(page, 'id_token')) ?? '')).toBe(customer);
  expect([await readStored(page, 'userid'), await readStored(page, 'emailid')]).toEqual([customer.id, customer.email]);
  await page.goto('/account');
  await expect(shop.flow('account')).toContainText(customer.email);
  await shop.control('signOut.pressed', shop.flow('account')).click();
  await expect.poll(() => readStored(page, 'id_token')).toBeNull();
});

test.describe('on a server whose sign-in gives no token', () => {
  test.use({ serverOptions: { withoutTokens: true } });

  test('a placeholder session is signed in until a call is answered 401 [S4.login-placeholder]', async ({
    page,
    server,
    shop,
  }) => {
    const customer = createCustomer(server);
    await page.goto('/signin?return=%2Fall');
    await shop.signIn(customer.email, password);
    await expect(page).toHaveURL(/\/all$/);
    await expect(page.getByRole('link', { name: 'My Library' }).first()).toBeVisible();
    expect(await readStored(page, 'id_token')).toBeNull();
    await page.getByRole('link', { name: 'My Library' }).first().click();
    await shop.waitForState('signIn', 'asking');
  });
});

test('signing out stops the player, and the next customer starts at zero [S4.logout-player] [S4.player-reset]', async ({
  page,
  server,
  shop,
}) => {
  const [firstCustomer, secondCustomer] = [createCustomer(server), createCustomer(server)];
  for (const customer of [firstCustomer, secondCustomer]) customer.owned.push('2');
  const signInAndOpenPlayer = async (email: string): Promise<void> => {
    await page.goto('/signin?return=%2Fmylibrary');
    await shop.signIn(email, password);
    await shop.control('title.opened').click();
    await shop.waitForState('tracks', { attached: 'paused' });
  };
  const slider = page.locator('[data-clock="slider"]');
  await signInAndOpenPlayer(firstCustomer.email);
  await shop.control('play.pressed').click();
  await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(1);
  await shop.control('close.pressed').click();
  await page.goto('/account');
  await shop.control('signOut.pressed', shop.flow('account')).click();
  await shop.waitForState('signIn', 'asking');
  await expect(page.locator('audio')).toHaveCount(0);
  await signInAndOpenPlayer(secondCustomer.email);
  expect(Number(await slider.inputValue())).toBe(0);
});

test('an e-mail address may have a quoted name and an IP literal, and must be well-formed [S5.email]', async ({
  page,
  server,
  shop,
}) => {
  await page.goto('/signup');
  await shop.waitForState('signUp', 'asking');
  await shop.signUp('no address');
  await expect(shop.flow('signUp')).toContainText('This doesn’t look like an email address.');
  expect(server.receivedCalls.filter(({ call }) => call === 'user/signup')).toEqual([]);
  const email = '"a reader"@[192.0.2.1]';
  await shop.signUp(email);
  await expect.poll(() => server.state.findByEmail(email)?.name).toBe('A Reader');
});

test('sign-in links to the forgotten password and to a new account, which links back [S2.signin/forgot] [S2.signin/create] [S2.signup/account]', async ({
  page,
  shop,
}) => {
  await page.goto('/signin');
  await shop.flow('signIn').locator('a[href^="/forgotpassword"]').click();
  await shop.waitForState('forgotPassword', 'asking');
  await page.goto('/signin');
  await page.getByRole('link', { name: /create an account/i }).click();
  await shop.waitForState('signUp', 'asking');
  await shop.flow('signUp').locator('a[href^="/signin"]').click();
  await shop.waitForState('signIn', 'asking');
});

test('sign-up requires agreement to the terms [S2.signup/terms]', async ({ page, server, shop }) => {
  const email = createEmail();
  await page.goto('/signup');
  const form = shop.flow('signUp');
  await form.locator('[name="name"]').fill('A Reader');
  await form.locator('[name="email"]').fill(email);
  await form.locator('[name="password"]').fill(password);
  await shop.control('signUp.submitted', form).click();
  await expect(form).toContainText('Please agree to continue.');
  expect(server.state.findByEmail(email)).toBeUndefined();
  await form.locator('[name="agree"]').check();
  await shop.control('signUp.submitted', form).click();
  await expect.poll(() => server.state.findByEmail(email)?.email).toBe(email);
});
