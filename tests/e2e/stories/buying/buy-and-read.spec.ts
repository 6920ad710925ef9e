import { createEmail, ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

const book = 'The Keeper’s Third Log';

test('a visitor finds a book, signs up on the way to the checkout, pays, reads, and finds the page again', async ({ page }) => {
  const shop = new ShopPage(page);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

  await page.getByRole('link', { name: 'eBooks' }).first().click();
  await shop.isIn('catalogue', { shown: 'resting' });
  await expect(page).toHaveTitle(/^eBooks · /);
  await page.getByRole('combobox', { name: 'Search the shop' }).fill('keeper');
  await page.keyboard.press('Enter');
  await shop.openTitle(book);

  await shop.press('buy.pressed').click();
  await shop.isIn('purchase', 'ready');
  await shop.press('pay.pressed').click();
  await shop.isIn('signIn', 'asking');
  await page.getByRole('link', { name: /create an account/i }).click();
  await shop.signUp(createEmail());

  await shop.payByCard();
  await shop.isIn('receipt', 'shown');
  await expect(page).toHaveURL(/\/title\/purchase\/success\?transId=/);
  await expect(shop.flow('receipt')).toContainText(book);

  await page.getByRole('link', { name: 'My Library' }).first().click();
  await shop.isIn('library', 'shown');
  await expect(shop.flow('library')).toContainText(book);
  await shop.press('title.opened').click();

  await expect(shop.flow('book')).toBeVisible();
  await expect(shop.press('turn.pressed', shop.flow('book'))).toBeEnabled();
  const left = await shop.turnPages(4);
  await shop.press('close.pressed').click();
  await shop.isIn('library', 'shown');

  await shop.press('title.opened').click();
  await expect.poll(() => shop.progress()).toBeGreaterThan(left - 0.02);
  expect(await shop.progress()).toBeLessThan(left + 0.02);
});
