import { cards, password } from '../../../../tools/browser/customer.ts';
import { CheckoutPage } from '../../../../tools/browser/checkout-page.ts';
import { expect, expectBoughtOnce, test } from '../../pages/checkout-fixtures.ts';

const TITLE_ID = '1005';

test('a declined card is reported at once, and after a reload; another card pays', async ({ page, checkoutPage, customer }) => {
  await checkoutPage.openCardForm(TITLE_ID);
  await checkoutPage.shop.payByCard(cards.declined);
  await expect(checkoutPage.errorMessage).toBeVisible();
  // Reloading a page that a form's POST produced would send it again, and the browser asks about
  // that first.
  const reloadResponse = await page.reload();
  expect(reloadResponse?.request().method()).toBe('GET');
  await expect(checkoutPage.errorMessage).toBeVisible();
  await expect(page.getByLabel('Card number')).toHaveValue('');
  await expect(page.getByLabel(/name on/i)).toHaveValue('A Reader');
  expect(await customer.countCharges()).toBe(0);
  await checkoutPage.shop.payByCard(cards.good);
  await expectBoughtOnce(customer, TITLE_ID, await checkoutPage.waitForReceipt());
});

test('a card declined until the gateway gives up ends the attempt, not the purchase', async ({
  page,
  checkoutPage,
  customer,
}) => {
  await checkoutPage.openCardForm(TITLE_ID);
  const flow = checkoutPage.shop.flow('purchase');
  while (new URL(page.url()).pathname.startsWith('/pay/')) {
    const loadEvent = page.waitForEvent('load');
    await checkoutPage.shop.payByCard(cards.declined);
    await loadEvent;
  }
  await checkoutPage.shop.waitForState('purchase', 'failed');
  await expect(flow).toContainText('Your bank declined the card. You haven’t been charged.');
  expect(await customer.fetchLibrary()).toEqual([]);

  await checkoutPage.shop.control('retry.pressed').click();
  await checkoutPage.shop.waitForState('purchase', 'ready');
  await checkoutPage.shop.control('pay.pressed').click();
  await checkoutPage.waitForGateway();
  await checkoutPage.shop.payByCard();
  await expectBoughtOnce(customer, TITLE_ID, await checkoutPage.waitForReceipt());
  await page.reload();
  expect(await checkoutPage.waitForReceipt()).not.toBe('');
});

test('a payment that the bank does not approve charges nothing, and can be tried again', async ({ checkoutPage, customer }) => {
  await checkoutPage.openCardForm(TITLE_ID);
  await checkoutPage.shop.payByCard(cards.challenged);
  await checkoutPage.answerBank('Decline');
  await expect(checkoutPage.errorMessage).toContainText('didn’t approve');
  expect(await customer.countCharges()).toBe(0);
  await checkoutPage.shop.payByCard(cards.challenged);
  await checkoutPage.answerBank('Approve');
  await expectBoughtOnce(customer, TITLE_ID, await checkoutPage.waitForReceipt());
});

test('a payment cancelled at the gateway costs nothing and can be started again', async ({ checkoutPage, customer }) => {
  await checkoutPage.openCardForm(TITLE_ID);
  await checkoutPage.cancelAtGateway();
  await checkoutPage.shop.waitForState('purchase', 'cancelled');
  expect(await customer.countCharges()).toBe(0);
  await checkoutPage.shop.control('retry.pressed').click();
  await checkoutPage.shop.waitForState('purchase', 'ready');
  await checkoutPage.shop.control('pay.pressed').click();
  await checkoutPage.waitForGateway();
  await checkoutPage.shop.payByCard();
  await expectBoughtOnce(customer, TITLE_ID, await checkoutPage.waitForReceipt());
});

test('a payment left by Back from the gateway charges nothing, and can be continued or cancelled', async ({
  page,
  checkoutPage,
  customer,
}) => {
  await checkoutPage.openCardForm(TITLE_ID);
  await page.goBack();
  await checkoutPage.waitForPaymentState('actionRequired');
  expect(await customer.countCharges()).toBe(0);
  await checkoutPage.shop.control('continue.pressed').click();
  await checkoutPage.waitForGateway();
  await page.goBack();
  await checkoutPage.waitForPaymentState('actionRequired');
  await checkoutPage.shop.control('cancel.pressed').click();
  await checkoutPage.shop.waitForState('purchase', 'cancelled');
  await page.goBack();
  await expect(page).not.toHaveURL(/title\/purchase/);
  expect(await customer.fetchLibrary()).toEqual([]);
});

