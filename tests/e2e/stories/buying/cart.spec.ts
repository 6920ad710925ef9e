import type { Locator, Page } from '@playwright/test';
import { seriousViolations } from '../../pages/axe.ts';
import { CheckoutPage } from '../../../../tools/browser/checkout-page.ts';
import { cards, Customer } from '../../../../tools/browser/customer.ts';
import { openWithFrame as open } from '../../../../tools/browser/frame.ts';
import { Keyboard } from '../../pages/keyboard.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

const keeper = { id: '1001', name: 'The Keeper’s Third Log' };
const thread = { id: '1018', name: 'Thread and Board' };

const cartCount = (page: Page): Locator => page.locator('header [data-count]');
const readLines = (page: Page): Promise<string[]> =>
  page.locator('[data-line]').evaluateAll((all) => all.map((line) => `${line.dataset['line']} ${line.dataset['is']}`));

const fill = async (customer: Customer, ...ids: string[]): Promise<void> => {
  for (const titleId of ids) await customer.request('cart/add', { titleId });
};

/** Expects each title once, for one charge. */
const expectBought = async (customer: Customer, ...ids: string[]): Promise<void> => {
  expect((await customer.fetchLibrary()).toSorted()).toEqual(ids);
  expect(await customer.countCharges()).toBe(1);
};

test.describe('in French and on a phone’s width', () => {
  test.use({ viewport: { width: 390, height: 844 }, locale: 'fr-FR' });

  test('a visitor fills a cart by keyboard, signs in, is declined, and pays once for all of it', async ({
    page,
    shop: server,
  }) => {
    const shop = new ShopPage(page);
    const keyboard = new Keyboard(page);
    const customer = await Customer.signUp(server);
    await fill(customer, '1005');

    await open(page, '/purchase');
    await shop.waitForState('cart', 'empty');
    await expect(page.getByRole('heading', { name: 'Votre panier est vide' })).toBeVisible();
    for (const [at, { id }] of [keeper, thread].entries()) {
      await open(page, `/id:${id}`);
      await keyboard.press(page.getByRole('button', { name: 'Ajouter au panier' }));
      await expect(page.getByRole('link', { name: 'Voir le panier' })).toBeFocused();
      await expect(cartCount(page)).toHaveAttribute('data-count', String(at + 1));
    }
    await page.keyboard.press('Enter');
    await shop.waitForState('cart', { shown: 'resting' });
    expect(await readLines(page)).toEqual([`${thread.id} payable`, `${keeper.id} payable`]);
    expect(await seriousViolations(page, page.url())).toEqual([]);

    await keyboard.press(page.getByRole('button', { name: `Retirer ${keeper.name}` }));
    await expect(page.getByRole('status').filter({ hasText: 'Total pour 1 titre' })).toBeVisible();
    await expect(page.getByRole('button', { name: `Annuler ${keeper.name}` })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('status').filter({ hasText: 'Total pour 2 titres' })).toBeVisible();

    await keyboard.press(page.getByRole('link', { name: 'Passer commande' }));
    await shop.signIn(customer.email);
    await shop.waitForState('purchase', 'ready');
    // The titles of the account's cart are there, too.
    await expect(shop.flow('purchase').locator('[data-line]')).toHaveCount(3);
    expect(await page.evaluate(() => localStorage.getItem('colophon.cart'))).toBe('[]');
    expect(await seriousViolations(page, page.url())).toEqual([]);

    await keyboard.press(shop.control('pay.pressed'));
    await shop.fillInCard(cards.declined);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toBeVisible();
    expect(await customer.countCharges()).toBe(0);
    await shop.fillInCard();
    await page.keyboard.press('Enter');

    await new CheckoutPage(page).waitForReceipt();
    await expect(page).toHaveURL(/\/cart\/purchase\/success\?transId=/);
    const receipt = shop.flow('receipt');
    await expect(receipt).toContainText('3 titres sont dans votre bibliothèque.');
    for (const { name } of [keeper, thread]) await expect(receipt).toContainText(name);
    expect(await seriousViolations(page, page.url())).toEqual([]);
    await expectBought(customer, '1001', '1005', '1018');

    await open(page, '/id:1003');
    await expect(cartCount(page)).toHaveAttribute('data-count', '0');
  });
});

