import { expect, type Page } from '@playwright/test';
import { addresses, type Address } from '../../routes/addresses.ts';

/** Things of the demo store for those that the table of addresses names. */
const inDemo: [RegExp, string][] = [
  [/\/id:book/, '/id:1001'],
  [/titleid=book/, 'titleid=1001'],
  [/9780306406157/, '9798647926913'],
  [/^\/all\/(.*)\bnovels$/, '/all/$1fiction-novels'],
  [/tag-novels/, 'fiction-novels'],
  [/printed/, 'spring-catalogue'],
  [/summer/, 'winter-evenings'],
  [/%C3%89clair-of-Winter/, 'Four-Walks-Before-Breakfast'],
  [/\/audio\/x\/sound/, '/audio/x/1020'],
  [/public\/about/, 'public/reading-circle'],
  [/private\/members/, 'private/customers-notes'],
];

/** Every address of the specification, in the demo store; the invalid store's own page is another story. */
export const everyAddress: readonly Address[] = addresses
  .filter(({ flow }) => flow !== 'invalid')
  .map((address) => ({ ...address, path: inDemo.reduce((path, [name, own]) => path.replace(name, own), address.path) }));

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
