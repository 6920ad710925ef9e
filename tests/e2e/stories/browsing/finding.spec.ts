import { getLookSelect, openWithFrame } from '../../../../tools/browser/frame.ts';
import { expect, test } from '../../support/shop.ts';

test('a misspelt search suggests the title with its kind and cover, and finds it', async ({ page }) => {
  await openWithFrame(page, '/');
  const field = page.getByRole('combobox', { name: 'Search the shop' });
  // The select is in the same chunk as the suggestions.
  await expect(getLookSelect(page, 'background')).toBeAttached();
  await field.fill('nigth sign');
  const option = page.getByRole('option', { name: /The Night Signalman/ });
  await expect(option).toContainText('Audiobook');
  await expect(option.locator('img')).toHaveJSProperty('complete', true);
  await field.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Results for “night sign”' })).toBeVisible();
  await expect(page.getByText('Nothing was found for “nigth sign”.')).toBeVisible();
  await expect(page.getByRole('link', { name: /The Night Signalman/ }).first()).toBeVisible();
});

test('a search without results offers ways to continue', async ({ page }) => {
  await page.goto('/audio?search=zzyzx');
  await expect(page.getByRole('heading', { level: 1, name: 'Results for “zzyzx”' })).toBeVisible();
  await page.getByRole('link', { name: 'Clear the search' }).click();
  await expect(page).toHaveURL(/\/audio$/);
  await expect(page.getByRole('link', { name: /The Night Signalman/ }).first()).toBeVisible();
});
