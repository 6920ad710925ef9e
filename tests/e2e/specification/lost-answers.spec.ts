import { expect, signedIn, test } from '../support/specification/test.ts';

/** Payments whose answers are lost, at a server that begins a transaction for each card. */

const signedInWithCard = async (...at: Parameters<typeof signedIn>) => {
  const customer = await signedIn(...at);
  customer.cards.push({ id: 'card-1', last4: '4242', isDefault: true });
  return customer;
};

test('after a lost answer of a card the page asks, and says of no payment that it was not charged', async ({
  page,
  server,
  shop,
  errors,
}) => {
  errors.allow(/net::ERR/);
  const customer = await signedInWithCard(page, server);
  await page.route('**/v1/purchase/title?*', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.goto('/title/purchase?titleid=4');
  await shop.isIn('purchase', 'ready');
  await shop.press('pay.pressed').click();
  const checkout = shop.flow('purchase');
  await expect(checkout).toContainText('We don’t know yet');
  await shop.press('status.pressed').click();
  await expect(checkout).toContainText('We don’t know yet');
  await expect(checkout).not.toContainText('haven’t been charged');
  // The same after the page has been left.
  await page.goto('/title/purchase?titleid=4');
  await expect(checkout).toContainText('We don’t know yet');
  expect(server.asked.filter(({ call }) => call === 'purchase/title')).toHaveLength(1);
  server.state.give(customer, ['4']);
  await shop.press('status.pressed').click();
  await expect(page).toHaveURL(/\/id:4|\/title\/purchase/);
  await expect(page.getByRole('main')).toContainText(/library/i);
});

test('after a lost answer of a card for a subscription the page asks whether it has begun', async ({
  page,
  server,
  shop,
  errors,
}) => {
  errors.allow(/net::ERR/);
  const customer = await signedInWithCard(page, server);
  const payments = () => server.asked.filter(({ call }) => call === 'subscription/purchase');
  await page.route('**/v1/subscription/purchase?*', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.goto('/subscription/purchase?planid=gold');
  await shop.isIn('purchase', 'ready');
  await shop.press('pay.pressed').click();
  // It has not begun: the page says what it costs again, and the card can be pressed again.
  await shop.isIn('purchase', 'ready');
  expect(payments()).toHaveLength(1);
  // This time it begins, and its answer is lost as well.
  await page.unroute('**/v1/subscription/purchase?*');
  await page.route('**/v1/subscription/purchase?*', async (route) => {
    customer.planId = 'gold';
    await route.abort('connectionreset');
  });
  await shop.press('pay.pressed').click();
  await shop.isIn('receipt', 'subscribed');
  expect(payments()).toHaveLength(1);
});
