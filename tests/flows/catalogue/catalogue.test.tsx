import { screen, within } from '@testing-library/react';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import type { ListQuery } from '../../../machines/model/catalogue/list.ts';
import { TitleSummary } from '../../../machines/model/catalogue/title.ts';
import { catalogueScreens } from '../../../src/flows/catalogue/CatalogueView.tsx';
import type { ListAnswer } from '../../support/views/list.ts';
import { openShop } from '../../support/views/shop.tsx';
import { summaries } from '../../support/views/fixtures.ts';
import { resolvesTo, callInTurn, neverSettles, rejectsWith } from '../../support/views/world.ts';

const page = (more: Partial<ListAnswer> = {}): ListAnswer => ({
  titles: summaries.slice(0, 2),
  total: 3,
  hasMore: false,
  categoryName: null,
  categoryId: null,
  ...more,
});
const lastPage = page({ titles: summaries.slice(2) });
const readNames = () =>
  screen
    .getAllByRole('listitem')
    .map((item) => item.querySelector('[data-name]')?.textContent ?? null)
    .filter(Boolean);

test('every state has a screen', () => {
  expect(Object.keys(catalogueScreens).toSorted()).toEqual(Object.keys(catalogueMachine.states).toSorted());
});

test('a loading list already has its heading', async () => {
  const { stateOf } = openShop('/audio', { titles: neverSettles });
  expect(await screen.findByRole('heading', { level: 1, name: 'Recordings' })).toBeTruthy();
  expect(screen.getByText('Loading titles…')).toBeTruthy();
  expect(stateOf('catalogue')).toBe('loading');
});

/** Enough titles that the end of the list is far from the first screen. */
const manyTitles = Array.from({ length: 80 }, (_, at) =>
  v.parse(TitleSummary, { ...summaries[0], id: `m${at}`, name: `Volume ${at + 1}` }),
);

