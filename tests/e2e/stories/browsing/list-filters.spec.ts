import type { Locator, Page } from '@playwright/test';
import { findSeriousViolations } from '../../pages/axe.ts';
import { LongList } from '../../pages/long-list.ts';
import { expect, test } from '../../support/shop.ts';

const restingState = { shown: 'resting' };
const getFacetStatus = (page: Page): Locator => page.locator('[data-flow="facets"][role="status"]');
const getFilterRegion = (page: Page): Locator => page.getByRole('region', { name: 'Filters' });
const getFilterCheckbox = (page: Page, name: RegExp): Locator => getFilterRegion(page).getByRole('checkbox', { name });

test.describe('on a wide screen', () => {
  test.use({ viewport: { width: 1366, height: 900 } });

  test('a filter beside the list keeps the focus, and the new count is announced', async ({ page }) => {
    await page.goto('/all');
    const list = new LongList(page);
    await list.waitForState(restingState);
    await expect(getFacetStatus(page)).toHaveText('24 titles');
    await expect(getFilterRegion(page)).toBeVisible();
    const frenchCheckbox = getFilterCheckbox(page, /^French/);
    await frenchCheckbox.focus();
    await page.keyboard.press('Space');
    await expect(page).toHaveURL('/all?language=fr');
    await expect(frenchCheckbox).toBeChecked();
    await expect(frenchCheckbox).toBeFocused();
    await expect(getFacetStatus(page)).toHaveText('1 title');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await expect(frenchCheckbox).toBeFocused();

    const spanishCheckbox = getFilterCheckbox(page, /^Spanish/);
    await spanishCheckbox.press('Space');
    await expect(page).toHaveURL(/language=es%2Cfr/);
    await expect(getFacetStatus(page)).toHaveText('3 titles');
    await expect(spanishCheckbox).toBeFocused();
    await expect(getFilterCheckbox(page, /^Films/)).toBeDisabled();

    await page.goBack();
    await expect(frenchCheckbox).toBeChecked();
    await expect(spanishCheckbox).not.toBeChecked();
    await expect(getFacetStatus(page)).toHaveText('1 title');
    await page.goForward();
    await expect(spanishCheckbox).toBeChecked();
    expect(await findSeriousViolations(page, page.url())).toEqual([]);
  });

  test('a price range is chosen with the arrow keys, and filters are removed singly or all at once', async ({ page }) => {
    await page.goto('/all/popular?kind=ebook&category=fiction');
    const list = new LongList(page);
    await list.waitForState(restingState);
    await expect(page.getByRole('heading', { level: 1, name: 'Popular titles' })).toBeVisible();
    await getFilterRegion(page).getByRole('radio', { name: 'Any price' }).focus();
    await page.keyboard.press('ArrowDown');
    const lowestRange = getFilterRegion(page).getByRole('radio', { name: /^Up to \$4\.99/ });
    await expect(lowestRange).toBeFocused();
    await expect(lowestRange).toBeChecked();
    await expect(page).toHaveURL('/all/popular?kind=ebook&category=fiction&priceto=4.99');
    const activeFilters = page.getByRole('navigation', { name: 'Active filters' });
    await activeFilters.getByRole('link', { name: 'Remove eBooks' }).press('Enter');
    await expect(page).toHaveURL('/all/popular?category=fiction&priceto=4.99');
    await expect(activeFilters.getByRole('link', { name: 'Remove Fiction' })).toBeFocused();
    await activeFilters.getByRole('link', { name: 'Clear all' }).press('Enter');
    await expect(page).toHaveURL('/all/popular');
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(getFacetStatus(page)).toHaveText('24 titles');
  });

  test('filters without results are reported and can be cleared', async ({ page }) => {
    await page.goto('/all?language=fr&kind=video');
    await new LongList(page).waitForState('empty');
    await expect(page.getByRole('heading', { name: 'No titles match these filters' })).toBeVisible();
    await expect(getFacetStatus(page)).toHaveText('0 titles');
    expect(await findSeriousViolations(page, page.url())).toEqual([]);
    await page.getByRole('link', { name: 'Clear filters' }).press('Enter');
    await expect(page).toHaveURL('/all');
    await new LongList(page).waitForState(restingState);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('on a phone one button opens the filters and shows how many are set', async ({ page }) => {
    await page.goto('/all?language=fr,es');
    await new LongList(page).waitForState(restingState);
    await expect(getFilterRegion(page)).toBeHidden();
    const button = page.getByRole('button', { name: 'Filters (2)' });
    await button.press('Enter');
    await expect(getFilterRegion(page)).toBeVisible();
    const ebooksCheckbox = getFilterCheckbox(page, /^eBooks/);
    await ebooksCheckbox.press('Space');
    await expect(ebooksCheckbox).toBeFocused();
    await expect(ebooksCheckbox).toBeChecked();
    await expect(getFacetStatus(page)).toHaveText('2 titles');
    expect(await findSeriousViolations(page, page.url())).toEqual([]);
    await getFilterRegion(page).getByRole('button', { name: 'Show 2 titles' }).press('Enter');
    await expect(getFilterRegion(page)).toBeHidden();
    await expect(page.getByRole('button', { name: 'Filters (3)' })).toBeFocused();
  });

  test('on a phone a press on a filter’s label keeps the filters open', async ({ page }) => {
    await page.goto('/all');
    await new LongList(page).waitForState(restingState);
    await page.getByRole('button', { name: 'Filters' }).click();
    for (const [name, address] of [
      ['Non-fiction', '/all?category=nonfiction'],
      ['Films', '/all?category=nonfiction&kind=video'],
    ] as const) {
      await getFilterRegion(page).getByText(name, { exact: true }).click();
      await expect(page).toHaveURL(address);
      await expect(getFilterRegion(page)).toBeVisible();
    }
  });
});

test('a series and an author link from a title to their lists', async ({ page }) => {
  await page.goto('/id:1012');
  await expect(page.getByRole('heading', { level: 1, name: 'What the Hedge Knows' })).toBeVisible();
  await page.locator('[data-in-view="related"]').scrollIntoViewIfNeeded();
  const authorRegion = page.getByRole('region', { name: 'More by Tamsin Ruddock' });
  await expect(authorRegion.getByRole('link', { name: /Four Walks Before Breakfast/ })).toBeVisible();
  const seriesRegion = page.getByRole('region', { name: 'More in Two Herons Field Notes' });
  await expect(seriesRegion.locator('[data-name]')).toHaveText(['The Wend', 'Under Passing Clouds']);
  expect(await findSeriousViolations(page, page.url())).toEqual([]);
  await page.getByRole('link', { name: 'Book 2 of Two Herons Field Notes' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Two Herons Field Notes' })).toBeVisible();
  await expect(page.locator('[data-flow="catalogue"] [data-name]')).toHaveText([
    'The Wend',
    'What the Hedge Knows',
    'Under Passing Clouds',
  ]);
  await page.goBack();
  await page.getByRole('link', { name: 'Tamsin Ruddock', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Titles by Tamsin Ruddock' })).toBeVisible();
  await new LongList(page).waitForState(restingState);
  await expect(getFacetStatus(page)).toHaveText('2 titles');
});

test('the lists New, Popular and Free have their own URLs, to which the top of the page links', async ({ page }) => {
  await page.goto('/all');
  const filterNavigation = page.getByRole('navigation', { name: 'Filter', exact: true });
  for (const [link, path, heading] of [
    ['New titles', '/all/new', 'New titles'],
    ['Popular', '/all/popular', 'Popular titles'],
    ['Free', '/all/free', 'Free titles'],
  ] as const) {
    await filterNavigation.getByRole('link', { name: link, exact: true }).click();
    await expect(page).toHaveURL(path);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expect(page).toHaveTitle(`${heading} · Harbour Books`);
    await new LongList(page).waitForState(restingState);
  }
});
