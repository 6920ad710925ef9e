import type { Route } from '@playwright/test';
import { cards } from '../../../../tools/browser/customer.ts';
import { expect, expectBoughtOnce, test } from '../../pages/checkout-fixtures.ts';

const TITLE_ID = '1005';
const expectedErrors = /ERR_FAILED|status of 502/;

/** Creates a route handler that calls `handle` for the first request, and lets all others pass. */
const handleFirst = (handle: (route: Route) => Promise<void>) => {
  let requestCount = 0;
  return (route: Route): Promise<void> => {
    requestCount += 1;
    return requestCount === 1 ? handle(route) : route.fallback();
  };
};

const loseRequest = (route: Route): Promise<void> => route.abort();
const loseResponse = async (route: Route): Promise<void> => {
  await route.fetch();
  await route.abort();
};

for (const [lossPoint, lose] of [
  ['on the way to the server', loseRequest],
  ['on the way back', loseResponse],
] as const) {
  test(`a confirmation lost ${lossPoint} is looked up, and the title is bought once`, async ({
    page,
    checkoutPage,
    customer,
    errors,
  }) => {
    errors.allow(expectedErrors);
    await page.route('**/api/purchase/title/confirm*', handleFirst(lose));
    await checkoutPage.openCardForm(TITLE_ID);
    await checkoutPage.shop.payByCard();
    await checkoutPage.waitForPaymentState('unknown');
    await checkoutPage.shop.control('status.pressed').click();
    await expectBoughtOnce(customer, TITLE_ID, await checkoutPage.waitForReceipt());
  });
}

test('a payment with an unknown outcome is looked up without a press, also after a reload', async ({
  page,
  checkoutPage,
  customer,
  errors,
}) => {
  errors.allow(expectedErrors);
  await page.route('**/api/checkout/session/status*', (route) => route.abort());
  await checkoutPage.openCardForm(TITLE_ID);
  await checkoutPage.shop.payByCard();
  await checkoutPage.waitForPaymentState('unknown');
  await page.reload();
  await checkoutPage.waitForPaymentState('unknown');
  await page.unroute('**/api/checkout/session/status*');
  await expectBoughtOnce(customer, TITLE_ID, await checkoutPage.waitForReceipt());
});

test('a capture of which the gateway’s response is lost is found again', async ({ checkoutPage, customer, errors }) => {
  errors.allow(expectedErrors);
  await checkoutPage.openCardForm(TITLE_ID);
  await checkoutPage.shop.payByCard(cards.answerLost);
  await expectBoughtOnce(customer, TITLE_ID, await checkoutPage.waitForReceipt());
});

for (const [failure, lose] of [
  ['does not reach the shop', loseRequest],
  ['is not answered', loseResponse],
] as const) {
  test(`a payment whose start ${failure} has charged nothing, and starts once`, async ({
    page,
    checkoutPage,
    customer,
    errors,
  }) => {
    errors.allow(expectedErrors);
    await page.route('**/api/payment/session*', handleFirst(lose));
    await page.goto(`/title/purchase?titleid=${TITLE_ID}`);
    await checkoutPage.shop.control('pay.pressed').click();
    await checkoutPage.waitForPaymentState('unreachable');
    await expect(checkoutPage.shop.flow('payment')).toContainText('You haven’t been charged.');
    await checkoutPage.shop.control('retry.pressed').click();
    await checkoutPage.waitForGateway();
    await checkoutPage.shop.payByCard();
    await expectBoughtOnce(customer, TITLE_ID, await checkoutPage.waitForReceipt());
  });
}

test('a title that is owned, also since the summary was shown, is opened and not charged', async ({
  page,
  checkoutPage,
  customer,
  errors,
}) => {
  errors.allow(/status of 409/);
  await page.goto(`/title/purchase?titleid=${TITLE_ID}`);
  await checkoutPage.shop.waitForState('purchase', 'ready');
  const transId = await customer.buy(TITLE_ID);
  await checkoutPage.shop.control('pay.pressed').click();
  await checkoutPage.shop.waitForState('purchase', 'owned');
  await page.reload();
  await checkoutPage.shop.waitForState('purchase', 'owned');
  await expectBoughtOnce(customer, TITLE_ID, transId);
  await checkoutPage.shop.control('read.pressed').click();
  await expect(checkoutPage.shop.flow('book')).toBeVisible();
});

test('a free title needs no card, and is granted even if the response is lost', async ({
  page,
  checkoutPage,
  customer,
  errors,
}) => {
  errors.allow(expectedErrors);
  await page.route('**/api/purchase/free*', handleFirst(loseResponse));
  await page.goto('/title/purchase?titleid=1011');
  await checkoutPage.shop.control('pay.pressed').click();
  await checkoutPage.waitForPaymentState('unreachable');
  await checkoutPage.shop.control('retry.pressed').click();
  await checkoutPage.waitForReceipt();
  expect(await customer.fetchLibrary()).toEqual(['1011']);
  expect(await customer.countCharges()).toBe(0);
});

test('a title that is not for sale, or does not exist, cannot be bought', async ({ page, checkoutPage, customer, errors }) => {
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
