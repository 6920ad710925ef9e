import { Customer } from '../../../../tools/browser/customer.ts';
import { findSeriousViolations } from '../../pages/axe.ts';
import { ShopPage } from '../../../../tools/browser/shop.ts';
import { expect, test } from '../../support/shop.ts';

test('the landing page continues a title at the saved position, and offers no finished title', async ({
  page,
  context,
  shop,
}) => {
  const customer = await Customer.signUp(shop);
  await customer.buy('1001');
  await customer.buy('1019');
  await customer.saveProgress('1019', 'audio', { itemId: '5', seconds: 100, totalProgression: 1 });
  await customer.signInBrowser(context);
  const view = new ShopPage(page);
  const shelf = page.getByRole('region', { name: 'Continue reading' });
  await page.goto('/');
  await view.waitForState('landing', 'shown');
  await expect(shelf).toHaveCount(0);

  await page.goto(`/viewer?instanceid=${await customer.fetchInstanceId('1001')}`);
  const positionBefore = await view.turnPages(3);
  await view.control('close.pressed').click();
  await view.waitForState('library', 'shown');
  await page.goto('/');
  await expect(shelf.getByRole('link')).toHaveCount(1);
  await expect(shelf.getByRole('link')).toContainText(/Third Log.*\d+% read/);
  await expect(page.getByRole('region').first()).toHaveAccessibleName('Continue reading');
  expect(await findSeriousViolations(page, '/')).toEqual([]);
  await shelf.getByRole('link').click();
  await expect.poll(() => view.readProgress()).toBeGreaterThan(positionBefore - 0.02);
  expect(await view.readProgress()).toBeLessThan(positionBefore + 0.02);
});
