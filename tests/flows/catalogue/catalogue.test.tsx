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

const createPage = (overrides: Partial<ListAnswer> = {}): ListAnswer => ({
  titles: summaries.slice(0, 2),
  total: 3,
  hasMore: false,
  categoryName: null,
  categoryId: null,
  ...overrides,
});
const lastPage = createPage({ titles: summaries.slice(2) });
const readNames = () =>
  screen
    .getAllByRole('listitem')
    .map((item) => item.querySelector('[data-name]')?.textContent ?? null)
    .filter(Boolean);

test('every state has a screen', () => {
  expect(Object.keys(catalogueScreens).toSorted()).toEqual(Object.keys(catalogueMachine.states).toSorted());
});

test('a loading list already has its heading', async () => {
  const { readFlowState } = openShop('/audio', { titles: neverSettles });
  expect(await screen.findByRole('heading', { level: 1, name: 'Recordings' })).toBeTruthy();
  expect(screen.getByText('Loading titles…')).toBeTruthy();
  expect(readFlowState('catalogue')).toBe('loading');
});

/** Enough titles that the end of the list is far from the first screen. */
const manyTitles = Array.from({ length: 80 }, (_, index) =>
  v.parse(TitleSummary, { ...summaries[0], id: `m${index}`, name: `Volume ${index + 1}` }),
);

