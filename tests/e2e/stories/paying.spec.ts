import { cards, password } from '../pages/customer.ts';
import { Till } from '../pages/till.ts';
import { expect, hasBoughtOnce, test } from '../pages/paying.ts';

const title = '1005';

test('a declined card is told at once; another card pays', async ({ till, customer }) => {
  await till.goPay(title);
  await till.shop.payByCard(cards.declined);
  await expect(till.refusal).toBeVisible();
  expect(await customer.charges()).toBe(0);
  await till.shop.payByCard(cards.good);
  await hasBoughtOnce(customer, title, await till.isPaid());
});

test('a card declined until the gateway gives up ends the attempt, not the purchase', async ({ page, till, customer }) => {
  await till.goPay(title);
  const flow = till.shop.flow('checkout');
  while (new URL(page.url()).pathname.startsWith('/pay/')) {
    const answered = page.waitForEvent('load');
    await till.shop.payByCard(cards.declined);
    await answered;
  }
  await till.shop.isIn('checkout', 'failed');
  await expect(flow).toContainText('Your bank declined the card. Nothing was charged.');
  expect(await customer.library()).toEqual([]);

  await till.shop.press('retry.pressed').click();
  await till.shop.isIn('checkout', 'ready');
  await till.shop.press('pay.pressed').click();
  await till.isAtGateway();
  await till.shop.payByCard();
  await hasBoughtOnce(customer, title, await till.isPaid());
  await page.reload();
  expect(await till.isPaid()).not.toBe('');
});

test('a bank that asks is refused, then approved', async ({ till, customer }) => {
  await till.goPay(title);
  await till.shop.payByCard(cards.challenged);
  await till.answerBank('Do not approve');
  await expect(till.refusal).toContainText('did not approve');
  expect(await customer.charges()).toBe(0);
  await till.shop.payByCard(cards.challenged);
  await till.answerBank('Approve');
  await hasBoughtOnce(customer, title, await till.isPaid());
});

test('a payment cancelled at the gateway costs nothing and can be started again', async ({ till, customer }) => {
  await till.goPay(title);
  await till.cancelAtGateway();
  await till.shop.isIn('checkout', 'cancelled');
  expect(await customer.charges()).toBe(0);
  await till.shop.press('retry.pressed').click();
  await till.shop.isIn('checkout', 'ready');
  await till.shop.press('pay.pressed').click();
  await till.isAtGateway();
  await till.shop.payByCard();
  await hasBoughtOnce(customer, title, await till.isPaid());
});

test('Back from the gateway neither traps nor charges: the payment goes on, or is cancelled', async ({
  page,
  till,
  customer,
}) => {
  await till.goPay(title);
  await page.goBack();
  await till.isPaying('actionRequired');
  expect(await customer.charges()).toBe(0);
  await till.shop.press('continue.pressed').click();
  await till.isAtGateway();
  await page.goBack();
  await till.isPaying('actionRequired');
  await till.shop.press('cancel.pressed').click();
  await till.shop.isIn('checkout', 'cancelled');
  await page.goBack();
  await expect(page).not.toHaveURL(/title\/purchase/);
  expect(await customer.library()).toEqual([]);
});

test('a reload at each point of a purchase changes nothing', async ({ page, till, customer }) => {
  await page.goto(`/title/purchase?titleid=${title}`);
  await till.shop.isIn('checkout', 'ready');
  await page.reload();
  await till.shop.isIn('checkout', 'ready');
  await till.shop.press('pay.pressed').click();
  await till.isAtGateway();
  await page.reload();
  await till.isAtGateway();
  // The way back: the page that confirms is loaded anew in the middle of confirming.
  let confirmations = 0;
  await page.route('**/api/purchase/title/confirm*', async (route) => {
    confirmations += 1;
    if (confirmations === 1) await page.reload();
    return route.fallback();
  });
  await till.shop.payByCard();
  const transId = await till.isPaid();
  await page.reload();
  expect(await till.isPaid()).toBe(transId);
  expect(confirmations).toBeGreaterThan(1);
  await hasBoughtOnce(customer, title, transId);
});

test('a double press on Pay and a second tab begin one payment', async ({ page, context, till, customer }) => {
  const sessions: string[] = [];
  context.on('request', (request) => {
    if (request.url().includes('/payment/session')) sessions.push(request.headers()['idempotency-key'] ?? '');
  });
  await page.goto(`/title/purchase?titleid=${title}`);
  await till.shop.isIn('checkout', 'ready');
  await till.shop.press('pay.pressed').dblclick();
  await till.isAtGateway();
  expect(sessions).toHaveLength(1);

  const other = new Till(await context.newPage());
  await other.page.goto(`/title/purchase?titleid=${title}`);
  await other.isPaying('actionRequired');
  await till.shop.payByCard();
  await hasBoughtOnce(customer, title, await till.isPaid());
  await other.shop.press('status.pressed').click();
  await hasBoughtOnce(customer, title, await other.isPaid());
});

test('a session that ends at the gateway is signed in again, and the purchase goes on', async ({
  page,
  context,
  till,
  customer,
  errors,
}) => {
  errors.allow(/status of 401/);
  await till.goPay(title);
  await customer.uses(context, 'a-token-that-has-ended');
  await till.shop.payByCard();
  await till.shop.isIn('signIn', 'asking');
  expect(await customer.library()).toEqual([]);
  await till.shop.signIn(customer.email, password);
  await hasBoughtOnce(customer, title, await till.isPaid());
  await expect(page).toHaveURL(/\/title\/purchase\/success/);
});

test('a session that ends on the summary is signed in again, and Pay is pressed already', async ({
  page,
  till,
  customer,
  errors,
}) => {
  errors.allow(/status of 401/);
  await page.goto(`/title/purchase?titleid=${title}`);
  await till.shop.isIn('checkout', 'ready');
  await page.evaluate(() => localStorage.setItem('id_token', 'a-token-that-has-ended'));
  await till.shop.press('pay.pressed').click();
  await till.shop.isIn('signIn', 'asking');
  await expect(till.shop.flow('signIn')).toContainText('Your session has ended');
  await till.shop.signIn(customer.email, password);
  await till.isAtGateway();
  await till.shop.payByCard();
  await hasBoughtOnce(customer, title, await till.isPaid());
});
