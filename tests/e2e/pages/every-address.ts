import { expect, type Page } from '@playwright/test';

/** What sticks out at the side of the window, in pixels. */
export const beside = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** What the page says in its largest heading, once it has one, and that nothing of it stands out at the side. */
export const headingAt = async (page: Page, path: string): Promise<string> => {
  const name = path.slice(0, 60);
  await page.goto(path);
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading, `the heading of ${name}`).toHaveText(/\S/);
  const [words, wider] = await Promise.all([heading.innerText(), beside(page)]);
  expect(wider, `pixels of ${name} beside the window`).toBeLessThanOrEqual(0);
  return words;
};
