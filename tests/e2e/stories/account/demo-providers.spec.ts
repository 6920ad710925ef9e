import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { parseCode, readMessages } from '../../../support/text-messages.ts';
import { waitUntilSettled } from '../../pages/axe.ts';
import { Customer } from '../../../../tools/browser/customer.ts';
import { createEmail, ShopPage } from '../../../../tools/browser/shop.ts';
import { test } from '../../support/demo-providers-shop.ts';
import { expect } from '../../support/shop.ts';

const titlePath = '/id:1001';
const demoProviders = [
  ['facebook', 'Facebook'],
  ['google', 'Google'],
  ['auth0', 'Auth0'],
] as const;
const optionLabels = [...demoProviders.map(([, name]) => `Continue with ${name}`), 'Continue with a phone number'];

const isAtProvider = ({ pathname }: URL): boolean => pathname.startsWith('/providers/');

const getProviderButtons = (page: Page) => page.locator('[data-flow="providers"]').getByRole('button');

/** Opens the sign-in form from a title's page by the top bar. */
const goToSignIn = async (page: Page): Promise<void> => {
  await page.goto(titlePath);
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
  await new ShopPage(page).waitForState('signIn', 'asking');
  await expect(getProviderButtons(page)).toHaveText(optionLabels);
};

const signInAtProvider = async (page: Page, email: string): Promise<void> => {
  // The shop's own form has a field for an e-mail address as well.
  await page.waitForURL(isAtProvider);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Name').fill('Ann Lee');
  await page.getByRole('button', { name: 'Continue' }).click();
};

/** Expects a signed-in customer on the title's page. */
const expectSignedInOnTitle = async (page: Page): Promise<void> => {
  await expect(page).toHaveURL(titlePath);
  await new ShopPage(page).flow('title').waitFor();
  await expect(page.getByRole('button', { name: 'Account', exact: true })).toBeVisible();
};

test('sign-in offers Facebook, Google, Auth0 and a phone number [S2.signin/providers]', async ({ page }) => {
  await page.goto('/signin');
  await expect(getProviderButtons(page)).toHaveText(optionLabels);
});

test('sign-up offers Facebook, Google, Auth0 and a phone number [S2.signup/providers]', async ({ page }) => {
  await page.goto('/signup');
  await expect(getProviderButtons(page)).toHaveText(optionLabels);
});

for (const [id, name] of demoProviders)
  test(`a visitor signs in by ${name}, returns to the title, and has the same account the next time`, async ({ page }) => {
    const email = createEmail();
    const userIds: (string | null)[] = [];
    for (const _visit of ['first', 'second']) {
      await goToSignIn(page);
      await page.getByRole('button', { name: `Continue with ${name}` }).click();
      await page.waitForURL((url) => url.pathname === `/providers/${id}/authorize`);
      await signInAtProvider(page, email);
      await expectSignedInOnTitle(page);
      userIds.push(await page.evaluate(() => localStorage.getItem('userid')));
      await page.goto('/account');
      await expect(page.getByRole('main').getByText(email).first()).toBeVisible();
      await page.getByRole('main').getByRole('button', { name: 'Logout' }).click();
      await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible();
    }
    expect(userIds[0]).not.toBeNull();
    expect(userIds[1]).toBe(userIds[0]);
  });

test('a visitor signs in by the code in a text message, and returns to the title', async ({ page, shop }) => {
  await goToSignIn(page);
  await page.getByRole('button', { name: 'Continue with a phone number' }).click();
  await page.getByLabel('Phone number').fill('07400 777123');
  await page.keyboard.press('Enter');
  await new ShopPage(page).waitForState('phone', 'codeAsked');
  const [message] = await readMessages(join(shop.data, 'outbox'), '+447400777123');
  await page.getByLabel('Code from the text message').fill(parseCode(message));
  await page.keyboard.press('Enter');
  await expectSignedInOnTitle(page);
});

for (const [, name] of demoProviders)
  test(`a visitor who cancels at ${name} reads that the sign-in was cancelled, and can still sign in there`, async ({ page }) => {
    const shop = new ShopPage(page);
    await goToSignIn(page);
    await page.getByRole('button', { name: `Continue with ${name}` }).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await shop.waitForState('providerReturn', 'cancelled');
    await expect(page.getByRole('heading', { name: 'You’re not signed in' })).toBeVisible();
    await expect(page.getByRole('main')).toContainText('The sign-in was cancelled.');
    await shop.control('again.pressed').click();
    await page.getByRole('button', { name: `Continue with ${name}` }).click();
    await signInAtProvider(page, createEmail());
    await expectSignedInOnTitle(page);
  });

test('a provider’s page asks again after a malformed e-mail address', async ({ page }) => {
  await goToSignIn(page);
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await signInAtProvider(page, 'nobody');
  await expect(page.getByLabel('Email address')).toHaveAccessibleDescription('Enter an email address.');
  await signInAtProvider(page, createEmail());
  await expectSignedInOnTitle(page);
});

test('an e-mail address from a provider opens no account that has a password', async ({ page, shop, errors }) => {
  errors.allow(/status of 409/);
  const { email } = await Customer.signUp(shop);
  await goToSignIn(page);
  await page.getByRole('button', { name: 'Continue with Facebook' }).click();
  await signInAtProvider(page, email);
  await new ShopPage(page).waitForState('providerReturn', 'passwordNeeded');
  await expect(page.getByRole('heading', { name: 'Please sign in with your password' })).toBeVisible();
});

/** Returns the texts that overflow their element, or an edge of the window. */
const findClippedTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('h1, p, a, button, label, input, li')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && element.closest('header, footer') === null)
      .filter((element) => {
        const { left, right } = element.getBoundingClientRect();
        return (
          left < 0 ||
          right > innerWidth ||
          (element.localName !== 'input' &&
            element.scrollWidth > element.clientWidth + 1 &&
            getComputedStyle(element).display !== 'inline')
        );
      })
      .map((element) => element.textContent || element.localName),
  );

/** Expects that nothing is wider than the window, and no text is cut off. */
const expectFitsWindow = async (page: Page, path: string): Promise<void> => {
  expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(390);
  expect(await findClippedTexts(page), path).toEqual([]);
};

for (const [locale, cancelLabel] of [
  ['en-GB', 'Cancel'],
  ['fr-FR', 'Annuler'],
] as const)
  test.describe(`on a phone in ${locale}`, () => {
    test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, locale });

    test('the options, the page of a provider and the screen after its Cancel fit the window', async ({ page }) => {
      const shop = new ShopPage(page);
      for (const path of ['/signup', '/signin']) {
        await page.goto(path);
        await expect(getProviderButtons(page)).toHaveCount(4);
        await waitUntilSettled(page, path);
        await expectFitsWindow(page, path);
      }
      await getProviderButtons(page).last().tap();
      await shop.waitForState('phone', 'asking');
      await expectFitsWindow(page, 'the number');
      await page.goto('/signin');
      await getProviderButtons(page).nth(1).tap();
      await page.waitForURL(isAtProvider);
      await expectFitsWindow(page, 'the page of Google');
      await page.getByRole('link', { name: cancelLabel }).tap();
      await shop.waitForState('providerReturn', 'cancelled');
      await waitUntilSettled(page, 'the screen after Cancel');
      await expectFitsWindow(page, 'the screen after Cancel');
    });
  });
