import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ListQuery } from '../../../machines/model/catalogue/list.ts';
import { openShop } from '../../support/views/shop.tsx';
import type { ListAnswer } from '../../support/views/list.ts';
import { store, summaries } from '../../support/views/fixtures.ts';
import { gives } from '../../support/views/world.ts';

const seaStories: ListAnswer = { titles: summaries, total: 3, hasMore: false, categoryName: 'Sea Stories', categoryId: '12' };
const all: ListAnswer = { ...seaStories, categoryName: null, categoryId: null };

const links = (name: string): [string | null, string | null][] =>
  within(screen.getByRole('navigation', { name }))
    .getAllByRole('link')
    .map((link) => [link.getAttribute('aria-label') ?? link.textContent, link.getAttribute('href')]);

test('a category list shows the way down to it', async () => {
  openShop('/all/sea-stories/12', { titles: gives(seaStories) });
  await screen.findByRole('heading', { level: 1, name: 'Sea Stories' });
  expect(links('Breadcrumb')).toEqual([
    ['Titles', '/all'],
    ['Fiction', '/all/fiction/10'],
  ]);
  const here = screen.getByRole('navigation', { name: 'Breadcrumb' }).querySelector('[aria-current=page]');
  expect(here?.textContent).toBe('Sea Stories');
});

test('the way down keeps to the kind of title', async () => {
  openShop('/ebook/sea-stories/12', { titles: gives(seaStories) });
  await screen.findByRole('heading', { level: 1, name: 'Sea Stories' });
  expect(links('Breadcrumb')).toEqual([
    ['eBooks', '/ebook'],
    ['Fiction', '/ebook/fiction/10'],
  ]);
});

const hidden = { hidden: true } as const;
const group = (name: string) => screen.findByRole('group', { name, ...hidden });

test('prices go into the address, and are asked for', async () => {
  const asked: ListQuery[] = [];
  const { user, visited } = openShop('/all?sort=title', {
    titles: async (query) => {
      asked.push(query);
      return all;
    },
  });
  await group('Price');
  await user.type(screen.getByRole('textbox', { name: 'Price from', ...hidden }), '5,5');
  await user.type(screen.getByRole('textbox', { name: 'Price to', ...hidden }), '9.99');
  await user.click(screen.getByRole('button', { name: 'Apply', ...hidden }));
  expect(visited).toEqual(['/all?sort=title&pricefrom=5.5&priceto=9.99']);
  expect(asked.at(-1)).toMatchObject({ priceFrom: 5.5, priceTo: 9.99, sort: 'title', free: false });
});

test('who sets a price stays where they are, and sees what was made of it', async () => {
  const { user, visited } = openShop('/all', { titles: gives(all) });
  await group('Price');
  const [from, to] = ['Price from', 'Price to'].map((name) => screen.getByRole<HTMLInputElement>('textbox', { name, ...hidden }));
  if (from === undefined || to === undefined) throw new Error('There are no prices.');
  const apply = screen.getByRole('button', { name: 'Apply', ...hidden });
  await user.type(from, '1e1');
  await user.click(apply);
  expect(visited.at(-1)).toBe('/all?pricefrom=10');
  expect(document.activeElement).toBe(apply);
  expect(links('Active filters')).toContainEqual(['Remove From 10.00', '/all']);
  await user.type(to, '3{Enter}');
  expect(visited.at(-1)).toBe('/all?pricefrom=3&priceto=10');
  expect(document.activeElement).toBe(to);
  expect([from.value, to.value]).toEqual(['3', '10']);
});

test('a filter that is taken away takes nothing else with it, whichever way round the prices stand', async () => {
  openShop('/all?pricefrom=9&priceto=3', { titles: gives(all) });
  await screen.findByRole('navigation', { name: 'Active filters' });
  expect(links('Active filters')).toEqual([
    ['Remove From 3.00', '/all?priceto=9'],
    ['Remove Up to 9.00', '/all?pricefrom=3'],
    ['Clear all', '/all'],
  ]);
});

