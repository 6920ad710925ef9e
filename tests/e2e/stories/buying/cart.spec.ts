import type { Locator, Page } from '@playwright/test';
import { findSeriousViolations } from '../../pages/axe.ts';
import { CheckoutPage } from '../../../../tools/browser/checkout-page.ts';
import { cards, Customer } from '../../../../tools/browser/customer.ts';
import { openWithFrame as open } from '../../../../tools/browser/frame.ts';
import { Keyboard } from '../../pages/keyboard.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

const keeper = { id: '1001', name: 'The Keeper’s Third Log' };
const thread = { id: '1018', name: 'Thread and Board' };

const getCartCount = (page: Page): Locator => page.locator('header [data-count]');
const readLines = (page: Page): Promise<string[]> =>
  page.locator('[data-line]').evaluateAll((lines) => lines.map((line) => `${line.dataset['line']} ${line.dataset['is']}`));

const addToCart = async (customer: Customer, ...ids: string[]): Promise<void> => {
  for (const titleId of ids) await customer.request('cart/add', { titleId });
};

/** Expects the customer to own exactly these titles, for one charge. */
const expectOwnedForOneCharge = async (customer: Customer, ...ids: string[]): Promise<void> => {
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
    await addToCart(customer, '1005');

    await open(page, '/purchase');
    await shop.waitForState('cart', 'empty');
    await expect(page.getByRole('heading', { name: 'Votre panier est vide' })).toBeVisible();
    for (const [index, { id }] of [keeper, thread].entries()) {
      await open(page, `/id:${id}`);
      await keyboard.press(page.getByRole('button', { name: 'Ajouter au panier' }));
      await expect(page.getByRole('link', { name: 'Voir le panier' })).toBeFocused();
      await expect(getCartCount(page)).toHaveAttribute('data-count', String(index + 1));
    }
    await page.keyboard.press('Enter');
    await shop.waitForState('cart', { shown: 'resting' });
    expect(await readLines(page)).toEqual([`${thread.id} payable`, `${keeper.id} payable`]);
    expect(await findSeriousViolations(page, page.url())).toEqual([]);

    await keyboard.press(page.getByRole('button', { name: `Retirer ${keeper.name}` }));
    await expect(page.getByRole('status').filter({ hasText: 'Total pour 1 titre' })).toBeVisible();
    await expect(page.getByRole('button', { name: `Annuler ${keeper.name}` })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('status').filter({ hasText: 'Total pour 2 titres' })).toBeVisible();

    await keyboard.press(page.getByRole('link', { name: 'Passer commande' }));
    await shop.signIn(customer.email);
    await shop.waitForState('purchase', 'ready');
    // The checkout also has the titles of the account's cart.
    await expect(shop.flow('purchase').locator('[data-line]')).toHaveCount(3);
    expect(await page.evaluate(() => localStorage.getItem('colophon.cart'))).toBe('[]');
    expect(await findSeriousViolations(page, page.url())).toEqual([]);

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
    expect(await findSeriousViolations(page, page.url())).toEqual([]);
    await expectOwnedForOneCharge(customer, '1001', '1005', '1018');

    await open(page, '/id:1003');
    await expect(getCartCount(page)).toHaveAttribute('data-count', '0');
  });
});

test('a cart is charged once when its payment continues in a second tab after Back from the gateway', async ({
  page,
  context,
  shop: server,
}) => {
  const customer = await Customer.signUp(server);
  await customer.signInBrowser(context);
  await addToCart(customer, keeper.id, thread.id);
  const shop = new ShopPage(page);
  const checkout = new CheckoutPage(page);
  await page.goto('/cart/checkout');
  await shop.waitForState('purchase', 'ready');
  await shop.control('pay.pressed').click();
  await checkout.waitForGateway();
  await page.goBack();
  await checkout.waitForPaymentState('actionRequired');

  const otherTab = await context.newPage();
  await otherTab.goto('/cart/checkout');
  const otherCheckout = new CheckoutPage(otherTab);
  await otherCheckout.waitForPaymentState('actionRequired');
  await otherCheckout.shop.control('continue.pressed').click();
  await otherCheckout.waitForGateway();
  await otherCheckout.shop.payByCard();
  await otherCheckout.waitForReceipt();

  await shop.control('status.pressed').click();
  await checkout.waitForReceipt();
  await page.reload();
  await checkout.waitForReceipt();
  await expectOwnedForOneCharge(customer, keeper.id, thread.id);
  await page.goto('/cart/checkout');
  await shop.waitForState('purchase', 'notForSale');
});

