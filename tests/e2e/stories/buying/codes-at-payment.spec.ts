import { Customer } from '../../../../tools/browser/customer.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

test('a visitor’s discount code is applied to the next purchase, also after sign-in', async ({ page, shop: server, errors }) => {
  errors.allow(/status of 40\d/);
  const shop = new ShopPage(page);
  const customer = await Customer.signUp(server);
  await page.goto('/redeem');
  await shop.flow('redeem').locator('[name="code"]').fill('demo 20 percent');
  await page.keyboard.press('Enter');
  await shop.waitForState('redeem', 'payable');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your code takes 20% off');
  await shop.control('continue.pressed').click();
  await shop.waitForState('catalogue', { shown: 'resting' });

  await page.goto('/title/purchase?titleid=1001');
  await shop.waitForState('purchase', 'ready');
  await expect(shop.flow('purchase')).toContainText('$7.99');
  await expect(shop.flow('purchase')).toContainText('With your code, instead of $9.99');
  await shop.control('pay.pressed').click();
  await shop.signIn(customer.email);
  await page.getByRole('button', { name: 'Pay $7.99' }).waitFor();
  await shop.payByCard();
  await expect(page).toHaveURL(/\/title\/purchase\/success/);
  await expect(page.getByRole('main')).toContainText('$7.99');
  expect(await customer.fetchLibrary()).toEqual(['1001']);

  // The code was valid for one purchase.
  await page.goto('/title/purchase?titleid=1002&code=DEMO-20-PERCENT');
  await shop.waitForState('purchase', 'ready');
  await expect(shop.flow('purchase')).toContainText('$10.99');
  await expect(shop.flow('purchase')).not.toContainText('With your code');
  await page.goto('/redeem/DEMO-20-PERCENT');
  await shop.waitForState('redeem', 'redeemed');
});

test('a trial code is applied to the subscription, for which a card is stored', async ({ page, shop: server, errors }) => {
  errors.allow(/status of 40\d/);
  const shop = new ShopPage(page);
  const customer = await Customer.signUp(server);
  await page.goto('/redeem/DEMO-TRIAL');
  await shop.waitForState('redeem', 'payable');
  await expect(shop.flow('redeem')).toContainText('The first 30 days are free.');
  await shop.control('continue.pressed').click();
  await shop.signIn(customer.email);
  await shop.waitForState('purchase', 'ready');
  await expect(page).toHaveURL(/code=DEMO-TRIAL/);
  await expect(page.getByRole('main')).toContainText('With your code, the first 30 days are free.');
  await shop.control('pay.pressed').click();
  await expect(page.getByText('Free for 30 days, then: $9.99 every month, until you cancel.')).toBeVisible();
  await shop.payByCard();
  await shop.waitForState('receipt', 'subscribed');
  await page.goto('/redeem/DEMO-TRIAL');
  await shop.waitForState('redeem', 'redeemed');
});

test('a code in the URL of the plans is applied to the chosen plan', async ({ page, shop: server, errors }) => {
  errors.allow(/status of 40\d/);
  const shop = new ShopPage(page);
  const customer = await Customer.signUp(server);
  await page.goto('/subscription?code=demo-trial');
  await shop.waitForState('subscription', 'offered');
  await page.getByRole('link', { name: 'Subscribe: Harbour Monthly' }).click();
  await shop.signIn(customer.email);
  await shop.waitForState('purchase', 'ready');
  await expect(page).toHaveURL(/planid=monthly&code=demo-trial$/);
  await expect(page.getByRole('main')).toContainText('With your code, the first 30 days are free.');
  // The code has no discount on another plan, and is dropped from the URL.
  await page.goto('/subscription/purchase?planid=yearly&code=demo-trial');
  await shop.waitForState('purchase', 'ready');
  await expect(page).toHaveURL(/planid=yearly$/);
  await expect(page.getByRole('main')).not.toContainText('With your code');
});
