import { findSeriousViolations } from '../../pages/axe.ts';
import { Customer } from '../../../../tools/browser/customer.ts';
import { openWithFrame as open } from '../../../../tools/browser/frame.ts';
import { createEmail, ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';
import type { Locator, Page } from '@playwright/test';

const keeper = 'The Keeper’s Third Log';
const thread = 'Thread and Board';

const getSaveButton = (page: Page, name: string): Locator => page.getByRole('button', { name: `Save ${name} for later` }).first();

const readSavedTitles = (page: Page): Promise<string[]> => page.locator('[data-flow="wishList"] [data-name]').allTextContents();

const readWishes = async (customer: Customer): Promise<string[]> => {
  const { titles } = (await (await customer.request('user/wishlist')).json()) as { titles: { titleId: string }[] };
  return titles.map(({ titleId }) => titleId);
};

test('a visitor’s saved titles move to their new account, and removed ones can be restored', async ({ page }) => {
  const view = new ShopPage(page);
  await open(page, '/wishlist');
  await view.waitForState('wishList', 'empty');
  await expect(page.getByText('Press the heart on any title')).toBeVisible();

  await open(page, '/id:1001');
  const button = page.getByRole('button', { name: 'Save for later', exact: true });
  await button.click();
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  await open(page, '/ebook');
  await getSaveButton(page, thread).click();
  await expect(getSaveButton(page, thread)).toHaveAttribute('aria-pressed', 'true');
  await open(page, '/wishlist');
  await expect.poll(() => readSavedTitles(page)).toEqual([thread, keeper]);

  await page.goto('/signup?return=%2Fwishlist');
  await view.signUp(createEmail());
  await view.waitForState('wishList', { shown: 'resting' });
  await expect.poll(() => readSavedTitles(page)).toEqual([thread, keeper]);
  expect(await page.evaluate(() => localStorage.getItem('colophon.wishes'))).toBe('[]');

  await page.getByRole('button', { name: `Remove ${thread}` }).click();
  await expect(page.getByRole('status').filter({ hasText: '1 title' })).toBeVisible();
  await page.getByRole('button', { name: `Undo ${thread}` }).click();
  await expect(page.getByRole('button', { name: `Remove ${thread}` })).toBeVisible();
  await page.getByRole('button', { name: `Remove ${keeper}` }).click();
  await expect(page.getByRole('button', { name: `Undo ${keeper}` })).toBeFocused();
  expect(await findSeriousViolations(page, page.url())).toEqual([]);
  await expect
    .poll(async () => {
      await page.reload();
      await view.waitForState('wishList', { shown: 'resting' });
      return readSavedTitles(page);
    })
    .toEqual([thread]);
});

test('the wish list follows changes in other tabs, and marks a bought title', async ({ page, context, shop }) => {
  const customer = await Customer.signUp(shop);
  await customer.signInBrowser(context);
  await customer.buy('1001');
  await customer.request('user/wishlist', {}, { changes: [{ titleId: '1001', isSaved: true }] });
  const view = new ShopPage(page);
  await open(page, '/wishlist');
  await view.waitForState('wishList', { shown: 'resting' });
  await expect(view.flow('wishList')).toContainText('In your library');

  const otherTab = await context.newPage();
  await open(otherTab, '/ebook');
  await getSaveButton(otherTab, thread).click();
  await expect.poll(() => readSavedTitles(page)).toEqual([thread, keeper]);
  await getSaveButton(otherTab, thread).click();
  await expect.poll(() => readSavedTitles(page)).toEqual([keeper]);
});

test('a title that could not be saved for later shows the reason, and can be retried', async ({
  page,
  context,
  shop,
  errors,
}) => {
  errors.allow(/ERR_FAILED/);
  const customer = await Customer.signUp(shop);
  await customer.signInBrowser(context);
  await open(page, '/ebook');
  await expect(getSaveButton(page, thread)).toBeVisible();
  await page.route('**/api/user/wishlist*', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
  await getSaveButton(page, thread).click();
  const alert = page.getByRole('alert').filter({ hasText: 'We couldn’t change your wish list.' });
  await expect(alert).toContainText('We can’t reach the shop.');
  await expect(getSaveButton(page, thread)).toHaveAttribute('aria-pressed', 'false');
  expect(await findSeriousViolations(page, page.url())).toEqual([]);
  await page.unroute('**/api/user/wishlist*');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(alert).toBeHidden();
  await expect(getSaveButton(page, thread)).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => readWishes(customer)).toEqual(['1018']);
});