test('a cart line that is owned, free or not for sale is marked so, and is not charged', async ({
  page,
  context,
  shop: server,
  errors,
}) => {
  errors.allow(/status of 409/);
  const customer = await Customer.signUp(server);
  await customer.signInBrowser(context);
  await addToCart(customer, keeper.id, thread.id, '1011', '1012');
  await customer.request('user/wishlist', {}, { changes: [{ titleId: '1003', isSaved: true }] });
  const shop = new ShopPage(page);
  await open(page, '/purchase');
  await shop.waitForState('cart', { shown: 'resting' });
  expect(await readLines(page)).toEqual(['1012 notForSale', '1011 free', `${thread.id} payable`, `${keeper.id} payable`]);
  // As if the customer had received the title in the meantime, by a code, a gift or another device.
  await page.route('**/api/cart/titles*', async (route) => {
    const response = await route.fetch();
    const body = await response.text();
    const ownedPattern = /(<TitleId>1018<\/TitleId><Name>[^<]*<\/Name><AddedAt>[^<]*<\/AddedAt><Owned>)false/;
    await route.fulfill({ response, body: body.replace(ownedPattern, '$1true') });
  });
  await page.reload();
  await shop.waitForState('cart', { shown: 'resting' });
  expect(await readLines(page)).toEqual(['1012 notForSale', '1011 free', `${thread.id} owned`, `${keeper.id} payable`]);
  await page.getByRole('link', { name: 'Check out' }).click();
  await shop.waitForState('purchase', 'ready');
  await expect(shop.flow('purchase')).toContainText('1 title in your cart is already in your library');
  // On the server the title is not owned: it would charge for both, and refuses the price of one.
  await shop.control('pay.pressed').click();
  await shop.waitForState('purchase', 'priceChanged');
  await page.unroute('**/api/cart/titles*');
  await shop.control('retry.pressed').click();
  await shop.waitForState('purchase', 'ready');
  await expect(shop.flow('purchase').locator('[data-line]')).toHaveCount(2);
  expect(await customer.countCharges()).toBe(0);

  await open(page, '/wishlist');
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await expect(getCartCount(page)).toHaveAttribute('data-count', '5');
});

test('a title that could not be put into the cart shows the reason, and can be retried', async ({
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
  await expect(getCartCount(page)).toHaveAttribute('data-count', '0');
  await page.unroute('**/api/cart/add*');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(alert).toBeHidden();
  await expect(getCartCount(page)).toHaveAttribute('data-count', '1');
  // The page shows the title in the cart before the server has stored it.
  await expect.poll(async () => (await customer.request('cart/titles')).text()).toContain(`<TitleId>${keeper.id}</TitleId>`);
});

test('other tabs follow changes of the cart, and a title bought on its own leaves the cart', async ({
  page,
  context,
  shop: server,
}) => {
  const customer = await Customer.signUp(server);
  await customer.signInBrowser(context);
  await addToCart(customer, keeper.id);
  const shop = new ShopPage(page);
  await open(page, '/purchase');
  await shop.waitForState('cart', { shown: 'resting' });
  const otherTab = await context.newPage();
  await open(otherTab, `/id:${thread.id}`);
  await otherTab.getByRole('button', { name: 'Add to cart' }).click();
  await expect.poll(() => readLines(page)).toEqual([`${thread.id} payable`, `${keeper.id} payable`]);
  await otherTab.getByRole('button', { name: 'Remove from cart' }).click();
  await expect.poll(() => readLines(page)).toEqual([`${keeper.id} payable`]);

  const checkout = new CheckoutPage(otherTab);
  await checkout.openCardForm(keeper.id);
  await checkout.shop.payByCard();
  await checkout.waitForReceipt();
  await open(page, '/purchase');
  await shop.waitForState('cart', 'empty');
});
