import { screen, within } from '@testing-library/react';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import type { ListQuery } from '../../../machines/model/list.ts';
import { TitleSummary } from '../../../machines/model/title.ts';
import { catalogueScreens } from '../../../src/flows/catalogue/CatalogueView.tsx';
import type { ListAnswer } from '../../support/views/list.ts';
import { openShop } from '../../support/views/shop.tsx';
import { summaries } from '../../support/views/fixtures.ts';
import { gives, inTurn, never, refuses } from '../../support/views/world.ts';

const page = (more: Partial<ListAnswer> = {}): ListAnswer => ({
  titles: summaries.slice(0, 2),
  total: 3,
  hasMore: false,
  categoryName: null,
  categoryId: null,
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

/** So many that the end of them is far from the first screen. */
const many = Array.from({ length: 80 }, (_, at) =>
  v.parse(TitleSummary, { ...summaries[0], id: `m${at}`, name: `Volume ${at + 1}` }),
);

test('a list shows its titles, and more of them on request', async () => {
  const first = page({ titles: many, total: 83, hasMore: true });
  const rest = page({ titles: summaries, total: 83 });
  const titles = inTurn<ListAnswer>(gives(first), refuses({ kind: 'offline' }), gives(rest));
  const { stateOf, user } = openShop('/all', { titles });
  const more = await screen.findByRole('button', { name: 'Show more' });
  expect(screen.getByText('83 titles')).toBeTruthy();
  expect(screen.getByText('80 of 83')).toBeTruthy();
  expect(stateOf('catalogue')).toEqual({ shown: 'resting' });
  await user.click(more);
  expect((await screen.findByRole('alert')).textContent).toContain('We cannot reach the shop.');
  expect(stateOf('catalogue')).toEqual({ shown: 'moreFailed' });
  expect(named()[0]).toBe('Volume 1');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(stateOf('catalogue')).toEqual({ shown: 'resting' });
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

test('more titles load by themselves near the end of the list', async () => {
  const titles = inTurn<ListAnswer>(gives(page({ hasMore: true })), gives(last));
  openShop('/all', { titles });
  expect(await screen.findByText('Low Tide', { selector: '[data-name]' })).toBeTruthy();
  expect(named()).toEqual(['The Ferry Ledger', 'Night Signals', 'Low Tide']);
});

test('a title says which of how many it is', async () => {
  openShop('/all', { titles: gives(page({ titles: many, total: 83 })) });
  await screen.findByText('Volume 1', { selector: '[data-name]' });
  const items = screen.getAllByRole('listitem').filter((item) => item.hasAttribute('data-place'));
  expect(items.length).toBeLessThan(many.length);
  expect(items.map((item) => item.getAttribute('aria-posinset'))).toEqual(items.map((_, at) => String(at + 1)));
  expect(new Set(items.map((item) => item.getAttribute('aria-setsize')))).toEqual(new Set(['83']));
});

test('while more is fetched it cannot be asked for again', async () => {
  const titles = inTurn<ListAnswer>(gives(page({ hasMore: true })), never);
  const { stateOf } = openShop('/all', { titles });
  const more = await screen.findByRole('button', { name: 'Show more' });
  expect(stateOf('catalogue')).toEqual({ shown: 'arriving' });
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
  const tree = screen.getByRole('navigation', { name: 'Categories', hidden: true });
  expect(within(tree).getByRole('link', { current: 'page', hidden: true }).textContent).toBe('Sea Stories');
});

test('sorting goes through the address and keeps the list in sight', async () => {
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
  expect(asked.map((query) => query.sort)).toEqual(['', 'title']);
});

test('a search without hits says so and leads back', async () => {
  const { stateOf, visited, user } = openShop('/all?search=zebra', { titles: gives(page({ titles: [], total: 0 })) });
  expect(await screen.findByRole('heading', { name: 'No titles match “zebra”' })).toBeTruthy();
  expect(stateOf('catalogue')).toBe('empty');
  await user.click(screen.getByRole('link', { name: 'See all titles' }));
  expect(visited).toEqual(['/all']);
});

test('a search without a blank is broken where the window ends', async () => {
  const long = 'x'.repeat(200);
  openShop(`/all?search=${long}`, { titles: gives(page({ titles: [], total: 0 })) });
  const heading = await screen.findByRole('heading', { name: `No titles match “${long}”` });
  expect(getComputedStyle(heading).getPropertyValue('overflow-wrap')).toBe('anywhere');
});

test('an empty list without a search has another message', async () => {
  openShop('/video', { titles: gives(page({ titles: [], total: 0 })) });
  expect(await screen.findByRole('heading', { name: 'There are no titles here yet' })).toBeTruthy();
});

test.each(['/ebook/sea-stories/12', '/catalog/titles/summer', '/titleset/titles/7'])(
  '%s is called by its kind when nothing more came of it',
  async (path) => {
    openShop(path, { titles: refuses({ kind: 'offline' }) });
    expect(await screen.findByRole('heading', { name: 'The titles did not come' })).toBeTruthy();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(path.startsWith('/ebook') ? 'eBooks' : 'Titles');
  },
);

test('an unknown category is told apart from a failure', async () => {
  const { stateOf } = openShop('/all/nowhere', { titles: refuses({ kind: 'refused', code: 'not_found', message: '' }) });
  expect(await screen.findByRole('heading', { level: 1, name: 'There is no such category' })).toBeTruthy();
  expect(stateOf('catalogue')).toBe('notFound');
});

test('an unknown name that may be a title’s says so', async () => {
  openShop('/audio/nowhere', { titles: refuses({ kind: 'refused', code: 'not_found', message: '' }) });
  expect(await screen.findByRole('heading', { level: 1, name: 'There is no such title or category' })).toBeTruthy();
});

test('a failure is shown and Retry recovers from it', async () => {
  const titles = inTurn<ListAnswer>(refuses({ kind: 'http', status: 503, message: 'HTTP Error: 503' }), gives(page()));
  const { stateOf, user } = openShop('/all', { titles });
  expect((await screen.findByRole('alert')).textContent).toContain('Something went wrong on our side.');
  expect(stateOf('catalogue')).toBe('failed');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Night Signals', { selector: '[data-name]' })).toBeTruthy();
});
