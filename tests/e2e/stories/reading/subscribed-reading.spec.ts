import { Customer } from '../../../../tools/browser/customer.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

/** The id of “El reloj de la plaza”, which both plans of the demo store include. */
const includedTitleId = '1013';

test('a subscriber reads an included title without buying it, and finds it in the library', async ({
  page,
  context,
  shop: server,
}) => {
  const shop = new ShopPage(page);
  await page.goto(`/id:${includedTitleId}`);
  const subscriptionsLink = page.getByRole('main').getByRole('link', { name: 'See subscriptions' });
  await expect(subscriptionsLink).toBeVisible();
  await subscriptionsLink.click();
  await page.getByText('Includes 7 titles for as long as you subscribe.').click();
  await expect(page.getByRole('link', { name: 'El reloj de la plaza' })).toBeVisible();

  const customer = await Customer.signUp(server);
  await customer.signInBrowser(context);
  await page.goto('/redeem/DEMO-MONTH');
  await shop.control('redeem.pressed').click();
  await shop.waitForState('receipt', 'subscribed');

  await page.goto(`/id:${includedTitleId}`);
  await expect(page.getByText('It’s included in your subscription.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Buy for $4.99' })).toBeVisible();
  await expect(subscriptionsLink).toHaveCount(0);
  await shop.control('read.pressed').click();
  await shop.waitForState('viewer', 'reading');
  expect(await customer.countCharges()).toBe(0);

  await page.goto('/mylibrary');
  const card = page.getByRole('article').filter({ hasText: 'El reloj de la plaza' });
  await expect(card).toContainText('With your subscription');
  await card.getByRole('button').click();
  await shop.waitForState('viewer', 'reading');

  // The title can still be bought, to keep it without the subscription.
  await customer.buy(includedTitleId);
  await page.goto('/mylibrary');
  await expect(card).toHaveCount(1);
  await expect(card).not.toContainText('With your subscription');
});
