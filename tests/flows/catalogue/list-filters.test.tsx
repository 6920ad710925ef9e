import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ListQuery } from '../../../machines/model/catalogue/list.ts';
import { openShop } from '../../support/views/shop.tsx';
import type { ListAnswer } from '../../support/views/list.ts';
import { store, summaries } from '../../support/views/fixtures.ts';
import { resolvesTo } from '../../support/views/world.ts';

const seaStories: ListAnswer = { titles: summaries, total: 3, hasMore: false, categoryName: 'Sea Stories', categoryId: '12' };
const allTitles: ListAnswer = { ...seaStories, categoryName: null, categoryId: null };

const readLinks = (name: string): [string | null, string | null][] =>
  within(screen.getByRole('navigation', { name }))
    .getAllByRole('link')
    .map((link) => [link.getAttribute('aria-label') ?? link.textContent, link.getAttribute('href')]);

test('a category list shows its breadcrumb', async () => {
  openShop('/all/sea-stories/12', { titles: resolvesTo(seaStories) });
  await screen.findByRole('heading', { level: 1, name: 'Sea Stories' });
  expect(readLinks('Breadcrumb')).toEqual([
    ['Titles', '/all'],
    ['Fiction', '/all/fiction/10'],
  ]);
  const currentPage = screen.getByRole('navigation', { name: 'Breadcrumb' }).querySelector('[aria-current=page]');
  expect(currentPage?.textContent).toBe('Sea Stories');
});

test('the breadcrumb keeps the kind of title', async () => {
  openShop('/ebook/sea-stories/12', { titles: resolvesTo(seaStories) });
  await screen.findByRole('heading', { level: 1, name: 'Sea Stories' });
  expect(readLinks('Breadcrumb')).toEqual([
    ['eBooks', '/ebook'],
    ['Fiction', '/ebook/fiction/10'],
  ]);
});

const includeHidden = { hidden: true } as const;
const findGroup = (name: string) => screen.findByRole('group', { name, ...includeHidden });

test('prices are put into the address, and sent in the request', async () => {
  const queries: ListQuery[] = [];
  const { user, visitedPaths } = openShop('/all?sort=title', {
    titles: async (query) => {
      queries.push(query);
      return allTitles;
    },
  });
  await findGroup('Price');
  await user.type(screen.getByRole('textbox', { name: 'Price from', ...includeHidden }), '5,5');
  await user.type(screen.getByRole('textbox', { name: 'Price to', ...includeHidden }), '9.99');
  await user.click(screen.getByRole('button', { name: 'Apply', ...includeHidden }));
  expect(visitedPaths).toEqual(['/all?sort=title&pricefrom=5.5&priceto=9.99']);
  expect(queries.at(-1)).toMatchObject({ priceFrom: 5.5, priceTo: 9.99, sort: 'title', free: false });
});

test('setting a price keeps the focus, and normalises the typed values', async () => {
  const { user, visitedPaths } = openShop('/all', { titles: resolvesTo(allTitles) });
  await findGroup('Price');
  const [fromField, toField] = ['Price from', 'Price to'].map((name) =>
    screen.getByRole<HTMLInputElement>('textbox', { name, ...includeHidden }),
  );
  if (fromField === undefined || toField === undefined) throw new Error('The list has no price filter.');
  const apply = screen.getByRole('button', { name: 'Apply', ...includeHidden });
  await user.type(fromField, '1e1');
  await user.click(apply);
  expect(visitedPaths.at(-1)).toBe('/all?pricefrom=10');
  expect(document.activeElement).toBe(apply);
  expect(readLinks('Active filters')).toContainEqual(['Remove From 10.00', '/all']);
  await user.type(toField, '3{Enter}');
  expect(visitedPaths.at(-1)).toBe('/all?pricefrom=3&priceto=10');
  expect(document.activeElement).toBe(toField);
  expect([fromField.value, toField.value]).toEqual(['3', '10']);
});

test('removing one filter keeps the others, also with reversed prices', async () => {
  openShop('/all?pricefrom=9&priceto=3', { titles: resolvesTo(allTitles) });
  await screen.findByRole('navigation', { name: 'Active filters' });
  expect(readLinks('Active filters')).toEqual([
    ['Remove From 3.00', '/all?priceto=9'],
    ['Remove Up to 9.00', '/all?pricefrom=3'],
    ['Clear all', '/all'],
  ]);
});

