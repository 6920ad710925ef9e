import type { Page } from '@playwright/test';
import { test } from '../../support/ssr-shop.ts';
import { expect } from '../../support/shop.ts';

/**
 * The target of the first link in the page's `noscript` that matches; Playwright does not search in
 * there.
 */
const readNoscriptLink = async (page: Page, looks: RegExp): Promise<string> => {
  const [, markup = ''] = /<body.*<noscript>(.*?)<\/noscript>/s.exec(await page.content()) ?? [];
  const link = (markup.match(/<a [^>]*>/g) ?? []).find((each) => looks.test(each)) ?? '';
  const [, href = ''] = /href="([^"]*)"/.exec(link) ?? [];
  expect(href, `a link like ${looks.source}`).not.toBe('');
  return new URL(href.replaceAll('&amp;', '&'), page.url()).href;
};

const readTitleLinks = (page: Page): Promise<(string | null)[]> =>
  page.locator('main li a[href^="/id:"]').evaluateAll((links) => links.map((link) => link.getAttribute('href')));

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });

  test('lists, titles and the search can be browsed, and the page says what needs scripts', async ({ page, ssr }) => {
    await page.goto(`${ssr.url}/all`);
    await page.locator('main a[href^="/id:"]').first().click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText('Loading failed!')).toBeHidden();
    // Playwright finds no text in `noscript`, which browsers without scripts render.
    expect(await page.content()).toContain('To buy, read, listen or sign in, please turn it on');
    await page.getByRole('combobox', { name: 'Search the shop' }).fill('harbour');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/all\?search=harbour$/);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('harbour');
  });

  test('a list is sorted and filtered by its form, a title links to its purchase and its sample', async ({ page, ssr }) => {
    await page.goto(`${ssr.url}/all`);
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('price');
    await page.getByRole('button', { name: 'Show titles' }).click();
    await expect(page).toHaveURL(`${ssr.url}/all?sort=price`);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.locator('[name=kind][value=audio]').check();
    await page.getByRole('textbox', { name: 'Price to' }).fill('9');
    await page.getByRole('textbox', { name: 'Price to' }).press('Enter');
    await expect(page).toHaveURL(`${ssr.url}/all?sort=price&priceto=9&kind=audio`);
    await expect(page.getByRole('navigation', { name: 'Active filters' }).getByRole('link')).toHaveCount(3);
    await page.goto(`${ssr.url}/id:1001`);
    const [buy, sample] = [page.locator('[data-event="buy.pressed"]'), page.locator('[data-event="sample.pressed"]')];
    await expect(sample).toHaveAttribute('href', '/viewer?instanceid=1001&sample=1');
    await buy.click();
    await expect(page).toHaveURL(`${ssr.url}/title/purchase?titleid=1001`);
  });

  test('categories, languages and the rest of a list are behind links', async ({ page, ssr }) => {
    await page.goto(`${ssr.url}/all?sort=title`);
    const first = await readTitleLinks(page);
    await page.goto(await readNoscriptLink(page, /rel="next"/));
    const second = await readTitleLinks(page);
    expect(second.length).toBeGreaterThan(0);
    expect(second.filter((each) => first.includes(each))).toEqual([]);

    await page.goto(await readNoscriptLink(page, /hreflang="fr"/));
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
    expect(await readTitleLinks(page)).toEqual(second);

    await page.goto(await readNoscriptLink(page, /href="\/all\/fiction\//));
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Fiction');
    expect((await readTitleLinks(page)).length).toBeGreaterThan(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

    await page.locator('main a[href^="/id:"]').first().click();
    await expect(page.locator('main h1')).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  });
});
