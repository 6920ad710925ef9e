import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Facets, ListQuery } from '../../../machines/model/catalogue/list.ts';
import { openShop } from '../../support/views/shop.tsx';
import type { ListAnswer } from '../../support/views/list.ts';
import { summaries } from '../../support/views/fixtures.ts';
import { resolvesTo } from '../../support/views/world.ts';

const allTitles: ListAnswer = { titles: summaries, total: 3, hasMore: false, categoryName: null, categoryId: null };

const readLinks = (name: string): [string | null, string | null][] =>
  within(screen.getByRole('navigation', { name }))
    .getAllByRole('link')
    .map((link) => [link.getAttribute('aria-label') ?? link.textContent, link.getAttribute('href')]);

const countedFacets: Facets = {
  total: 9,
  currency: 'EUR',
  kinds: [
    { kind: 'ebook', count: 6 },
    { kind: 'audio', count: 1 },
    { kind: 'interactive', count: 0 },
  ],
  categories: [
    { id: '10', count: 5 },
    { id: '11', count: 0 },
  ],
  languages: [
    { language: 'fr', count: 7 },
    { language: 'en', count: 2 },
  ],
  free: 3,
  prices: [
    { from: null, to: 4.99, count: 4 },
    { from: 5, to: 9.99, count: 2 },
    { from: 20, to: null, count: 0 },
  ],
};

const includeHidden = { hidden: true } as const;
const findGroup = (name: string) => screen.findByRole('group', { name, ...includeHidden });
const readChoices = async (name: string): Promise<string[]> =>
  within(await findGroup(name))
    .getAllByRole(name === 'Price' ? 'radio' : 'checkbox', includeHidden)
    .map((choice) => {
      const { checked, disabled, parentElement } = choice as HTMLInputElement;
      const text = [...(parentElement?.children ?? [])].map((element) => element.textContent).filter(Boolean);
      return `${checked ? '+' : disabled ? '-' : ' '}${text.slice(0, 2).join(' ')}`;
    });
const getChoice = (name: RegExp) => screen.getByRole('checkbox', { name, ...includeHidden });

test('each choice shows how many titles it would leave, and is disabled if it would leave none', async () => {
  openShop('/all?language=fr&pricefrom=20', { titles: resolvesTo(allTitles), facets: resolvesTo(countedFacets) });
  expect(await readChoices('Type of title')).toEqual([' eBooks 6', ' Recordings 1', '-Interactive stories 0']);
  expect(await readChoices('Category')).toEqual([' Fiction 5', '-Craft / Kitchen 0']);
  expect(await readChoices('Price')).toEqual([' Any price', ' Free 3', ' Up to €4.99 4', ' €5.00 to €9.99 2', '+From €20.00 0']);
  expect(await readChoices('Language')).toEqual(['+French 7', ' English 2']);
  expect(getChoice(/^eBooks 6 titles|^eBooks *6 titles/)).toBeTruthy();
});

test('choosing filters changes the address and the requested facets, and the focus stays', async () => {
  const queries: ListQuery[] = [];
  const facets = async ({ query }: { query: ListQuery }) => {
    queries.push(query);
    return countedFacets;
  };
  const { user, visitedPaths } = openShop('/all?sort=title', { titles: resolvesTo(allTitles), facets });
  await findGroup('Language');
  await user.click(getChoice(/^French/));
  await user.click(getChoice(/^English/));
  await user.click(getChoice(/^eBooks/));
  expect(document.activeElement).toBe(getChoice(/^eBooks/));
  await user.click(getChoice(/^French/));
  expect(visitedPaths).toEqual([
    '/all?sort=title&language=fr',
    '/all?sort=title&language=en%2Cfr',
    '/all?sort=title&language=en%2Cfr&kind=ebook',
    '/all?sort=title&language=en&kind=ebook',
  ]);
  expect(queries.map(({ languages, kinds }) => [languages, kinds])).toEqual([
    [[], []],
    [['fr'], []],
    [['en', 'fr'], []],
    [['en', 'fr'], ['ebook']],
    [['en'], ['ebook']],
  ]);
});

test('a chosen category shows its subcategories as further choices', async () => {
  const facetsWithSubcategory = { ...countedFacets, categories: [...countedFacets.categories, { id: '12', count: 2 }] };
  const { user, visitedPaths } = openShop('/all', { titles: resolvesTo(allTitles), facets: resolvesTo(facetsWithSubcategory) });
  await findGroup('Category');
  await user.click(getChoice(/^Fiction/));
  expect(await readChoices('Category')).toEqual(['+Fiction 5', ' Sea Stories 2', '-Craft / Kitchen 0']);
  await user.click(getChoice(/^Sea Stories/));
  await user.click(getChoice(/^Sea Stories/));
  expect(visitedPaths).toEqual(['/all?category=10', '/all?category=12', '/all?category=10']);
  expect(document.activeElement).toBe(getChoice(/^Sea Stories/));
});

