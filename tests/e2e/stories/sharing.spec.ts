import { expect, test } from '../support/shop.ts';

test('the link of a title is copied, and goes into a letter', async ({ page, shop, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/id:1001');
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('Link copied.')).toBeVisible();
  const link = `${shop.url}/id:1001/The-Keeper%E2%80%99s-Third-Log`;
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await expect(page.getByRole('link', { name: 'Send by email' })).toHaveAttribute(
    'href',
    `mailto:?subject=${encodeURIComponent('The Keeper’s Third Log')}&body=${encodeURIComponent(link)}`,
  );
});
