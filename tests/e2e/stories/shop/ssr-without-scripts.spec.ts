import type { Page } from '@playwright/test';
import { test } from '../../support/ssr-shop.ts';
import { expect } from '../../support/shop.ts';

/**
 * Returns the URL of the first link in the page's `noscript` whose tag matches a pattern;
 * Playwright does not search in `noscript`.
 */
const readNoscriptLink = async (page: Page, pattern: RegExp): Promise<string> => {
  const [, markup = ''] = /<body.*<noscript>(.*?)<\/noscript>/s.exec(await page.content()) ?? [];
  const link = (markup.match(/<a [^>]*>/g) ?? []).find((each) => pattern.test(each)) ?? '';
  const [, href = ''] = /href="([^"]*)"/.exec(link) ?? [];
  expect(href, `a link like ${pattern.source}`).not.toBe('');
  return new URL(href.replaceAll('&amp;', '&'), page.url()).href;
};

const readTitleLinks = (page: Page): Promise<(string | null)[]> =>
  page.locator('main li a[href^="/id:"]').evaluateAll((links) => links.map((link) => link.getAttribute('href')));

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });

  test('without scripts, lists, titles and the search can be browsed, and the page says what needs scripts', async ({
    page,
    ssr,
  }) => {
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

  test('without scripts, a form sorts and filters a list, and a title links to its purchase and its sample', async ({
    page,
    ssr,
  }) => {
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
    const [buyLink, sampleLink] = [page.locator('[data-event="buy.pressed"]'), page.locator('[data-event="sample.pressed"]')];
    await expect(sampleLink).toHaveAttribute('href', '/viewer?instanceid=1001&sample=1');
    await buyLink.click();
    await expect(page).toHaveURL(`${ssr.url}/title/purchase?titleid=1001`);
  });

  test('without scripts, links lead to categories, languages and further pages of a list', async ({ page, ssr }) => {
    await page.goto(`${ssr.url}/all?sort=title`);
    const firstLinks = await readTitleLinks(page);
    await page.goto(await readNoscriptLink(page, /rel="next"/));
    const secondLinks = await readTitleLinks(page);
    expect(secondLinks.length).toBeGreaterThan(0);
    expect(secondLinks.filter((each) => firstLinks.includes(each))).toEqual([]);

    await page.goto(await readNoscriptLink(page, /hreflang="fr"/));
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
    expect(await readTitleLinks(page)).toEqual(secondLinks);

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
