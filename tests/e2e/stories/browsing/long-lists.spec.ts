import { addBigStore } from '../../../../tools/bench/big-store.ts';
import type { RunningShop } from '../../../../tools/shop/running-shop.ts';
import { LongList } from '../../pages/long-list.ts';
import { findDivergences, readRecordedTrace, parseTrace } from '../../../../tools/browser/recorded-trace.ts';
import { startFreshShop } from '../../support/fresh-shop.ts';
import { expect as baseExpect, test } from '../../support/shop.ts';

/** The `expect` of these tests: a store of this size responds slowly before its caches are warm. */
const expect = baseExpect.configure({ timeout: 20_000 });

const titleCount = 10_000;
let shop: RunningShop;
let url: string;

test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  test.setTimeout(180_000);
  // A server-rendered list has only a window of titles until hydration, for which scrolling would
  // have to wait.
  shop = await startFreshShop({ env: { SSR_MODE: 'off' } });
  url = await addBigStore(shop, titleCount);
});
test.afterAll(() => shop.remove());

test('a list of ten thousand titles scrolls to its end, and Back and a reload restore its position', async ({ page }) => {
  test.setTimeout(180_000);
  const list = new LongList(page);
  await page.goto(`${url}/all?sort=title`);
  await list.waitForState({ shown: 'resting' });
  expect(await list.scrollToEnd()).toBe(titleCount);
  expect(await page.locator('[data-place]').count()).toBeLessThan(80);

  await list.scrollTo(400_000);
  await expect.poll(async () => (await list.readVisible()).length).toBeGreaterThan(5);
  const visibleTitles = await list.readVisible();
  const scrollYBefore = await list.readScrollY();
  await page.locator(`a[href="${visibleTitles[6]}"]`).click();
  await expect(page.locator('[data-flow="title"]')).toBeVisible();
  await page.goBack();
  await expect.poll(() => list.readVisible()).toEqual(visibleTitles);
  expect(Math.abs((await list.readScrollY()) - scrollYBefore)).toBeLessThan(2);

  await page.reload();
  await expect.poll(() => list.readVisible(), { timeout: 30_000 }).toEqual(visibleTitles);
});

test('a visit to the end of the list has a small record that can be replayed', async ({ page }) => {
  test.setTimeout(180_000);
  const list = new LongList(page);
  await page.goto(`${url}/all`);
  await list.waitForState({ shown: 'resting' });
  await list.scrollToEnd();
  for (const y of [0, 200_000, 201_000, 500_000]) {
    await list.scrollTo(y);
    await expect.poll(async () => (await list.readVisible()).length).toBeGreaterThan(5);
  }
  await expect.poll(() => readRecordedTrace(page)).not.toBeNull();
  const record = (await readRecordedTrace(page)) ?? '';
  expect(record.length).toBeLessThan(2_000_000);
  const trace = parseTrace(record);
  expect(trace.runs.length).toBeGreaterThan(0);
  expect(findDivergences(trace)).toEqual(trace.runs.map(() => null));
});

test('filters are in the URL: they survive a reload and Back, and can be removed one by one', async ({ page }) => {
  const list = new LongList(page);
  const heading = page.getByRole('heading', { level: 1 });
  await page.goto(`${url}/ebook/category-0/c0`);
  await list.waitForState({ shown: 'resting' });
  await expect(heading).toHaveText('Category 0');
  await list.flow.locator('[name="pricefrom"]').fill('2');
  await list.flow.locator('[name="priceto"]').fill('4.5');
  await list.flow.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('price');
  await expect(page).toHaveURL(`${url}/ebook/category-0/c0?pricefrom=2&priceto=4.5&sort=price`);
  await list.waitForState({ shown: 'resting' });
  const cheapest = await list.readVisible();
  await expect(list.titles.first()).toContainText('$2.99');

  await page.reload();
  await expect.poll(() => list.readVisible()).toEqual(expect.arrayContaining(cheapest));
  const activeFilters = page.getByRole('navigation', { name: 'Active filters' });
  await expect(activeFilters.getByRole('link')).toHaveText(['From $2.00', 'Up to $4.50', 'Clear all']);
  await activeFilters.getByRole('link', { name: 'Remove From $2.00' }).click();
  await expect(list.titles.first()).toContainText('Free');
  await page.goBack();
  await expect.poll(() => list.readVisible()).toEqual(expect.arrayContaining(cheapest));
  await activeFilters.getByRole('link', { name: 'Clear all' }).click();
  await expect(page).toHaveURL(`${url}/ebook/category-0/c0?sort=price`);

  const breadcrumb = page.getByRole('navigation', { name: 'Breadcrumb' });
  await expect(breadcrumb.getByRole('listitem')).toHaveText(['eBooks', 'Category 0']);
});

test('the focused title keeps the focus at any scroll distance, and Tab continues from it', async ({ page }) => {
  const list = new LongList(page);
  await page.goto(`${url}/all`);
  await list.waitForState({ shown: 'resting' });
  const thirdTitle = list.titles.nth(2);
  const href = await thirdTitle.getAttribute('href');
  await thirdTitle.focus();
  const heights = await list.readRowHeights();
  expect(heights).toHaveLength(1);
  await list.scrollTo(5_000);
  await expect.poll(async () => (await list.readRendered())[1]?.position ?? 0).toBeGreaterThan(20);
  expect(await list.readRowHeights()).toEqual(heights);
  await expect(page.locator(`a[href="${href}"]`)).toBeFocused();
  for (let presses = 0; presses < 80; presses += 1) await page.keyboard.press('Tab');
  const focusedRow = await page.evaluate(() =>
    Number(document.activeElement?.closest<HTMLElement>('[data-place]')?.dataset['place']),
  );
  expect(focusedRow).toBeGreaterThan(30);
});

test.describe('on a phone, in French', () => {
  test.use({ viewport: { width: 390, height: 844 }, locale: 'fr-FR' });

  test('a list is filtered and scrolled without overflowing the window', async ({ page }, info) => {
    const list = new LongList(page);
    await page.goto(`${url}/all?pricefrom=2&priceto=30&search=the&sort=price-desc`);
    await list.waitForState({ shown: 'resting' });
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
    await page.getByRole('button', { name: 'Filtres' }).click();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('navigation', { name: 'Filtres actifs' })).toBeVisible();
    await info.attach('filters', { body: await page.screenshot({ fullPage: false }), contentType: 'image/png' });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await list.scrollTo(3_000);
    await expect.poll(async () => (await list.readVisible()).length).toBeGreaterThan(3);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});
