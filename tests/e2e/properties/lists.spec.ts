import { expect, test } from '../support/store.ts';

test('AllTitlesSortOptions sets the sort orders of lists [S3.property/AllTitlesSortOptions]', async ({ page, setProperties }) => {
  const sortSelect = page.getByRole('main').getByLabel('Sort by');
  await setProperties({ AllTitlesSortOptions: '["author", {"text": "Z to A", "value": "title-desc"}]' });
  await page.goto('/all?sort=author');
  await expect(sortSelect.getByRole('option')).toHaveText(['Author', 'Z to A']);
  await setProperties({ AllTitlesSortOptions: null });
  await page.goto('/all');
  await expect(page.getByRole('main').getByRole('link').first()).toBeVisible();
  await expect(sortSelect).toHaveCount(0);
});

test('HideFilters removes filters and sort orders from lists [S3.property/HideFilters]', async ({ page, setProperties }) => {
  const sortSelect = page.getByRole('main').getByLabel('Sort by');
  const filterBar = page.getByRole('navigation', { name: 'Filter' });
  await page.goto('/all');
  await expect(sortSelect).toBeVisible();
  await expect(filterBar).toBeVisible();
  await setProperties({ HideFilters: true });
  await page.goto('/all');
  await expect(page.getByRole('main').getByRole('heading', { level: 1, name: 'Titles' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: /Night Ferry/ })).toBeVisible();
  await expect(sortSelect).toHaveCount(0);
  await expect(filterBar).toHaveCount(0);
});