test('a reload at each point of a purchase changes nothing', async ({ page, checkoutPage, customer }) => {
  await page.goto(`/title/purchase?titleid=${TITLE_ID}`);
  await checkoutPage.shop.waitForState('purchase', 'ready');
  await page.reload();
  await checkoutPage.shop.waitForState('purchase', 'ready');
  await checkoutPage.shop.control('pay.pressed').click();
  await checkoutPage.waitForGateway();
  await page.reload();
  await checkoutPage.waitForGateway();
  // After the return from the gateway, the page is reloaded while it confirms the payment.
  let confirmations = 0;
  await page.route('**/api/purchase/title/confirm*', async (route) => {
    confirmations += 1;
    if (confirmations === 1) await page.reload();
    return route.fallback();
  });
  await checkoutPage.shop.payByCard();
  const transId = await checkoutPage.waitForReceipt();
  await page.reload();
  expect(await checkoutPage.waitForReceipt()).toBe(transId);
  expect(confirmations).toBeGreaterThan(1);
  await expectBoughtOnce(customer, TITLE_ID, transId);
});

test('a double press on Pay and a second tab start one payment', async ({ page, context, checkoutPage, customer }) => {
  const idempotencyKeys: string[] = [];
  context.on('request', (request) => {
    if (request.url().includes('/payment/session')) idempotencyKeys.push(request.headers()['idempotency-key'] ?? '');
  });
  await page.goto(`/title/purchase?titleid=${TITLE_ID}`);
  await checkoutPage.shop.waitForState('purchase', 'ready');
  await checkoutPage.shop.control('pay.pressed').dblclick();
  await checkoutPage.waitForGateway();
  expect(idempotencyKeys).toHaveLength(1);

  const otherCheckout = new CheckoutPage(await context.newPage());
  await otherCheckout.page.goto(`/title/purchase?titleid=${TITLE_ID}`);
  await otherCheckout.waitForPaymentState('actionRequired');
  await checkoutPage.shop.payByCard();
  await expectBoughtOnce(customer, TITLE_ID, await checkoutPage.waitForReceipt());
  await otherCheckout.shop.control('status.pressed').click();
  await expectBoughtOnce(customer, TITLE_ID, await otherCheckout.waitForReceipt());
});

test('a customer whose session ends at the gateway signs in again, and the purchase continues', async ({
  page,
  context,
  checkoutPage,
  customer,
  errors,
}) => {
  errors.allow(/status of 401/);
  await checkoutPage.openCardForm(TITLE_ID);
  await customer.signInBrowser(context, 'a-token-that-has-ended');
  await checkoutPage.shop.payByCard();
  await checkoutPage.shop.waitForState('signIn', 'asking');
  expect(await customer.fetchLibrary()).toEqual([]);
  await checkoutPage.shop.signIn(customer.email, password);
  await expectBoughtOnce(customer, TITLE_ID, await checkoutPage.waitForReceipt());
  await expect(page).toHaveURL(/\/title\/purchase\/success/);
});

test('a customer whose session ends on the summary signs in again, and the press on Pay is resumed', async ({
  page,
  checkoutPage,
  customer,
  errors,
}) => {
  errors.allow(/status of 401/);
  await page.goto(`/title/purchase?titleid=${TITLE_ID}`);
  await checkoutPage.shop.waitForState('purchase', 'ready');
  await page.evaluate(() => localStorage.setItem('id_token', 'a-token-that-has-ended'));
  await checkoutPage.shop.control('pay.pressed').click();
  await checkoutPage.shop.waitForState('signIn', 'asking');
  await expect(checkoutPage.shop.flow('signIn')).toContainText('Your session has ended');
  await checkoutPage.shop.signIn(customer.email, password);
  await checkoutPage.waitForGateway();
  await checkoutPage.shop.payByCard();
  await expectBoughtOnce(customer, TITLE_ID, await checkoutPage.waitForReceipt());
});

test('a saved card pays the next title at once, and another may be chosen', async ({ page, checkoutPage, customer }) => {
  const { shop } = checkoutPage;
  await checkoutPage.openCardForm(TITLE_ID);
  await page.getByLabel('Save this card').check();
  await shop.payByCard(cards.good);
  await checkoutPage.waitForReceipt();

  await page.goto('/title/purchase?titleid=1003');
  await shop.waitForState('purchase', 'ready');
  const cardChoice = page.getByRole('group', { name: 'Pay with' });
  await expect(cardChoice.getByRole('radio', { name: /Visa ending in 4242/ })).toBeChecked();
  await cardChoice.getByRole('radio', { name: 'Another card' }).check();
  await expect(shop.control('pay.pressed')).toHaveText('Continue to payment');
  await page.keyboard.press('ArrowUp');
  await expect(shop.control('pay.pressed')).toHaveText('Pay $11.50');
  await shop.control('pay.pressed').click();
  const transId = await checkoutPage.waitForReceipt();
  expect(await customer.fetchLibrary()).toEqual(['1003', TITLE_ID]);
  expect(await customer.countCharges()).toBe(2);
  expect(await customer.fetchReceipt(transId)).toMatchObject({ titleId: '1003' });
});
