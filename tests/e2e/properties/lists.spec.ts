import { expect, test } from '../support/store.ts';

test('AllTitlesSortOptions: the sort orders of lists [S3.property/AllTitlesSortOptions]', async ({ page, setProperties }) => {
  const choice = page.getByRole('main').getByLabel('Sort by');
  await setProperties({ AllTitlesSortOptions: '["author", {"text": "Z to A", "value": "title-desc"}]' });
  await page.goto('/all?sort=author');
  await expect(choice.getByRole('option')).toHaveText(['Author', 'Z to A']);
  await setProperties({ AllTitlesSortOptions: null });
  await page.goto('/all');
  await expect(page.getByRole('main').getByRole('link').first()).toBeVisible();
  await expect(choice).toHaveCount(0);
});

test('HideFilters: lists without filters [S3.property/HideFilters]', async ({ page, setProperties }) => {
  const choice = page.getByRole('main').getByLabel('Sort by');
  const strip = page.getByRole('navigation', { name: 'Filter' });
  await page.goto('/all');
  await expect(choice).toBeVisible();
  await expect(strip).toBeVisible();
  await setProperties({ HideFilters: true });
  await page.goto('/all');
  await expect(page.getByRole('main').getByRole('heading', { level: 1, name: 'Titles' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: /Night Ferry/ })).toBeVisible();
  await expect(choice).toHaveCount(0);
  await expect(strip).toHaveCount(0);
});
