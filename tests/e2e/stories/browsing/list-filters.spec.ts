import type { Locator, Page } from '@playwright/test';
import { seriousViolations } from '../../pages/axe.ts';
import { LongList } from '../../pages/long-list.ts';
import { expect, test } from '../../support/shop.ts';

const restingState = { shown: 'resting' };
const facetStatus = (page: Page): Locator => page.locator('[data-flow="facets"][role="status"]');
const filterRegion = (page: Page): Locator => page.getByRole('region', { name: 'Filters' });
const filterChoice = (page: Page, name: RegExp): Locator => filterRegion(page).getByRole('checkbox', { name });

test.describe('on a wide screen', () => {
  test.use({ viewport: { width: 1366, height: 900 } });

  test('filters are beside the list; the focus stays, and the new count is announced', async ({ page }) => {
    await page.goto('/all');
    const list = new LongList(page);
    await list.isIn(restingState);
    await expect(facetStatus(page)).toHaveText('24 titles');
    await expect(filterRegion(page)).toBeVisible();
    const french = filterChoice(page, /^French/);
    await french.focus();
    await page.keyboard.press('Space');
    await expect(page).toHaveURL('/all?language=fr');
    await expect(french).toBeChecked();
    await expect(french).toBeFocused();
    await expect(facetStatus(page)).toHaveText('1 title');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await expect(french).toBeFocused();

    const spanish = filterChoice(page, /^Spanish/);
    await spanish.press('Space');
    await expect(page).toHaveURL(/language=es%2Cfr/);
    await expect(facetStatus(page)).toHaveText('3 titles');
    await expect(spanish).toBeFocused();
    await expect(filterChoice(page, /^Films/)).toBeDisabled();

    await page.goBack();
    await expect(french).toBeChecked();
    await expect(spanish).not.toBeChecked();
    await expect(facetStatus(page)).toHaveText('1 title');
    await page.goForward();
    await expect(spanish).toBeChecked();
    expect(await seriousViolations(page, page.url())).toEqual([]);
  });

  test('prices are chosen with the arrow keys, and filters are removed singly or all at once', async ({ page }) => {
    await page.goto('/all/popular?kind=ebook&category=fiction');
    const list = new LongList(page);
    await list.isIn(restingState);
    await expect(page.getByRole('heading', { level: 1, name: 'Popular titles' })).toBeVisible();
    await filterRegion(page).getByRole('radio', { name: 'Any price' }).focus();
    await page.keyboard.press('ArrowDown');
    const cheap = filterRegion(page).getByRole('radio', { name: /^Up to \$4\.99/ });
    await expect(cheap).toBeFocused();
    await expect(cheap).toBeChecked();
    await expect(page).toHaveURL('/all/popular?kind=ebook&category=fiction&priceto=4.99');
    const active = page.getByRole('navigation', { name: 'Active filters' });
    await active.getByRole('link', { name: 'Remove eBooks' }).press('Enter');
    await expect(page).toHaveURL('/all/popular?category=fiction&priceto=4.99');
    await expect(active.getByRole('link', { name: 'Remove Fiction' })).toBeFocused();
    await active.getByRole('link', { name: 'Clear all' }).press('Enter');
    await expect(page).toHaveURL('/all/popular');
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(facetStatus(page)).toHaveText('24 titles');
  });

  test('filters without results say so and can be removed', async ({ page }) => {
    await page.goto('/all?language=fr&kind=video');
    await new LongList(page).isIn('empty');
    await expect(page.getByRole('heading', { name: 'No titles match these filters' })).toBeVisible();
    await expect(facetStatus(page)).toHaveText('0 titles');
    expect(await seriousViolations(page, page.url())).toEqual([]);
    await page.getByRole('link', { name: 'Clear filters' }).press('Enter');
    await expect(page).toHaveURL('/all');
    await new LongList(page).isIn(restingState);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('one button opens the filters and shows how many are set', async ({ page }) => {
    await page.goto('/all?language=fr,es');
    await new LongList(page).isIn(restingState);
    await expect(filterRegion(page)).toBeHidden();
    const button = page.getByRole('button', { name: 'Filters (2)' });
    await button.press('Enter');
    await expect(filterRegion(page)).toBeVisible();
    const ebooks = filterChoice(page, /^eBooks/);
    await ebooks.press('Space');
    await expect(ebooks).toBeFocused();
    await expect(ebooks).toBeChecked();
    await expect(facetStatus(page)).toHaveText('2 titles');
    expect(await seriousViolations(page, page.url())).toEqual([]);
    await filterRegion(page).getByRole('button', { name: 'Show 2 titles' }).press('Enter');
    await expect(filterRegion(page)).toBeHidden();
    await expect(page.getByRole('button', { name: 'Filters (3)' })).toBeFocused();
  });

  test('a press on a filter’s label keeps the others open', async ({ page }) => {
    await page.goto('/all');
    await new LongList(page).isIn(restingState);
    await page.getByRole('button', { name: 'Filters' }).click();
    for (const [name, address] of [
      ['Non-fiction', '/all?category=nonfiction'],
      ['Films', '/all?category=nonfiction&kind=video'],
    ] as const) {
      await filterRegion(page).getByText(name, { exact: true }).click();
      await expect(page).toHaveURL(address);
      await expect(filterRegion(page)).toBeVisible();
    }
  });
});

test('a series and an author link from a title to their lists', async ({ page }) => {
  await page.goto('/id:1012');
  await expect(page.getByRole('heading', { level: 1, name: 'What the Hedge Knows' })).toBeVisible();
  await page.locator('[data-in-view="related"]').scrollIntoViewIfNeeded();
  const author = page.getByRole('region', { name: 'More by Tamsin Ruddock' });
  await expect(author.getByRole('link', { name: /Four Walks Before Breakfast/ })).toBeVisible();
  const series = page.getByRole('region', { name: 'More in Two Herons Field Notes' });
  await expect(series.locator('[data-name]')).toHaveText(['The Wend', 'Under Passing Clouds']);
  expect(await seriousViolations(page, page.url())).toEqual([]);
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
  await new LongList(page).isIn(restingState);
  await expect(facetStatus(page)).toHaveText('2 titles');
});

test('New, Popular and Free have addresses of their own, which the top of the page links to', async ({ page }) => {
  await page.goto('/all');
  const strip = page.getByRole('navigation', { name: 'Filter', exact: true });
  for (const [link, path, heading] of [
    ['New titles', '/all/new', 'New titles'],
    ['Popular', '/all/popular', 'Popular titles'],
    ['Free', '/all/free', 'Free titles'],
  ] as const) {
    await strip.getByRole('link', { name: link, exact: true }).click();
    await expect(page).toHaveURL(path);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expect(page).toHaveTitle(`${heading} · Harbour Books`);
    await new LongList(page).isIn(restingState);
  }
});
