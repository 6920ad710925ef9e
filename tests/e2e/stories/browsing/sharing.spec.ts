import { expect, test } from '../../support/shop.ts';

test('the link to a title can be copied, and is in the e-mail that shares it', async ({ page, shop, context }) => {
  await context.grantPermissions(['clipboard-write']);
  await page.goto('/id:1001');
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('Link copied.')).toBeVisible();
  const link = `${shop.url}/id:1001/The-Keeper%E2%80%99s-Third-Log`;
  // The shop's permissions policy lets no script read the clipboard, so the test pastes as a
  // customer does.
  const searchField = page.getByRole('combobox', { name: 'Search the shop' });
  await searchField.focus();
  await page.keyboard.press('ControlOrMeta+v');
  await expect(searchField).toHaveValue(link);
  await expect(page.getByRole('link', { name: 'Send by email' })).toHaveAttribute(
    'href',
    `mailto:?subject=${encodeURIComponent('The Keeper’s Third Log')}&body=${encodeURIComponent(link)}`,
  );
});
