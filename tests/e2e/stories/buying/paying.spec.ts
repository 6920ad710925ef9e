import { cards, password } from '../../../../tools/browser/customer.ts';
import { CheckoutPage } from '../../../../tools/browser/checkout-page.ts';
import { expect, expectBoughtOnce, test } from '../../pages/checkout-fixtures.ts';

const title = '1005';

test('a declined card is reported at once, and after a reload; another card pays', async ({ page, checkoutPage, customer }) => {
  await checkoutPage.openCardForm(title);
  await checkoutPage.shop.payByCard(cards.declined);
  await expect(checkoutPage.errorMessage).toBeVisible();
  // Reloading a page that a form's POST produced would send it again, and the browser asks about
  // that first.
  const reloaded = await page.reload();
  expect(reloaded?.request().method()).toBe('GET');
  await expect(checkoutPage.errorMessage).toBeVisible();
  await expect(page.getByLabel('Card number')).toHaveValue('');
  await expect(page.getByLabel(/name on/i)).toHaveValue('A Reader');
  expect(await customer.countCharges()).toBe(0);
  await checkoutPage.shop.payByCard(cards.good);
  await expectBoughtOnce(customer, title, await checkoutPage.waitForReceipt());
});

test('a card declined until the gateway gives up ends the attempt, not the purchase', async ({
  page,
  checkoutPage,
  customer,
}) => {
  await checkoutPage.openCardForm(title);
  const flow = checkoutPage.shop.flow('purchase');
  while (new URL(page.url()).pathname.startsWith('/pay/')) {
    const answered = page.waitForEvent('load');
    await checkoutPage.shop.payByCard(cards.declined);
    await answered;
  }
  await checkoutPage.shop.waitForState('purchase', 'failed');
  await expect(flow).toContainText('Your bank declined the card. You haven’t been charged.');
  expect(await customer.fetchLibrary()).toEqual([]);

  await checkoutPage.shop.control('retry.pressed').click();
  await checkoutPage.shop.waitForState('purchase', 'ready');
  await checkoutPage.shop.control('pay.pressed').click();
  await checkoutPage.waitForGateway();
  await checkoutPage.shop.payByCard();
  await expectBoughtOnce(customer, title, await checkoutPage.waitForReceipt());
  await page.reload();
  expect(await checkoutPage.waitForReceipt()).not.toBe('');
});

test('a bank’s request for approval is refused, then approved', async ({ checkoutPage, customer }) => {
  await checkoutPage.openCardForm(title);
  await checkoutPage.shop.payByCard(cards.challenged);
  await checkoutPage.answerBank('Decline');
  await expect(checkoutPage.errorMessage).toContainText('didn’t approve');
  expect(await customer.countCharges()).toBe(0);
  await checkoutPage.shop.payByCard(cards.challenged);
  await checkoutPage.answerBank('Approve');
  await expectBoughtOnce(customer, title, await checkoutPage.waitForReceipt());
});

test('a payment cancelled at the gateway costs nothing and can be started again', async ({ checkoutPage, customer }) => {
  await checkoutPage.openCardForm(title);
  await checkoutPage.cancelAtGateway();
  await checkoutPage.shop.waitForState('purchase', 'cancelled');
  expect(await customer.countCharges()).toBe(0);
  await checkoutPage.shop.control('retry.pressed').click();
  await checkoutPage.shop.waitForState('purchase', 'ready');
  await checkoutPage.shop.control('pay.pressed').click();
  await checkoutPage.waitForGateway();
  await checkoutPage.shop.payByCard();
  await expectBoughtOnce(customer, title, await checkoutPage.waitForReceipt());
});

test('Back from the gateway neither traps nor charges: the payment continues, or is cancelled', async ({
  page,
  checkoutPage,
  customer,
}) => {
  await checkoutPage.openCardForm(title);
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
  await page.goto(`/title/purchase?titleid=${title}`);
  await checkoutPage.shop.waitForState('purchase', 'ready');
  await page.reload();
  await checkoutPage.shop.waitForState('purchase', 'ready');
  await checkoutPage.shop.control('pay.pressed').click();
  await checkoutPage.waitForGateway();
  await page.reload();
  await checkoutPage.waitForGateway();
  // On the return: the page is reloaded while it confirms.
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
  await expectBoughtOnce(customer, title, transId);
});

