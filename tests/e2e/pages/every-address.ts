import { expect, type Page } from '@playwright/test';

/** Measures by how many pixels the page is wider than the window. */
export const measureHorizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/**
 * Opens a page, which must not be wider than the window. @returns the text of its main heading
 */
export const openAndReadHeading = async (page: Page, path: string): Promise<string> => {
  const name = path.slice(0, 60);
  await page.goto(path);
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading, `the heading of ${name}`).toHaveText(/\S/);
  const [headingText, overflowPx] = await Promise.all([heading.innerText(), measureHorizontalOverflow(page)]);
  expect(overflowPx, `pixels of ${name} beside the window`).toBeLessThanOrEqual(0);
  return headingText;
};