test('a list shows its titles, and more of them on request', async () => {
  const firstPage = createPage({ titles: manyTitles, total: 83, hasMore: true });
  const secondPage = createPage({ titles: summaries, total: 83 });
  const titles = callInTurn<ListAnswer>(resolvesTo(firstPage), rejectsWith({ kind: 'offline' }), resolvesTo(secondPage));
  const { readFlowState, user } = openShop('/all', { titles });
  const moreButton = await screen.findByRole('button', { name: 'Show more' });
  expect(screen.getByText('83 titles', { selector: 'p' })).toBeTruthy();
  expect(screen.getByText('80 of 83')).toBeTruthy();
  expect(readFlowState('catalogue')).toEqual({ shown: 'resting' });
  await user.click(moreButton);
  expect((await screen.findByRole('alert')).textContent).toContain('We can’t reach the shop.');
  expect(readFlowState('catalogue')).toEqual({ shown: 'moreFailed' });
  expect(readNames()[0]).toBe('Volume 1');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(readFlowState('catalogue')).toEqual({ shown: 'resting' });
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

test('more titles load automatically near the end of the list', async () => {
  const titles = callInTurn<ListAnswer>(resolvesTo(createPage({ hasMore: true })), resolvesTo(lastPage));
  openShop('/all', { titles });
  expect(await screen.findByText('Low Tide', { selector: '[data-name]' })).toBeTruthy();
  expect(readNames()).toEqual(['The Ferry Ledger', 'Night Signals', 'Low Tide']);
});

test('a title has its position and the total for assistive technology', async () => {
  openShop('/all', { titles: resolvesTo(createPage({ titles: manyTitles, total: 83 })) });
  await screen.findByText('Volume 1', { selector: '[data-name]' });
  const items = screen.getAllByRole('listitem').filter((item) => item.hasAttribute('data-place'));
  expect(items.length).toBeLessThan(manyTitles.length);
  expect(items.map((item) => item.getAttribute('aria-posinset'))).toEqual(items.map((_, index) => String(index + 1)));
  expect(new Set(items.map((item) => item.getAttribute('aria-setsize')))).toEqual(new Set(['83']));
  expect(screen.queryByRole('link', { name: 'Back to the start' })).toBeNull();
});

test('a list that starts after a cursor links to its start, and shows no positions', async () => {
  const { user } = openShop('/all?sort=title&after=abc', {
    titles: resolvesTo(createPage({ titles: manyTitles, total: null, hasMore: true, isPart: true })),
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

test('while more titles load, the button “Show more” is disabled', async () => {
  const titles = callInTurn<ListAnswer>(resolvesTo(createPage({ hasMore: true })), neverSettles);
  const { readFlowState } = openShop('/all', { titles });
  const moreButton = await screen.findByRole('button', { name: 'Show more' });
  expect(readFlowState('catalogue')).toEqual({ shown: 'arriving' });
  expect(moreButton).toHaveProperty('disabled', true);
});

test('a category shows its name, and links to other kinds stay in it [S2.category]', async () => {
  openShop('/ebook/sea-stories/12?sort=title', { titles: resolvesTo(createPage({ categoryName: 'Sea Stories' })) });
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
  openShop('/all/sea-stories/12?sort=title', { titles: resolvesTo(createPage({ categoryName: 'Sea Stories' })) });
  await screen.findByRole('heading', { level: 1, name: 'Sea Stories' });
  const tree = screen.getByRole('navigation', { name: 'Categories', hidden: true });
  expect(within(tree).getByRole('link', { current: 'page', hidden: true }).textContent).toBe('Sea Stories');
});

test('sorting changes the address and keeps the list visible', async () => {
  const queries: ListQuery[] = [];
  const { visitedPaths, user } = openShop('/ebook', {
    titles: async (query) => {
      queries.push(query);
      return createPage();
    },
  });
  const sort = await screen.findByRole('combobox', { name: 'Sort by' });
  await user.selectOptions(sort, 'Title');
  expect(visitedPaths).toEqual(['/ebook?sort=title']);
  expect(readNames()).toEqual(['The Ferry Ledger', 'Night Signals']);
  expect(document.activeElement).toBe(sort);
  expect(queries.map((query) => query.sort)).toEqual(['', 'title']);
});

test('search results have the search as their heading, with the count', async () => {
  openShop('/all?search=salt%20road', { titles: resolvesTo(createPage({ total: 2 })) });
  expect(await screen.findByRole('heading', { level: 1, name: 'Results for “salt road”' })).toBeTruthy();
  expect(await screen.findByText('2 titles', { selector: 'p' })).toBeTruthy();
  expect(screen.queryByText(/^Nothing was found/)).toBeNull();
  expect(document.title).toBe('Results for “salt road” · The Lamplight Press');
});

test('the results of a search within a list name that list', async () => {
  openShop('/audio?search=salt', { titles: resolvesTo(createPage({ total: 2 })) });
  expect(await screen.findByText('Recordings · 2 titles')).toBeTruthy();
});

test('a corrected search names the typed words and the corrected ones', async () => {
  openShop('/all?search=slat%20raod', { titles: resolvesTo(createPage({ meant: 'salt road' })) });
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
])('%s is shown as sorted by %s', async (path, sortName) => {
  openShop(path, { titles: resolvesTo(createPage()) });
  const sort = await screen.findByRole('combobox', { name: 'Sort by' });
  expect([...sort.querySelectorAll('option')].find(({ selected }) => selected)?.textContent).toBe(sortName);
});

test('the list of popular titles names its sort order under its heading', async () => {
  openShop('/all?sort=popular', { titles: resolvesTo(createPage()) });
  expect(await screen.findByText('Most popular · 3 titles')).toBeTruthy();
});

test('a search without hits links to the search without filters, to the list without the search, to all titles and to categories', async () => {
  openShop('/audio?search=zebra&free=true', { titles: resolvesTo(createPage({ titles: [], total: 0 })) });
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

test('a search without hits says so, and its link leads to all titles', async () => {
  const { readFlowState, visitedPaths, user } = openShop('/all?search=zebra', {
    titles: resolvesTo(createPage({ titles: [], total: 0 })),
  });
  expect(await screen.findByRole('heading', { name: 'No titles match “zebra”' })).toBeTruthy();
  expect(readFlowState('catalogue')).toBe('empty');
  await user.click(screen.getByRole('link', { name: 'See all titles' }));
  expect(visitedPaths).toEqual(['/all']);
});

test('a long search without spaces wraps at the edge of the window', async () => {
  const longText = 'x'.repeat(200);
  openShop(`/all?search=${longText}`, { titles: resolvesTo(createPage({ titles: [], total: 0 })) });
  const heading = await screen.findByRole('heading', { name: `No titles match “${longText}”` });
  expect(getComputedStyle(heading).getPropertyValue('overflow-wrap')).toBe('anywhere');
});

test('an empty list without a search has its own message', async () => {
  openShop('/video', { titles: resolvesTo(createPage({ titles: [], total: 0 })) });
  expect(await screen.findByRole('heading', { name: 'There are no titles here yet' })).toBeTruthy();
});

test.each(['/ebook/sea-stories/12', '/catalog/titles/summer', '/titleset/titles/7'])(
  'a list at %s that has no other name is named by its kind',
  async (path) => {
    openShop(path, { titles: rejectsWith({ kind: 'offline' }) });
    expect(await screen.findByRole('heading', { name: 'We couldn’t load the titles' })).toBeTruthy();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(path.startsWith('/ebook') ? 'eBooks' : 'Titles');
  },
);

test('an unknown category is reported as such, not as a failure', async () => {
  const { readFlowState } = openShop('/all/nowhere', {
    titles: rejectsWith({ kind: 'refused', code: 'not_found', message: '' }),
  });
  expect(await screen.findByRole('heading', { level: 1, name: 'We couldn’t find that category' })).toBeTruthy();
  expect(readFlowState('catalogue')).toBe('notFound');
});

test('an unknown name that could be a title’s is reported as neither a title nor a category', async () => {
  openShop('/audio/nowhere', { titles: rejectsWith({ kind: 'refused', code: 'not_found', message: '' }) });
  expect(await screen.findByRole('heading', { level: 1, name: 'We couldn’t find that title or category' })).toBeTruthy();
});

test('a list that fails to load shows the reason, and “Try again” loads it', async () => {
  const titles = callInTurn<ListAnswer>(
    rejectsWith({ kind: 'http', status: 503, message: 'HTTP Error: 503' }),
    resolvesTo(createPage()),
  );
  const { readFlowState, user } = openShop('/all', { titles });
  expect((await screen.findByRole('alert')).textContent).toContain('Something went wrong on our side.');
  expect(readFlowState('catalogue')).toBe('failed');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Night Signals', { selector: '[data-name]' })).toBeTruthy();
});
