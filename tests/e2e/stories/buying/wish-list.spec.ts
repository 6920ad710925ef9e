import { seriousViolations } from '../../pages/axe.ts';
import { Customer } from '../../../../tools/browser/customer.ts';
import { openWithFrame as open } from '../../../../tools/browser/frame.ts';
import { newEmail, ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';
import type { Locator, Page } from '@playwright/test';

const keeper = 'The Keeper’s Third Log';
const thread = 'Thread and Board';

const heart = (page: Page, name: string): Locator => page.getByRole('button', { name: `Save ${name} for later` }).first();

const saved = (page: Page): Promise<string[]> => page.locator('[data-flow="wishList"] [data-name]').allTextContents();

const wishesOf = async (customer: Customer): Promise<string[]> => {
  const { titles } = (await (await customer.ask('user/wishlist')).json()) as { titles: { titleId: string }[] };
  return titles.map(({ titleId }) => titleId);
};

test('what a visitor saves is in the account that they open, and what they remove can be put back', async ({ page }) => {
  const view = new ShopPage(page);
  await open(page, '/wishlist');
  await view.isIn('wishList', 'empty');
  await expect(page.getByText('Press the heart on any title')).toBeVisible();

  await open(page, '/id:1001');
  const button = page.getByRole('button', { name: 'Save for later', exact: true });
  await button.click();
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  await open(page, '/ebook');
  await heart(page, thread).click();
  await expect(heart(page, thread)).toHaveAttribute('aria-pressed', 'true');
  await open(page, '/wishlist');
  await expect.poll(() => saved(page)).toEqual([thread, keeper]);

  await page.goto('/signup?return=%2Fwishlist');
  await view.signUp(newEmail());
  await view.isIn('wishList', { shown: 'resting' });
  await expect.poll(() => saved(page)).toEqual([thread, keeper]);
  expect(await page.evaluate(() => localStorage.getItem('colophon.wishes'))).toBe('[]');

  await page.getByRole('button', { name: `Remove ${thread}` }).click();
  await expect(page.getByRole('status').filter({ hasText: '1 title' })).toBeVisible();
  await page.getByRole('button', { name: `Undo ${thread}` }).click();
  await expect(page.getByRole('button', { name: `Remove ${thread}` })).toBeVisible();
  await page.getByRole('button', { name: `Remove ${keeper}` }).click();
  await expect(page.getByRole('button', { name: `Undo ${keeper}` })).toBeFocused();
  expect(await seriousViolations(page, page.url())).toEqual([]);
  await expect
    .poll(async () => {
      await page.reload();
      await view.isIn('wishList', { shown: 'resting' });
      return saved(page);
    })
    .toEqual([thread]);
});

test('other tabs of a customer hear of it; what is bought says so', async ({ page, context, shop }) => {
  const customer = await Customer.signUp(shop);
  await customer.uses(context);
  await customer.buys('1001');
  await customer.ask('user/wishlist', {}, { changes: [{ titleId: '1001', isSaved: true }] });
  const view = new ShopPage(page);
  await open(page, '/wishlist');
  await view.isIn('wishList', { shown: 'resting' });
  await expect(view.flow('wishList')).toContainText('In your library');

  const other = await context.newPage();
  await open(other, '/ebook');
  await heart(other, thread).click();
  await expect.poll(() => saved(page)).toEqual([thread, keeper]);
  await heart(other, thread).click();
  await expect.poll(() => saved(page)).toEqual([keeper]);
});

test('a heart that could not be kept goes back, says why, and is tried again', async ({ page, context, shop, errors }) => {
  errors.allow(/ERR_FAILED/);
  const customer = await Customer.signUp(shop);
  await customer.uses(context);
  await open(page, '/ebook');
  await expect(heart(page, thread)).toBeVisible();
  await page.route('**/api/user/wishlist*', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
  await heart(page, thread).click();
  const alert = page.getByRole('alert').filter({ hasText: 'We couldn’t change your wish list.' });
  await expect(alert).toContainText('We can’t reach the shop.');
  await expect(heart(page, thread)).toHaveAttribute('aria-pressed', 'false');
  expect(await seriousViolations(page, page.url())).toEqual([]);
  await page.unroute('**/api/user/wishlist*');
  await alert.getByRole('button', { name: 'Retry' }).click();
  await expect(alert).toBeHidden();
  await expect(heart(page, thread)).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => wishesOf(customer)).toEqual(['1018']);
});
