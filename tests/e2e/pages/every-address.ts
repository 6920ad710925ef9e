import { expect, type Page } from '@playwright/test';

/** The horizontal overflow of the window, in pixels. */
export const horizontalOverflowPx = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** The text of the page's main heading, once it has one; expects no horizontal overflow. */
export const openAndReadHeading = async (page: Page, path: string): Promise<string> => {
  const name = path.slice(0, 60);
  await page.goto(path);
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading, `the heading of ${name}`).toHaveText(/\S/);
  const [words, wider] = await Promise.all([heading.innerText(), horizontalOverflowPx(page)]);
  expect(wider, `pixels of ${name} beside the window`).toBeLessThanOrEqual(0);
  return words;
};
