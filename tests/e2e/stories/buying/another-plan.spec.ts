import { findSeriousViolations } from '../../pages/axe.ts';
import { Customer } from '../../../../tools/browser/customer.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

test.use({ viewport: { width: 390, height: 844 }, locale: 'fr-FR' });

test('a subscriber chooses another plan for the next renewal, sees it scheduled, and keeps the current one after all', async ({
  page,
  context,
  shop: server,
}) => {
  const shop = new ShopPage(page);
  const customer = await Customer.signUp(server);
  await customer.subscribe('yearly');
  await customer.signInBrowser(context);
  await page.goto('/subscription');
  await shop.waitForState('subscription', 'subscribed');
  const otherPlans = page.getByRole('region', { name: 'Autres abonnements' });
  const [firstPlan] = await otherPlans.getByRole('button').all();
  if (!firstPlan) throw new Error('The page offers no other plan.');
  await firstPlan.click();
  await shop.waitForState('subscription', 'asking');
  const question = page.getByRole('group', { name: /Passer à cet abonnement/ });
  await expect(question).toBeFocused();
  await expect(question).toContainText('Vous ne payez rien d’ici là');
  expect(await findSeriousViolations(page, page.url())).toEqual([]);
  await shop.control('change.confirmed').click();

  await shop.waitForState('receipt', 'subscribed');
  await expect(page.getByRole('main')).toContainText('À partir du');
  await page.goto('/account');
  await expect(shop.flow('ownSubscription')).toContainText('À partir du');
  await shop.flow('ownSubscription').getByRole('link', { name: 'Changer d’abonnement' }).click();
  await shop.waitForState('subscription', 'subscribed');
  expect(await findSeriousViolations(page, page.url())).toEqual([]);
  await page.getByRole('button', { name: /^Garder votre abonnement/ }).click();
  await expect(page.getByRole('group', { name: /Garder votre abonnement/ })).toContainText('L’autre ne commencera pas.');
  await shop.control('change.confirmed').click();
  await shop.waitForState('receipt', 'subscribed');
  await expect(page.getByRole('main')).not.toContainText('À partir du');
  expect(await customer.countCharges()).toBe(1);
});