test('free titles have no prices to be narrowed by', async () => {
  openShop('/all?pricefrom=5&free=true', { titles: gives(all) });
  await screen.findByRole('navigation', { name: 'Active filters' });
  expect(links('Active filters')).toEqual([
    ['Remove Free', '/all'],
    ['Clear all', '/all'],
  ]);
});

test('a secret in an address is not in the links made from it', async () => {
  openShop('/ebook?code=X&sort=title&search=sea', { titles: gives(all) });
  await screen.findByRole('navigation', { name: 'Active filters' });
  const hrefs = [...document.querySelectorAll('main a')].map((link) => link.getAttribute('href') ?? '');
  expect(hrefs).toContain('/audio?sort=title&search=sea');
  expect(hrefs).toContain('/ebook?sort=title');
  expect(hrefs.filter((href) => href.includes('code'))).toEqual([]);
});

test('filters in use are seen, and each can be taken away', async () => {
  openShop('/all?search=sea&pricefrom=5&priceto=9.9&sort=title', { titles: gives(all) });
  await screen.findByRole('navigation', { name: 'Active filters' });
  expect(links('Active filters')).toEqual([
    ['Remove Search: sea', '/all?pricefrom=5&priceto=9.9&sort=title'],
    ['Remove From 5.00', '/all?search=sea&priceto=9.9&sort=title'],
    ['Remove Up to 9.90', '/all?search=sea&pricefrom=5&sort=title'],
    ['Clear all', '/all?sort=title'],
  ]);
});

test('filters that leave nothing can be cleared', async () => {
  const { user, visited } = openShop('/all?pricefrom=500&search=', { titles: gives({ ...all, titles: [], total: 0 }) });
  expect(await screen.findByRole('heading', { name: 'No titles match these filters' })).toBeTruthy();
  await user.click(screen.getByRole('link', { name: 'Clear filters' }));
  expect(visited).toEqual(['/all']);
});

test('a store that hides its filters shows none', async () => {
  openShop('/all?pricefrom=5', { store: gives({ ...store, hideFilters: true }), titles: gives(all) });
  await screen.findByText('The Ferry Ledger', { selector: '[data-name]' });
  expect(screen.queryAllByText('Filters')).toEqual([]);
  expect(screen.queryByRole('group', { name: 'Category', ...hidden })).toBeNull();
  expect(screen.queryByRole('combobox', { name: 'Sort by' })).toBeNull();
  expect(screen.queryByRole('navigation', { name: 'Active filters' })).toBeNull();
  expect(screen.queryByRole('navigation', { name: 'Type of title' })).toBeNull();
});

test('a store that shows no prices is not searched by them', async () => {
  openShop('/all', { store: gives({ ...store, showTitlePrice: false }), titles: gives(all) });
  await group('Category');
  expect(screen.queryByRole('group', { name: 'Price', ...hidden })).toBeNull();
  expect(screen.queryByRole('textbox', hidden)).toBeNull();
});

test('orders that a store leaves unnamed get words, and its own words stay', async () => {
  const options = [
    { value: 'price-desc', text: 'price-desc' },
    { value: 'title', text: 'Title' },
    { value: 'newest', text: 'Fresh from the harbour' },
  ];
  openShop('/all', { store: gives({ ...store, allTitlesSortOptions: options }), titles: gives(all) });
  const select = await screen.findByRole('combobox', { name: 'Sort by' });
  expect([...select.querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
    'Price, high to low',
    'Title',
    'Fresh from the harbour',
  ]);
});

test('the list of a catalog has no kinds [S2./catalog/titles] [S2./titleset/titles] [S2.frame/catalog]', async () => {
  const { app } = openShop('/catalog/titles/summer', { titles: gives({ ...all, categoryName: 'Summer Reading' }) });
  expect(await screen.findByRole('heading', { level: 1, name: 'Summer Reading' })).toBeTruthy();
  expect(screen.queryByRole('navigation', { name: 'Type of title' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Subscribe', hidden: true })).toBeNull();
  expect(screen.getByRole('navigation', { name: 'Categories', hidden: true })).toBeTruthy();
  expect(app.getSnapshot().context.route?.hides).toEqual(['subscribe']);
});
