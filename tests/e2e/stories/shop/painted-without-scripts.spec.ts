import type { Page } from '@playwright/test';
import { test } from '../../support/painting-shop.ts';
import { expect } from '../../support/shop.ts';

/** Where the first link of the page's `noscript` leads that looks so; Playwright looks for nothing in there. */
const linkBeside = async (page: Page, looks: RegExp): Promise<string> => {
  const [, markup = ''] = /<body.*<noscript>(.*?)<\/noscript>/s.exec(await page.content()) ?? [];
  const link = (markup.match(/<a [^>]*>/g) ?? []).find((each) => looks.test(each)) ?? '';
  const [, href = ''] = /href="([^"]*)"/.exec(link) ?? [];
  expect(href, `a link like ${looks.source}`).not.toBe('');
  return new URL(href.replaceAll('&amp;', '&'), page.url()).href;
};

const titlesShown = (page: Page): Promise<(string | null)[]> =>
  page.locator('main li a[href^="/id:"]').evaluateAll((links) => links.map((link) => link.getAttribute('href')));

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });

  test('lists, titles and the search can be walked, and the page says what needs scripts', async ({ page, painting }) => {
    await page.goto(`${painting.url}/all`);
    await page.locator('main a[href^="/id:"]').first().click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText('Loading failed!')).toBeHidden();
    // Playwright looks for no text in `noscript`, which browsers without scripts draw.
    expect(await page.content()).toContain('Buying, reading, listening and signing in need JavaScript');
    await page.getByRole('combobox', { name: 'Search the shop' }).fill('harbour');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/all\?search=harbour$/);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('harbour');
  });

  test('a list is sorted and narrowed by its form, a title leads to its purchase and its sample', async ({ page, painting }) => {
    await page.goto(`${painting.url}/all`);
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('price');
    await page.getByRole('button', { name: 'Show titles' }).click();
    await expect(page).toHaveURL(`${painting.url}/all?sort=price`);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.locator('[name=kind][value=audio]').check();
    await page.getByRole('textbox', { name: 'Price to' }).fill('9');
    await page.getByRole('textbox', { name: 'Price to' }).press('Enter');
    await expect(page).toHaveURL(`${painting.url}/all?sort=price&priceto=9&kind=audio`);
    await expect(page.getByRole('navigation', { name: 'Active filters' }).getByRole('link')).toHaveCount(3);
    await page.goto(`${painting.url}/id:1001`);
    const [buy, sample] = [page.locator('[data-event="buy.pressed"]'), page.locator('[data-event="sample.pressed"]')];
    await expect(sample).toHaveAttribute('href', '/viewer?instanceid=1001&sample=1');
    await buy.click();
    await expect(page).toHaveURL(`${painting.url}/title/purchase?titleid=1001`);
  });

  test('categories, languages and the rest of a list are behind links', async ({ page, painting }) => {
    await page.goto(`${painting.url}/all?sort=title`);
    const first = await titlesShown(page);
    await page.goto(await linkBeside(page, /rel="next"/));
    const second = await titlesShown(page);
    expect(second.length).toBeGreaterThan(0);
    expect(second.filter((each) => first.includes(each))).toEqual([]);

    await page.goto(await linkBeside(page, /hreflang="fr"/));
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
    expect(await titlesShown(page)).toEqual(second);

    await page.goto(await linkBeside(page, /href="\/all\/fiction\//));
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Fiction');
    expect((await titlesShown(page)).length).toBeGreaterThan(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

    await page.locator('main a[href^="/id:"]').first().click();
    await expect(page.locator('main h1')).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  });
});
