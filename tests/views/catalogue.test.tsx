import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { catalogueMachine, type ListPage, type ListQuery } from '../../machines/catalogue.ts';
import { catalogueScreens } from '../../src/views/catalogue/CatalogueView.tsx';
import { openShop } from './support/shop.tsx';
import { summaries } from './support/shelves.ts';
import { gives, inTurn, never, refuses } from './support/world.ts';

const page = (more: Partial<ListPage> = {}): ListPage => ({
  titles: summaries.slice(0, 2),
  total: 3,
  next: null,
  categoryName: null,
  ...more,
});
const last = page({ titles: summaries.slice(2) });
const named = () =>
  screen
    .getAllByRole('listitem')
    .map((item) => item.querySelector('[data-name]')?.textContent ?? null)
    .filter(Boolean);

test('every state has a screen', () => {
  expect(Object.keys(catalogueScreens).toSorted()).toEqual(Object.keys(catalogueMachine.states).toSorted());
});

test('while it is fetched the list has its heading', async () => {
  const { stateOf } = openShop('/audio', { titles: never });
  expect(await screen.findByRole('heading', { level: 1, name: 'Recordings' })).toBeTruthy();
  expect(screen.getByText('Looking along the shelves…')).toBeTruthy();
  expect(stateOf('catalogue')).toBe('loading');
});

test('a list shows its titles, and more of them on request', async () => {
  const titles = inTurn<ListPage>(gives(page({ next: 'c' })), refuses({ kind: 'offline' }), gives(last));
  const { stateOf, user } = openShop('/all', { titles });
  const more = await screen.findByRole('button', { name: 'Show more' });
  expect(screen.getByText('3 titles')).toBeTruthy();
  expect(screen.getByText('2 of 3')).toBeTruthy();
  expect(stateOf('catalogue')).toEqual({ shown: 'resting' });
  await user.click(more);
  expect((await screen.findByRole('alert')).textContent).toContain('We cannot reach the shop.');
  expect(stateOf('catalogue')).toEqual({ shown: 'moreFailed' });
  expect(named()).toEqual(['The Ferry Ledger', 'Night Signals']);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Low Tide', { selector: '[data-name]' })).toBeTruthy();
  expect(named()).toEqual(['The Ferry Ledger', 'Night Signals', 'Low Tide']);
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

test('while more is fetched it cannot be asked for again', async () => {
  const titles = inTurn<ListPage>(gives(page({ next: 'c' })), never);
  const { stateOf, user } = openShop('/all', { titles });
  const more = await screen.findByRole('button', { name: 'Show more' });
  await user.click(more);
  expect(stateOf('catalogue')).toEqual({ shown: 'loadingMore' });
  expect(more).toHaveProperty('disabled', true);
});

test('a category is called by its name, and other kinds keep to it [S2.category]', async () => {
  openShop('/all/sea-stories/12?sort=title', { titles: gives(page({ categoryName: 'Sea Stories' })) });
  expect(await screen.findByRole('heading', { level: 1, name: 'Sea Stories' })).toBeTruthy();
  const kinds = screen.getByRole('navigation', { name: 'Kind of title' });
  expect(
    within(kinds)
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href')]),
  ).toEqual([
    ['All', '/all/sea-stories/12?sort=title'],
    ['eBooks', '/ebook/sea-stories/12?sort=title'],
    ['Recordings', '/audio/sea-stories/12?sort=title'],
    ['Films', '/video/sea-stories/12?sort=title'],
  ]);
  const tree = screen.getByRole('navigation', { name: 'Categories' });
  expect(within(tree).getByRole('link', { current: 'page' }).textContent).toBe('Sea Stories');
});

test('sorting and searching go through the address and keep the list in sight', async () => {
  const asked: ListQuery[] = [];
  const { visited, user } = openShop('/ebook', {
    titles: async (query) => {
      asked.push(query);
      return page();
    },
  });
  const sort = await screen.findByRole('combobox', { name: 'Sort by' });
  await user.selectOptions(sort, 'Title');
  expect(visited).toEqual(['/ebook?sort=title']);
  expect(named()).toEqual(['The Ferry Ledger', 'Night Signals']);
  expect(document.activeElement).toBe(sort);
  await user.type(await screen.findByRole('searchbox', { name: 'Search in this list' }), 'sea & salt{Enter}');
  expect(visited.at(-1)).toBe('/ebook?sort=title&search=sea%20%26%20salt');
  expect(await screen.findByText(/Search for “sea & salt”/)).toBeTruthy();
  expect(asked.map(({ sort, search }) => [sort, search])).toEqual([
    ['', ''],
    ['title', ''],
    ['title', 'sea & salt'],
  ]);
});

test('a search without hits says so and leads back', async () => {
  const { stateOf, visited, user } = openShop('/all?search=zebra', { titles: gives(page({ titles: [], total: 0 })) });
  expect(await screen.findByRole('heading', { name: 'No titles match “zebra”' })).toBeTruthy();
  expect(stateOf('catalogue')).toBe('empty');
  await user.click(screen.getByRole('link', { name: 'See all titles' }));
  expect(visited).toEqual(['/all']);
});

test('an empty list that was not searched is another matter', async () => {
  openShop('/video', { titles: gives(page({ titles: [], total: 0 })) });
  expect(await screen.findByRole('heading', { name: 'There are no titles here yet' })).toBeTruthy();
});

test('an unknown category is told apart from a failure', async () => {
  const { stateOf } = openShop('/all/nowhere', { titles: refuses({ kind: 'refused', code: 'not_found', message: '' }) });
  expect(await screen.findByRole('heading', { level: 1, name: 'There is no such category' })).toBeTruthy();
  expect(stateOf('catalogue')).toBe('notFound');
});

test('a failure is told and Retry mends it', async () => {
  const titles = inTurn<ListPage>(refuses({ kind: 'http', status: 503, message: 'HTTP Error: 503' }), gives(page()));
  const { stateOf, user } = openShop('/all', { titles });
  expect((await screen.findByRole('alert')).textContent).toContain('Something went wrong on our side.');
  expect(stateOf('catalogue')).toBe('failed');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Night Signals', { selector: '[data-name]' })).toBeTruthy();
});
