import { Customer } from '../../../../tools/browser/customer.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

test('a visitor chooses a plan, signs in, stores a card, and is subscribed; then cancels, keeps the paid period, and reactivates', async ({
  page,
  shop: server,
  errors,
}) => {
  // 409: a subscriber cannot subscribe a second time.
  errors.allow(/status of 409/);
  const shop = new ShopPage(page);
  const customer = await Customer.signUp(server);
  await page.goto('/subscription');
  await shop.waitForState('subscription', 'offered');
  const plan = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'Harbour Monthly' }) });
  await expect(plan).toContainText('$9.99 a month');
  await expect(plan).toContainText('The first 14 days are free.');
  await plan.getByRole('link', { name: 'Subscribe: Harbour Monthly' }).click();
  await shop.signIn(customer.email);
  await shop.waitForState('purchase', 'ready');
  await expect(page.getByRole('heading', { name: 'Harbour Monthly' })).toBeVisible();
  await shop.control('pay.pressed').click();

  await expect(page.getByText('Free for 14 days, then: $9.99 every month, until you cancel.')).toBeVisible();
  await shop.payByCard();

  await shop.waitForState('receipt', 'subscribed');
  await expect(page).toHaveURL(/\/subscription\/purchase\/success$/);
  await expect(page.getByRole('main')).toContainText('Harbour Monthly');
  await page.getByRole('link', { name: 'Manage your subscription' }).click();

  const ownSubscription = shop.flow('ownSubscription');
  await expect(ownSubscription).toContainText('Renews on');
  await shop.control('cancel.pressed').click();
  await shop.control('cancellation.confirmed').click();
  await expect(ownSubscription.getByRole('status')).toHaveText('Your subscription has been cancelled.');
  await expect(ownSubscription).toContainText('and won’t be charged again.');
  await page.reload();
  await expect(ownSubscription).toContainText('Cancelled. You have access until');
  await page.goto('/subscription');
  await page.getByRole('link', { name: 'Keep it in your account' }).click();
  await shop.control('resume.pressed').press('Enter');
  await expect(ownSubscription.getByRole('status')).toHaveText('Your subscription continues.');
  await expect(ownSubscription.getByRole('status')).toBeFocused();
  await page.reload();
  await expect(ownSubscription).toContainText('Renews on');

  await page.goto('/subscription');
  await shop.waitForState('subscription', 'subscribed');
  await page.goto('/subscription/purchase?planid=yearly');
  await shop.control('pay.pressed').click();
  await shop.waitForState('purchase', 'owned');
  expect(await customer.countCharges()).toBe(1);
});

test('a customer who cancels at the payment page is not subscribed, and may retry', async ({
  page,
  context,
  shop: server,
  errors,
}) => {
  errors.allow(/status of 40\d/);
  const shop = new ShopPage(page);
  const customer = await Customer.signUp(server);
  await customer.signInBrowser(context);
  await page.goto('/subscription/purchase?planid=yearly');
  await shop.control('pay.pressed').click();
  await page.getByRole('button', { name: 'Cancel and go back' }).click();
  await shop.waitForState('purchase', 'ready');
  expect(await (await customer.request('user/subscription')).json()).toEqual({ subscription: null });
  await page.goto('/subscription/purchase?planid=no-such-plan');
  await shop.waitForState('purchase', 'notFound');
});
