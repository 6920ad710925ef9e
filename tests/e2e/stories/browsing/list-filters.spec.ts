import type { Locator, Page } from '@playwright/test';
import { seriousViolations } from '../../pages/axe.ts';
import { LongList } from '../../pages/long-list.ts';
import { expect, test } from '../../support/shop.ts';

const resting = { shown: 'resting' };
const said = (page: Page): Locator => page.locator('[data-flow="facets"][role="status"]');
const filters = (page: Page): Locator => page.getByRole('region', { name: 'Filters' });
const choice = (page: Page, name: RegExp): Locator => filters(page).getByRole('checkbox', { name });

test.describe('on a wide screen', () => {
  test.use({ viewport: { width: 1366, height: 900 } });

  test('filters stand beside the list; the keyboard stays where it was, and the new count is said', async ({ page }) => {
    await page.goto('/all');
    const list = new LongList(page);
    await list.isIn(resting);
    await expect(said(page)).toHaveText('24 titles');
    await expect(filters(page)).toBeVisible();
    const french = choice(page, /^French/);
    await french.focus();
    await page.keyboard.press('Space');
    await expect(page).toHaveURL('/all?language=fr');
    await expect(french).toBeChecked();
    await expect(french).toBeFocused();
    await expect(said(page)).toHaveText('1 title');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await expect(french).toBeFocused();

    const spanish = choice(page, /^Spanish/);
    await spanish.press('Space');
    await expect(page).toHaveURL(/language=es%2Cfr/);
    await expect(said(page)).toHaveText('3 titles');
    await expect(spanish).toBeFocused();
    await expect(choice(page, /^Films/)).toBeDisabled();

    await page.goBack();
    await expect(french).toBeChecked();
    await expect(spanish).not.toBeChecked();
    await expect(said(page)).toHaveText('1 title');
    await page.goForward();
    await expect(spanish).toBeChecked();
    expect(await seriousViolations(page, page.url())).toEqual([]);
  });

  test('prices are chosen with the arrow keys, and each filter is taken away singly or all at once', async ({ page }) => {
    await page.goto('/all/popular?kind=ebook&category=fiction');
    const list = new LongList(page);
    await list.isIn(resting);
    await expect(page.getByRole('heading', { level: 1, name: 'Popular titles' })).toBeVisible();
    await filters(page).getByRole('radio', { name: 'Any price' }).focus();
    await page.keyboard.press('ArrowDown');
    const cheap = filters(page).getByRole('radio', { name: /^Up to \$4\.99/ });
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
    await expect(said(page)).toHaveText('24 titles');
  });

  test('filters that leave nothing say so and can be taken away', async ({ page }) => {
    await page.goto('/all?language=fr&kind=video');
    await new LongList(page).isIn('empty');
    await expect(page.getByRole('heading', { name: 'No titles match these filters' })).toBeVisible();
    await expect(said(page)).toHaveText('0 titles');
    expect(await seriousViolations(page, page.url())).toEqual([]);
    await page.getByRole('link', { name: 'Clear filters' }).press('Enter');
    await expect(page).toHaveURL('/all');
    await new LongList(page).isIn(resting);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('one button opens the filters and says how many are set', async ({ page }) => {
    await page.goto('/all?language=fr,es');
    await new LongList(page).isIn(resting);
    await expect(filters(page)).toBeHidden();
    const button = page.getByRole('button', { name: 'Filters (2)' });
    await button.press('Enter');
    await expect(filters(page)).toBeVisible();
    const ebooks = choice(page, /^eBooks/);
    await ebooks.press('Space');
    await expect(ebooks).toBeFocused();
    await expect(ebooks).toBeChecked();
    await expect(said(page)).toHaveText('2 titles');
    expect(await seriousViolations(page, page.url())).toEqual([]);
    await filters(page).getByRole('button', { name: 'Show 2 titles' }).press('Enter');
    await expect(filters(page)).toBeHidden();
    await expect(page.getByRole('button', { name: 'Filters (3)' })).toBeFocused();
  });

  test('a press on the words of a filter keeps the others open', async ({ page }) => {
    await page.goto('/all');
    await new LongList(page).isIn(resting);
    await page.getByRole('button', { name: 'Filters' }).click();
    for (const [name, address] of [
      ['Non-fiction', '/all?category=nonfiction'],
      ['Films', '/all?category=nonfiction&kind=video'],
    ] as const) {
      await filters(page).getByText(name, { exact: true }).click();
      await expect(page).toHaveURL(address);
      await expect(filters(page)).toBeVisible();
    }
  });
});

test('a series and an author lead from a title to their lists', async ({ page }) => {
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
  await new LongList(page).isIn(resting);
  await expect(said(page)).toHaveText('2 titles');
});

test('New, Popular and Free have addresses of their own, to which the top of the page leads', async ({ page }) => {
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
    await new LongList(page).isIn(resting);
  }
});