test('a list of free titles has no price among its active filters', async () => {
  openShop('/all?pricefrom=5&free=true', { titles: resolvesTo(allTitles) });
  await screen.findByRole('navigation', { name: 'Active filters' });
  expect(readLinks('Active filters')).toEqual([
    ['Remove Free', '/all'],
    ['Clear all', '/all'],
  ]);
});

test('a secret in the address is left out of the page’s links', async () => {
  openShop('/ebook?code=X&sort=title&search=sea', { titles: resolvesTo(allTitles) });
  await screen.findByRole('navigation', { name: 'Active filters' });
  const hrefs = [...document.querySelectorAll('main a')].map((link) => link.getAttribute('href') ?? '');
  expect(hrefs).toContain('/audio?sort=title&search=sea');
  expect(hrefs).toContain('/ebook?sort=title');
  expect(hrefs.filter((href) => href.includes('code'))).toEqual([]);
});

test('active filters are shown, and each can be removed', async () => {
  openShop('/all?search=sea&pricefrom=5&priceto=9.9&sort=title', { titles: resolvesTo(allTitles) });
  await screen.findByRole('navigation', { name: 'Active filters' });
  expect(readLinks('Active filters')).toEqual([
    ['Remove Search: sea', '/all?pricefrom=5&priceto=9.9&sort=title'],
    ['Remove From 5.00', '/all?search=sea&priceto=9.9&sort=title'],
    ['Remove Up to 9.90', '/all?search=sea&pricefrom=5&sort=title'],
    ['Clear all', '/all?sort=title'],
  ]);
});

test('filters without results can be cleared', async () => {
  const { user, visitedPaths } = openShop('/all?pricefrom=500&search=', {
    titles: resolvesTo({ ...allTitles, titles: [], total: 0 }),
  });
  expect(await screen.findByRole('heading', { name: 'No titles match these filters' })).toBeTruthy();
  await user.click(screen.getByRole('link', { name: 'Clear filters' }));
  expect(visitedPaths).toEqual(['/all']);
});

test('a store that hides its filters shows none', async () => {
  openShop('/all?pricefrom=5', { store: resolvesTo({ ...store, hideFilters: true }), titles: resolvesTo(allTitles) });
  await screen.findByText('The Ferry Ledger', { selector: '[data-name]' });
  expect(screen.queryAllByText('Filters')).toEqual([]);
  expect(screen.queryByRole('group', { name: 'Category', ...includeHidden })).toBeNull();
  expect(screen.queryByRole('combobox', { name: 'Sort by' })).toBeNull();
  expect(screen.queryByRole('navigation', { name: 'Active filters' })).toBeNull();
  expect(screen.queryByRole('navigation', { name: 'Type of title' })).toBeNull();
});

test('a store that hides its prices has no price filter', async () => {
  openShop('/all', { store: resolvesTo({ ...store, showTitlePrice: false }), titles: resolvesTo(allTitles) });
  await findGroup('Category');
  expect(screen.queryByRole('group', { name: 'Price', ...includeHidden })).toBeNull();
  expect(screen.queryByRole('textbox', includeHidden)).toBeNull();
});

test('sort orders that the store does not name get the app’s names, and the store’s names are kept', async () => {
  const options = [
    { value: 'price-desc', text: 'price-desc' },
    { value: 'title', text: 'Title' },
    { value: 'newest', text: 'Fresh from the harbour' },
  ];
  openShop('/all', { store: resolvesTo({ ...store, allTitlesSortOptions: options }), titles: resolvesTo(allTitles) });
  const select = await screen.findByRole('combobox', { name: 'Sort by' });
  expect([...select.querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
    'Price, high to low',
    'Title',
    'Fresh from the harbour',
  ]);
});

test('a catalog’s list has no choice of types [S2./catalog/titles] [S2./titleset/titles] [S2.frame/catalog]', async () => {
  const { app } = openShop('/catalog/titles/summer', { titles: resolvesTo({ ...allTitles, categoryName: 'Summer Reading' }) });
  expect(await screen.findByRole('heading', { level: 1, name: 'Summer Reading' })).toBeTruthy();
  expect(screen.queryByRole('navigation', { name: 'Type of title' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Subscribe', hidden: true })).toBeNull();
  expect(screen.getByRole('navigation', { name: 'Categories', hidden: true })).toBeTruthy();
  expect(app.getSnapshot().context.route?.hides).toEqual(['subscribe']);
});
