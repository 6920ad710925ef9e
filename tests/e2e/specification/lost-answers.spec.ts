import { expect, signInNewCustomer, test } from '../support/specification/test.ts';

/** Payments whose answers are lost, at a server that starts a transaction for each card. */

const signInWithCard = async (...at: Parameters<typeof signInNewCustomer>) => {
  const customer = await signInNewCustomer(...at);
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
  // The same after leaving the page.
  await page.goto('/title/purchase?titleid=4');
  await expect(checkout).toContainText('We don’t know yet');
  expect(server.asked.filter(({ call }) => call === 'purchase/title')).toHaveLength(1);
  server.state.give(customer, ['4']);
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
  const payments = () => server.asked.filter(({ call }) => call === 'subscription/purchase');
  await page.route('**/v1/subscription/purchase?*', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.goto('/subscription/purchase?planid=gold');
  await shop.waitForState('purchase', 'ready');
  await shop.control('pay.pressed').click();
  // It has not started: the page shows the price again, and the card can be pressed again.
  await shop.waitForState('purchase', 'ready');
  expect(payments()).toHaveLength(1);
  // This time it starts, and its answer is lost as well.
  await page.unroute('**/v1/subscription/purchase?*');
  await page.route('**/v1/subscription/purchase?*', async (route) => {
    customer.planId = 'gold';
    await route.abort('connectionreset');
  });
  await shop.control('pay.pressed').click();
  await shop.waitForState('receipt', 'subscribed');
  expect(payments()).toHaveLength(1);
});