test('a list shows its titles, and more of them on request', async () => {
  const first = page({ titles: manyTitles, total: 83, hasMore: true });
  const rest = page({ titles: summaries, total: 83 });
  const titles = callInTurn<ListAnswer>(resolvesTo(first), rejectsWith({ kind: 'offline' }), resolvesTo(rest));
  const { stateOf, user } = openShop('/all', { titles });
  const more = await screen.findByRole('button', { name: 'Show more' });
  expect(screen.getByText('83 titles', { selector: 'p' })).toBeTruthy();
  expect(screen.getByText('80 of 83')).toBeTruthy();
  expect(stateOf('catalogue')).toEqual({ shown: 'resting' });
  await user.click(more);
  expect((await screen.findByRole('alert')).textContent).toContain('We can’t reach the shop.');
  expect(stateOf('catalogue')).toEqual({ shown: 'moreFailed' });
  expect(readNames()[0]).toBe('Volume 1');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(stateOf('catalogue')).toEqual({ shown: 'resting' });
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

test('more titles load automatically near the end of the list', async () => {
  const titles = callInTurn<ListAnswer>(resolvesTo(page({ hasMore: true })), resolvesTo(lastPage));
  openShop('/all', { titles });
  expect(await screen.findByText('Low Tide', { selector: '[data-name]' })).toBeTruthy();
  expect(readNames()).toEqual(['The Ferry Ledger', 'Night Signals', 'Low Tide']);
});

test('a title has its position and the total for assistive technology', async () => {
  openShop('/all', { titles: resolvesTo(page({ titles: manyTitles, total: 83 })) });
  await screen.findByText('Volume 1', { selector: '[data-name]' });
  const items = screen.getAllByRole('listitem').filter((item) => item.hasAttribute('data-place'));
  expect(items.length).toBeLessThan(manyTitles.length);
  expect(items.map((item) => item.getAttribute('aria-posinset'))).toEqual(items.map((_, at) => String(at + 1)));
  expect(new Set(items.map((item) => item.getAttribute('aria-setsize')))).toEqual(new Set(['83']));
  expect(screen.queryByRole('link', { name: 'Back to the start' })).toBeNull();
});

test('a list that starts in the middle links to its start, and shows no positions', async () => {
  const { user } = openShop('/all?sort=title&after=abc', {
    titles: resolvesTo(page({ titles: manyTitles, total: null, hasMore: true, isPart: true })),
  });
  await screen.findByText('Volume 1', { selector: '[data-name]' });
  const items = screen.getAllByRole('listitem').filter((item) => item.hasAttribute('data-place'));
  for (const item of items)
    expect([item.hasAttribute('aria-posinset'), item.hasAttribute('aria-setsize')]).toEqual([false, false]);
  const link = screen.getByRole('link', { name: 'Back to the start' });
  expect(link.getAttribute('href')).toBe('/all?sort=title');
  link.focus();
  await user.keyboard('{Enter}');
  expect(document.activeElement?.textContent).toBe('Titles');
});

test('while more titles load, the button is disabled', async () => {
  const titles = callInTurn<ListAnswer>(resolvesTo(page({ hasMore: true })), neverSettles);
  const { stateOf } = openShop('/all', { titles });
  const more = await screen.findByRole('button', { name: 'Show more' });
  expect(stateOf('catalogue')).toEqual({ shown: 'arriving' });
  expect(more).toHaveProperty('disabled', true);
});

test('a category shows its name, and links to other kinds stay in it [S2.category]', async () => {
  openShop('/ebook/sea-stories/12?sort=title', { titles: resolvesTo(page({ categoryName: 'Sea Stories' })) });
  expect(await screen.findByRole('heading', { level: 1, name: 'Sea Stories' })).toBeTruthy();
  const kinds = screen.getByRole('navigation', { name: 'Type of title' });
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
});

test('a category shows its path in the tree of categories', async () => {
  openShop('/all/sea-stories/12?sort=title', { titles: resolvesTo(page({ categoryName: 'Sea Stories' })) });
  await screen.findByRole('heading', { level: 1, name: 'Sea Stories' });
  const tree = screen.getByRole('navigation', { name: 'Categories', hidden: true });
  expect(within(tree).getByRole('link', { current: 'page', hidden: true }).textContent).toBe('Sea Stories');
});

test('sorting changes the address and keeps the list visible', async () => {
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
  expect(readNames()).toEqual(['The Ferry Ledger', 'Night Signals']);
  expect(document.activeElement).toBe(sort);
  expect(asked.map((query) => query.sort)).toEqual(['', 'title']);
});

test('search results have the search as their heading, with the count', async () => {
  openShop('/all?search=salt%20road', { titles: resolvesTo(page({ total: 2 })) });
  expect(await screen.findByRole('heading', { level: 1, name: 'Results for “salt road”' })).toBeTruthy();
  expect(await screen.findByText('2 titles', { selector: 'p' })).toBeTruthy();
  expect(screen.queryByText(/^Nothing was found/)).toBeNull();
  expect(document.title).toBe('Results for “salt road” · The Lamplight Press');
});

test('the results of a search within a list name that list', async () => {
  openShop('/audio?search=salt', { titles: resolvesTo(page({ total: 2 })) });
  expect(await screen.findByText('Recordings · 2 titles')).toBeTruthy();
});

test('a corrected search says so', async () => {
  openShop('/all?search=slat%20raod', { titles: resolvesTo(page({ meant: 'salt road' })) });
  expect(await screen.findByRole('heading', { level: 1, name: 'Results for “salt road”' })).toBeTruthy();
  expect(screen.getByText('Nothing was found for “slat raod”. These are the titles for “salt road”.')).toBeTruthy();
});

test.each([
  ['/all?search=salt', 'Best match'],
  ['/all?search=salt&sort=title', 'Title'],
  ['/all?sort=popular', 'Most popular'],
  ['/all/popular', 'Most popular'],
  ['/all/new', 'Newest'],
  ['/all?series=The%20Tides', 'Order of the series'],
  ['/all?series=The%20Tides&sort=title', 'Title'],
  ['/all?sort=relevance', 'Newest'],
])('%s is shown as sorted by %s', async (path, order) => {
  openShop(path, { titles: resolvesTo(page()) });
  const sort = await screen.findByRole('combobox', { name: 'Sort by' });
  expect([...sort.querySelectorAll('option')].find(({ selected }) => selected)?.textContent).toBe(order);
});

test('Popular is explained under its heading', async () => {
  openShop('/all?sort=popular', { titles: resolvesTo(page()) });
  expect(await screen.findByText('Most popular · 3 titles')).toBeTruthy();
});

test('a search without hits links to itself without filters, to the list without it, to all titles, and to categories', async () => {
  openShop('/audio?search=zebra&free=true', { titles: resolvesTo(page({ titles: [], total: 0 })) });
  const heading = await screen.findByRole('heading', { name: 'No titles match “zebra”' });
  const links = within(heading.closest('section')?.parentElement ?? heading).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')]).slice(-7)).toEqual([
    ['Clear filters', '/audio?search=zebra'],
    ['Search all titles', '/all?search=zebra'],
    ['Clear the search', '/audio?free=true'],
    ['See all titles', '/all'],
    ['Most popular', '/all/popular'],
    ['Fiction', '/all/fiction/10'],
    ['Craft / Kitchen', '/all/craft-kitchen/11'],
  ]);
});