test('a price range replaces the previous one', async () => {
  const { user, visitedPaths } = openShop('/all/free', { titles: resolvesTo(allTitles), facets: resolvesTo(countedFacets) });
  await user.click(await screen.findByRole('radio', { name: /^Up to/, ...includeHidden }));
  await user.click(screen.getByRole('radio', { name: 'Any price', ...includeHidden }));
  expect(visitedPaths).toEqual(['/all?priceto=4.99', '/all']);
});

test('without facets a list offers the choices that the store is known to have', async () => {
  openShop('/all?language=fr', { titles: resolvesTo(allTitles) });
  expect(await readChoices('Type of title')).toEqual([' eBooks', ' Recordings', ' Films']);
  expect(await readChoices('Category')).toEqual([' Fiction', ' Craft / Kitchen']);
  expect(await readChoices('Price')).toEqual(['+Any price', ' Free']);
  expect(await readChoices('Language')).toEqual(['+French']);
});

test('after a choice the count is announced again, even if it is unchanged', async () => {
  const { user, container } = openShop('/all', { titles: resolvesTo(allTitles), facets: resolvesTo(countedFacets) });
  await screen.findByText('3 titles', { selector: '[data-flow="facets"]' });
  const announcements: string[] = [];
  const statusElement = container.querySelector('[data-flow="facets"]');
  if (statusElement === null) throw new Error('The page has no element with data-flow="facets".');
  const observer = new MutationObserver(() => announcements.push(statusElement.textContent));
  observer.observe(statusElement, { childList: true, characterData: true, subtree: true });
  await user.click(getChoice(/^French/));
  await expect.poll(() => announcements).toEqual(['', '3 titles']);
});

test('a list without a total shows the total of its facets', async () => {
  openShop('/all?language=fr', {
    titles: resolvesTo({ ...allTitles, total: null }),
    facets: resolvesTo({ ...countedFacets, total: 1234 }),
  });
  expect(await screen.findByText('1,234 titles', { selector: 'p' })).toBeTruthy();
});

test('the filter button shows how many filters are set, and each can be removed', async () => {
  openShop('/all?search=sea&language=fr,en&kind=audio&category=12&author=Ada&series=Tides', { titles: resolvesTo(allTitles) });
  expect(await screen.findByText('Filters (6)', { selector: 'button' })).toBeTruthy();
  const filters = 'search=sea&language=fr%2Cen&kind=audio&category=12&author=Ada&series=Tides';
  const pathWithout = (filter: string, replacement = ''): string =>
    `/all?${filters.replace(filter, replacement).replace(/^&/, '')}`;
  expect(readLinks('Active filters')).toEqual([
    ['Remove Search: sea', pathWithout('search=sea')],
    ['Remove Author: Ada', pathWithout('&author=Ada')],
    ['Remove Series: Tides', pathWithout('&series=Tides')],
    ['Remove Recordings', pathWithout('&kind=audio')],
    ['Remove Sea Stories', pathWithout('&category=12')],
    ['Remove French', pathWithout('fr%2Cen', 'en')],
    ['Remove English', pathWithout('fr%2Cen', 'fr')],
    ['Clear all', '/all'],
  ]);
});

test('removing a filter moves the focus to the next filter, and “Clear all” moves it to the heading', async () => {
  const { user } = openShop('/all?kind=audio&language=fr', { titles: resolvesTo(allTitles) });
  await user.click(await screen.findByRole('link', { name: 'Remove Recordings' }));
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Remove French');
  await user.click(screen.getByRole('link', { name: 'Clear all' }));
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
});

test.each([
  ['/all/new', 'New titles'],
  ['/all/popular', 'Popular titles'],
  ['/all/free', 'Free titles'],
  ['/all?author=Ada%20Quill', 'Titles by Ada Quill'],
  ['/all?series=The%20Tides', 'The Tides'],
  ['/all/popular?search=sea', 'Results for “sea”'],
])('%s is named %s, on the page and in the window title', async (path, name) => {
  openShop(path, { titles: resolvesTo(allTitles) });
  expect(await screen.findByRole('heading', { level: 1, name })).toBeTruthy();
  expect(document.title).toBe(`${name} · The Lamplight Press`);
});

test('no choices are shown until the category of the list is known, since it changes them', async () => {
  const list = Promise.withResolvers<ListAnswer>();
  const facetsWithSubcategory = { ...countedFacets, categories: [...countedFacets.categories, { id: '12', count: 2 }] };
  const { container } = openShop('/all/fiction/10', { titles: () => list.promise, facets: resolvesTo(facetsWithSubcategory) });
  const readFacetsState = () => container.querySelector('[data-flow="facets"]')?.getAttribute('data-state');
  await vi.waitFor(() => expect(readFacetsState()).toContain('"counted"'));
  expect(container.querySelectorAll('fieldset')).toHaveLength(0);
  list.resolve({ ...allTitles, categoryId: '10', categoryName: 'Fiction' });
  expect(await readChoices('Category')).toEqual([' Sea Stories 2']);
});