test('a double press on Pay and a second tab start one payment', async ({ page, context, checkoutPage, customer }) => {
  const sessions: string[] = [];
  context.on('request', (request) => {
    if (request.url().includes('/payment/session')) sessions.push(request.headers()['idempotency-key'] ?? '');
  });
  await page.goto(`/title/purchase?titleid=${title}`);
  await checkoutPage.shop.waitForState('purchase', 'ready');
  await checkoutPage.shop.control('pay.pressed').dblclick();
  await checkoutPage.waitForGateway();
  expect(sessions).toHaveLength(1);

  const other = new CheckoutPage(await context.newPage());
  await other.page.goto(`/title/purchase?titleid=${title}`);
  await other.waitForPaymentState('actionRequired');
  await checkoutPage.shop.payByCard();
  await expectBoughtOnce(customer, title, await checkoutPage.waitForReceipt());
  await other.shop.control('status.pressed').click();
  await expectBoughtOnce(customer, title, await other.waitForReceipt());
});

test('a session that ends at the gateway is signed in again, and the purchase continues', async ({
  page,
  context,
  checkoutPage,
  customer,
  errors,
}) => {
  errors.allow(/status of 401/);
  await checkoutPage.openCardForm(title);
  await customer.signInBrowser(context, 'a-token-that-has-ended');
  await checkoutPage.shop.payByCard();
  await checkoutPage.shop.waitForState('signIn', 'asking');
  expect(await customer.fetchLibrary()).toEqual([]);
  await checkoutPage.shop.signIn(customer.email, password);
  await expectBoughtOnce(customer, title, await checkoutPage.waitForReceipt());
  await expect(page).toHaveURL(/\/title\/purchase\/success/);
});

test('a session that ends on the summary is signed in again, and the press on Pay is resumed', async ({
  page,
  checkoutPage,
  customer,
  errors,
}) => {
  errors.allow(/status of 401/);
  await page.goto(`/title/purchase?titleid=${title}`);
  await checkoutPage.shop.waitForState('purchase', 'ready');
  await page.evaluate(() => localStorage.setItem('id_token', 'a-token-that-has-ended'));
  await checkoutPage.shop.control('pay.pressed').click();
  await checkoutPage.shop.waitForState('signIn', 'asking');
  await expect(checkoutPage.shop.flow('signIn')).toContainText('Your session has ended');
  await checkoutPage.shop.signIn(customer.email, password);
  await checkoutPage.waitForGateway();
  await checkoutPage.shop.payByCard();
  await expectBoughtOnce(customer, title, await checkoutPage.waitForReceipt());
});

test('a saved card pays the next title at once, and another may be chosen', async ({ page, checkoutPage, customer }) => {
  const { shop } = checkoutPage;
  await checkoutPage.openCardForm(title);
  await page.getByLabel('Save this card').check();
  await shop.payByCard(cards.good);
  await checkoutPage.waitForReceipt();

  await page.goto('/title/purchase?titleid=1003');
  await shop.waitForState('purchase', 'ready');
  const choice = page.getByRole('group', { name: 'Pay with' });
  await expect(choice.getByRole('radio', { name: /Visa ending in 4242/ })).toBeChecked();
  await choice.getByRole('radio', { name: 'Another card' }).check();
  await expect(shop.control('pay.pressed')).toHaveText('Continue to payment');
  await page.keyboard.press('ArrowUp');
  await expect(shop.control('pay.pressed')).toHaveText('Pay $11.50');
  await shop.control('pay.pressed').click();
  const transId = await checkoutPage.waitForReceipt();
  expect(await customer.fetchLibrary()).toEqual(['1003', title]);
  expect(await customer.countCharges()).toBe(2);
  expect(await customer.fetchReceipt(transId)).toMatchObject({ titleId: '1003' });
});
