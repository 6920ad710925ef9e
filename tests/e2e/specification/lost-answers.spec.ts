import { expect, signInNewCustomer, test } from '../support/specification/test.ts';

/**
 * Payments whose responses are lost, on a server that starts a transaction for each card payment.
 */

const signInWithCard = async (...args: Parameters<typeof signInNewCustomer>) => {
  const customer = await signInNewCustomer(...args);
  customer.cards.push({ id: 'card-1', last4: '4242', isDefault: true });
  return customer;
};

test('after a lost answer to a card payment the page asks the server, and never claims that it was not charged', async ({
  page,
  server,
  shop,
  errors,
}) => {
  errors.allow(/net::ERR/);
  const customer = await signInWithCard(page, server);
  await page.route('**/v1/purchase/title?*', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.goto('/title/purchase?titleid=4');
  await shop.waitForState('purchase', 'ready');
  await shop.control('pay.pressed').click();
  const checkout = shop.flow('purchase');
  await expect(checkout).toContainText('We don’t know yet');
  await shop.control('status.pressed').click();
  await expect(checkout).toContainText('We don’t know yet');
  await expect(checkout).not.toContainText('haven’t been charged');
  // The page shows the same after the customer has left it.
  await page.goto('/title/purchase?titleid=4');
  await expect(checkout).toContainText('We don’t know yet');
  expect(server.receivedCalls.filter(({ call }) => call === 'purchase/title')).toHaveLength(1);
  server.state.grantWorks(customer, ['4']);
  await shop.control('status.pressed').click();
  await expect(page).toHaveURL(/\/id:4|\/title\/purchase/);
  await expect(page.getByRole('main')).toContainText(/library/i);
});

test('after a lost answer to a card payment for a subscription the page asks whether it has started', async ({
  page,
  server,
  shop,
  errors,
}) => {
  errors.allow(/net::ERR/);
  const customer = await signInWithCard(page, server);
  const getPayments = () => server.receivedCalls.filter(({ call }) => call === 'subscription/purchase');
  await page.route('**/v1/subscription/purchase?*', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.goto('/subscription/purchase?planid=gold');
  await shop.waitForState('purchase', 'ready');
  await shop.control('pay.pressed').click();
  // The subscription has not started: the page shows the price and can be used to pay again.
  await shop.waitForState('purchase', 'ready');
  expect(getPayments()).toHaveLength(1);
  // This time the subscription starts, and the response is lost as well.
  await page.unroute('**/v1/subscription/purchase?*');
  await page.route('**/v1/subscription/purchase?*', async (route) => {
    customer.planId = 'gold';
    await route.abort('connectionreset');
  });
  await shop.control('pay.pressed').click();
  await shop.waitForState('receipt', 'subscribed');
  expect(getPayments()).toHaveLength(1);
});
