import { Customer } from '../pages/customer.ts';
import { ShopPage } from '../pages/shop.ts';
import { expect, test } from '../support/shop.ts';

test('the PDF viewer has no bar at the top: its foot closes the book and opens the panels [S2.frame/pdfviewer] [S2.login/pdfviewer]', async ({
  page,
  context,
  shop,
}) => {
  const customer = await Customer.signUp(shop);
  await customer.buys('1016');
  await customer.uses(context);
  await page.setViewportSize({ width: 390, height: 844 });
  const view = new ShopPage(page);
  const book = view.flow('book');
  const instance = await customer.instanceOf('1016');

  await page.goto(`/viewer?instanceid=${instance}`);
  await expect(view.press('turn.pressed', book)).toBeEnabled();
  await expect(book.locator('header')).toHaveCount(1);

  await page.goto(`/pdfviewer?instanceid=${instance}`);
  await expect(view.press('turn.pressed', book)).toBeEnabled();
  await expect(page.locator('header')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);

  await view.press('contents.pressed', book).click();
  await expect(book.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(view.press('contents.pressed', book)).toBeFocused();
  await view.press('close.pressed', book).click();
  await view.isIn('library', 'shown');
});
