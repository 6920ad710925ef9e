import { createEmail, ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

const book = 'The Keeper’s Third Log';

test('a visitor finds a book, signs up on the way to the checkout, pays, reads, and later resumes at the same page', async ({
  page,
}) => {
  const shop = new ShopPage(page);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

  await page.getByRole('link', { name: 'eBooks' }).first().click();
  await shop.waitForState('catalogue', { shown: 'resting' });
  await expect(page).toHaveTitle(/^eBooks · /);
  await page.getByRole('combobox', { name: 'Search the shop' }).fill('keeper');
  await page.keyboard.press('Enter');
  await shop.openTitle(book);

  await shop.control('buy.pressed').click();
  await shop.waitForState('purchase', 'ready');
  await shop.control('pay.pressed').click();
  await shop.waitForState('signIn', 'asking');
  await page.getByRole('link', { name: /create an account/i }).click();
  await shop.signUp(createEmail());

  await shop.payByCard();
  await shop.waitForState('receipt', 'shown');
  await expect(page).toHaveURL(/\/title\/purchase\/success\?transId=/);
  await expect(shop.flow('receipt')).toContainText(book);

  await page.getByRole('link', { name: 'My Library' }).first().click();
  await shop.waitForState('library', 'shown');
  await expect(shop.flow('library')).toContainText(book);
  await shop.control('title.opened').click();

  await expect(shop.flow('book')).toBeVisible();
  await expect(shop.control('turn.pressed', shop.flow('book'))).toBeEnabled();
  const positionBefore = await shop.turnPages(4);
  await shop.control('close.pressed').click();
  await shop.waitForState('library', 'shown');

  await shop.control('title.opened').click();
  await expect.poll(() => shop.readProgress()).toBeGreaterThan(positionBefore - 0.02);
  expect(await shop.readProgress()).toBeLessThan(positionBefore + 0.02);
});
