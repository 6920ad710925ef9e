import { cards, password } from '../../../../tools/browser/customer.ts';
import { Keyboard } from '../../pages/keyboard.ts';
import { createEmail, ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

test.use({ viewport: { width: 390, height: 844 }, locale: 'fr-FR' });

test('in French and on a phone’s width, a book is found, bought and read by keyboard alone', async ({ page }) => {
  const shop = new ShopPage(page);
  const keyboard = new Keyboard(page);

  await page.goto('/');
  await shop.waitForState('landing', 'shown');
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await keyboard.type(page.locator('header [name="search"]'), 'keeper');
  await page.keyboard.press('Enter');
  await shop.waitForState('catalogue', { shown: 'resting' });
  await keyboard.press(shop.flow('catalogue').locator('a[href^="/id:1001"]').first());
  await expect(page.locator('#main')).toBeFocused();
  await keyboard.press(shop.control('buy.pressed'));
  await shop.waitForState('purchase', 'ready');
  await keyboard.press(shop.control('pay.pressed'));
  await shop.waitForState('signIn', 'asking');
  await keyboard.press(shop.flow('signIn').locator('a[href^="/signup"]'));

  const form = shop.flow('signUp');
  const getField = (name: string) => form.locator(`[name="${name}"]`);
  await keyboard.type(getField('password'), password);
  await keyboard.reach(getField('email'), 'Shift+Tab');
  await page.keyboard.type(createEmail());
  await keyboard.reach(getField('name'), 'Shift+Tab');
  await page.keyboard.type('Une lectrice');
  await keyboard.press(form.locator('[name="agree"]'), 'Space');
  await keyboard.press(shop.control('signUp.submitted'));

  await expect(page.locator('#number')).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await keyboard.type(page.locator('#number'), cards.good);
  await keyboard.type(page.locator('#expiry'), '12/34');
  await keyboard.type(page.locator('#cvc'), '123');
  await keyboard.type(page.locator('#name'), 'Une lectrice');
  await keyboard.press(page.locator('form button').first());

  await shop.waitForState('receipt', 'shown');
  await keyboard.press(shop.flow('receipt').locator('a[href="/mylibrary"]'));
  await shop.waitForState('library', 'shown');
  await keyboard.press(shop.control('title.opened'));

  const book = shop.flow('book');
  await expect(shop.control('turn.pressed', book)).toBeEnabled();
  for (let turn = 0; turn < 4; turn += 1) {
    const progressBefore = await shop.readProgress();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => shop.readProgress()).toBeGreaterThan(progressBefore);
  }
  const furthest = await shop.readProgress();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => shop.readProgress()).toBeLessThan(furthest);

  await keyboard.press(shop.control('contents.pressed', book));
  await expect(book).toHaveAttribute('data-state', /"panel":"contents"/);
  await page.keyboard.press('Escape');
  await expect(book).toHaveAttribute('data-state', /"panel":"closed"/);
  await expect(shop.control('contents.pressed', book)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(book).toHaveAttribute('data-state', /"controls":"hidden"/);
  await page.keyboard.press('Escape');
  await expect(book).toHaveAttribute('data-state', /"controls":"shown"/);
  // Tab moves through the pictures of the chapter, and shows the page of each.
  const lastProgress = await shop.readProgress();

  await keyboard.press(shop.control('close.pressed', book));
  await shop.waitForState('library', 'shown');
  await keyboard.press(shop.control('title.opened'));
  await expect.poll(async () => Math.abs((await shop.readProgress()) - lastProgress)).toBeLessThan(0.01);
});