test('after returning from the payment page, and in a second tab, it is one payment', async ({ page, context, shop: server }) => {
  const customer = await Customer.signUp(server);
  await customer.signInBrowser(context);
  await fill(customer, keeper.id, thread.id);
  const shop = new ShopPage(page);
  const checkout = new CheckoutPage(page);
  await page.goto('/cart/checkout');
  await shop.waitForState('purchase', 'ready');
  await shop.control('pay.pressed').click();
  await checkout.waitForGateway();
  await page.goBack();
  await checkout.waitForPaymentState('actionRequired');

  const other = await context.newPage();
  await other.goto('/cart/checkout');
  const there = new CheckoutPage(other);
  await there.waitForPaymentState('actionRequired');
  await there.shop.control('continue.pressed').click();
  await there.waitForGateway();
  await there.shop.payByCard();
  await there.waitForReceipt();

  await shop.control('status.pressed').click();
  await checkout.waitForReceipt();
  await page.reload();
  await checkout.waitForReceipt();
  await expectBought(customer, keeper.id, thread.id);
  await page.goto('/cart/checkout');
  await shop.waitForState('purchase', 'notForSale');
});

test('a line that is owned, free or not for sale says so, and is not paid for', async ({
  page,
  context,
  shop: server,
  errors,
}) => {
  errors.allow(/status of 409/);
  const customer = await Customer.signUp(server);
  await customer.signInBrowser(context);
  await fill(customer, keeper.id, thread.id, '1011', '1012');
  await customer.request('user/wishlist', {}, { changes: [{ titleId: '1003', isSaved: true }] });
  const shop = new ShopPage(page);
  await open(page, '/purchase');
  await shop.waitForState('cart', { shown: 'resting' });
  expect(await readLines(page)).toEqual(['1012 notForSale', '1011 free', `${thread.id} payable`, `${keeper.id} payable`]);
  // By a code, a gift or another device, the customer owns it in the meantime.
  await page.route('**/api/cart/titles*', async (route) => {
    const response = await route.fetch();
    const body = await response.text();
    const owned = /(<TitleId>1018<\/TitleId><Name>[^<]*<\/Name><AddedAt>[^<]*<\/AddedAt><Owned>)false/;
    await route.fulfill({ response, body: body.replace(owned, '$1true') });
  });
  await page.reload();
  await shop.waitForState('cart', { shown: 'resting' });
  expect(await readLines(page)).toEqual(['1012 notForSale', '1011 free', `${thread.id} owned`, `${keeper.id} payable`]);
  await page.getByRole('link', { name: 'Check out' }).click();
  await shop.waitForState('purchase', 'ready');
  await expect(shop.flow('purchase')).toContainText('1 title in your cart is already in your library');
  // The server knows better: it would charge for both, and is not allowed to.
  await shop.control('pay.pressed').click();
  await shop.waitForState('purchase', 'priceChanged');
  await page.unroute('**/api/cart/titles*');
  await shop.control('retry.pressed').click();
  await shop.waitForState('purchase', 'ready');
  await expect(shop.flow('purchase').locator('[data-line]')).toHaveCount(2);
  expect(await customer.countCharges()).toBe(0);

  await open(page, '/wishlist');
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await expect(cartCount(page)).toHaveAttribute('data-count', '5');
});

test('a title that could not be put into the cart shows the reason, and is retried', async ({
  page,
  context,
  shop: server,
  errors,
}) => {
  errors.allow(/ERR_FAILED/);
  const customer = await Customer.signUp(server);
  await customer.signInBrowser(context);
  await open(page, `/id:${keeper.id}`);
  await page.route('**/api/cart/add*', (route) => route.abort());
  await page.getByRole('button', { name: 'Add to cart' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'We couldn’t change your cart.' });
  await expect(alert).toContainText('We can’t reach the shop.');
  await expect(cartCount(page)).toHaveAttribute('data-count', '0');
  await page.unroute('**/api/cart/add*');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(alert).toBeHidden();
  await expect(cartCount(page)).toHaveAttribute('data-count', '1');
  // The cart shows it before the server has stored it.
  await expect.poll(async () => (await customer.request('cart/titles')).text()).toContain(`<TitleId>${keeper.id}</TitleId>`);
});

test('other tabs are updated; a title bought on its own leaves the cart', async ({ page, context, shop: server }) => {
  const customer = await Customer.signUp(server);
  await customer.signInBrowser(context);
  await fill(customer, keeper.id);
  const shop = new ShopPage(page);
  await open(page, '/purchase');
  await shop.waitForState('cart', { shown: 'resting' });
  const other = await context.newPage();
  await open(other, `/id:${thread.id}`);
  await other.getByRole('button', { name: 'Add to cart' }).click();
  await expect.poll(() => readLines(page)).toEqual([`${thread.id} payable`, `${keeper.id} payable`]);
  await other.getByRole('button', { name: 'Remove from cart' }).click();
  await expect.poll(() => readLines(page)).toEqual([`${keeper.id} payable`]);

  const checkout = new CheckoutPage(other);
  await checkout.openCardForm(keeper.id);
  await checkout.shop.payByCard();
  await checkout.waitForReceipt();
  await open(page, '/purchase');
  await shop.waitForState('cart', 'empty');
});