test('a search without hits says so and links back', async () => {
  const { stateOf, visited, user } = openShop('/all?search=zebra', { titles: resolvesTo(page({ titles: [], total: 0 })) });
  expect(await screen.findByRole('heading', { name: 'No titles match “zebra”' })).toBeTruthy();
  expect(stateOf('catalogue')).toBe('empty');
  await user.click(screen.getByRole('link', { name: 'See all titles' }));
  expect(visited).toEqual(['/all']);
});

test('a long search without spaces wraps at the edge of the window', async () => {
  const long = 'x'.repeat(200);
  openShop(`/all?search=${long}`, { titles: resolvesTo(page({ titles: [], total: 0 })) });
  const heading = await screen.findByRole('heading', { name: `No titles match “${long}”` });
  expect(getComputedStyle(heading).getPropertyValue('overflow-wrap')).toBe('anywhere');
});

test('an empty list without a search has another message', async () => {
  openShop('/video', { titles: resolvesTo(page({ titles: [], total: 0 })) });
  expect(await screen.findByRole('heading', { name: 'There are no titles here yet' })).toBeTruthy();
});

test.each(['/ebook/sea-stories/12', '/catalog/titles/summer', '/titleset/titles/7'])(
  '%s has its kind as its name when the list has no other',
  async (path) => {
    openShop(path, { titles: rejectsWith({ kind: 'offline' }) });
    expect(await screen.findByRole('heading', { name: 'We couldn’t load the titles' })).toBeTruthy();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(path.startsWith('/ebook') ? 'eBooks' : 'Titles');
  },
);

test('an unknown category is distinguished from a failure', async () => {
  const { stateOf } = openShop('/all/nowhere', { titles: rejectsWith({ kind: 'refused', code: 'not_found', message: '' }) });
  expect(await screen.findByRole('heading', { level: 1, name: 'We couldn’t find that category' })).toBeTruthy();
  expect(stateOf('catalogue')).toBe('notFound');
});

test('an unknown name that could be a title’s says so', async () => {
  openShop('/audio/nowhere', { titles: rejectsWith({ kind: 'refused', code: 'not_found', message: '' }) });
  expect(await screen.findByRole('heading', { level: 1, name: 'We couldn’t find that title or category' })).toBeTruthy();
});

test('a failure is shown and Retry recovers from it', async () => {
  const titles = callInTurn<ListAnswer>(
    rejectsWith({ kind: 'http', status: 503, message: 'HTTP Error: 503' }),
    resolvesTo(page()),
  );
  const { stateOf, user } = openShop('/all', { titles });
  expect((await screen.findByRole('alert')).textContent).toContain('Something went wrong on our side.');
  expect(stateOf('catalogue')).toBe('failed');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Night Signals', { selector: '[data-name]' })).toBeTruthy();
});
