import type { Route } from '@playwright/test';
import { cards } from '../../../../tools/browser/customer.ts';
import { expect, expectBoughtOnce, test } from '../../pages/checkout-fixtures.ts';

const title = '1005';
const expectedErrors = /ERR_FAILED|status of 502/;

/** Makes the first call of an address fail as `lose` says, and lets all others pass. */
const loseFirst = (lose: (route: Route) => Promise<void>) => {
  let calls = 0;
  return (route: Route): Promise<void> => {
    calls += 1;
    return calls === 1 ? lose(route) : route.fallback();
  };
};

const loseRequest = (route: Route): Promise<void> => route.abort();
const loseResponse = async (route: Route): Promise<void> => {
  await route.fetch();
  await route.abort();
};

for (const [when, lose] of [
  ['on the way to the server', loseRequest],
  ['on the way back', loseResponse],
] as const) {
  test(`a confirmation lost ${when} is looked up, and the title bought once`, async ({
    page,
    checkoutPage,
    customer,
    errors,
  }) => {
    errors.allow(expectedErrors);
    await page.route('**/api/purchase/title/confirm*', loseFirst(lose));
    await checkoutPage.openCardForm(title);
    await checkoutPage.shop.payByCard();
    await checkoutPage.waitForPaymentState('unknown');
    await checkoutPage.shop.control('status.pressed').click();
    await expectBoughtOnce(customer, title, await checkoutPage.waitForReceipt());
  });
}

test('an unknown payment is looked up without a press, and after a reload too', async ({
  page,
  checkoutPage,
  customer,
  errors,
}) => {
  errors.allow(expectedErrors);
  await page.route('**/api/checkout/session/status*', (route) => route.abort());
  await checkoutPage.openCardForm(title);
  await checkoutPage.shop.payByCard();
  await checkoutPage.waitForPaymentState('unknown');
  await page.reload();
  await checkoutPage.waitForPaymentState('unknown');
  await page.unroute('**/api/checkout/session/status*');
  await expectBoughtOnce(customer, title, await checkoutPage.waitForReceipt());
});

test('a capture that the gateway makes but does not answer is found again', async ({ checkoutPage, customer, errors }) => {
  errors.allow(expectedErrors);
  await checkoutPage.openCardForm(title);
  await checkoutPage.shop.payByCard(cards.answerLost);
  await expectBoughtOnce(customer, title, await checkoutPage.waitForReceipt());
});

for (const [when, lose] of [
  ['does not reach the shop', loseRequest],
  ['is not answered', loseResponse],
] as const) {
  test(`a payment whose start ${when} has charged nothing, and starts once`, async ({ page, checkoutPage, customer, errors }) => {
    errors.allow(expectedErrors);
    await page.route('**/api/payment/session*', loseFirst(lose));
    await page.goto(`/title/purchase?titleid=${title}`);
    await checkoutPage.shop.control('pay.pressed').click();
    await checkoutPage.waitForPaymentState('unreachable');
    await expect(checkoutPage.shop.flow('payment')).toContainText('You haven’t been charged.');
    await checkoutPage.shop.control('retry.pressed').click();
    await checkoutPage.waitForGateway();
    await checkoutPage.shop.payByCard();
    await expectBoughtOnce(customer, title, await checkoutPage.waitForReceipt());
  });
}

test('a title owned already, or since the summary, is opened and not paid for', async ({
  page,
  checkoutPage,
  customer,
  errors,
}) => {
  errors.allow(/status of 409/);
  await page.goto(`/title/purchase?titleid=${title}`);
  await checkoutPage.shop.waitForState('purchase', 'ready');
  const transId = await customer.buy(title);
  await checkoutPage.shop.control('pay.pressed').click();
  await checkoutPage.shop.waitForState('purchase', 'owned');
  await page.reload();
  await checkoutPage.shop.waitForState('purchase', 'owned');
  await expectBoughtOnce(customer, title, transId);
  await checkoutPage.shop.control('read.pressed').click();
  await expect(checkoutPage.shop.flow('book')).toBeVisible();
});

test('a free title needs no card, and is granted even if the answer is lost', async ({
  page,
  checkoutPage,
  customer,
  errors,
}) => {
  errors.allow(expectedErrors);
  await page.route('**/api/purchase/free*', loseFirst(loseResponse));
  await page.goto('/title/purchase?titleid=1011');
  await checkoutPage.shop.control('pay.pressed').click();
  await checkoutPage.waitForPaymentState('unreachable');
  await checkoutPage.shop.control('retry.pressed').click();
  await checkoutPage.waitForReceipt();
  expect(await customer.fetchLibrary()).toEqual(['1011']);
  expect(await customer.countCharges()).toBe(0);
});

test('a title that is not for sale, or missing, cannot be bought', async ({ page, checkoutPage, customer, errors }) => {
  errors.allow(/status of 404/);
  await page.goto('/id:1012');
  await expect(checkoutPage.shop.control('sample.pressed')).toBeVisible();
  await expect(checkoutPage.shop.control('buy.pressed')).toBeHidden();
  await page.goto('/title/purchase?titleid=1012');
  await checkoutPage.shop.waitForState('purchase', 'notForSale');
  await page.goto('/title/purchase?titleid=9999');
  await checkoutPage.shop.waitForState('purchase', 'notFound');
  expect(await customer.fetchLibrary()).toEqual([]);
});
