import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Facets, ListQuery } from '../../../machines/model/catalogue/list.ts';
import { openShop } from '../../support/views/shop.tsx';
import type { ListAnswer } from '../../support/views/list.ts';
import { summaries } from '../../support/views/fixtures.ts';
import { gives } from '../../support/views/world.ts';

const all: ListAnswer = { titles: summaries, total: 3, hasMore: false, categoryName: null, categoryId: null };

const links = (name: string): [string | null, string | null][] =>
  within(screen.getByRole('navigation', { name }))
    .getAllByRole('link')
    .map((link) => [link.getAttribute('aria-label') ?? link.textContent, link.getAttribute('href')]);

const counted: Facets = {
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

const hidden = { hidden: true } as const;
const group = (name: string) => screen.findByRole('group', { name, ...hidden });
const choices = async (name: string): Promise<string[]> =>
  within(await group(name))
    .getAllByRole(name === 'Price' ? 'radio' : 'checkbox', hidden)
    .map((choice) => {
      const { checked, disabled, parentElement } = choice as HTMLInputElement;
      const text = [...(parentElement?.children ?? [])].map((each) => each.textContent).filter(Boolean);
      return `${checked ? '+' : disabled ? '-' : ' '}${text.slice(0, 2).join(' ')}`;
    });
const choice = (name: RegExp) => screen.getByRole('checkbox', { name, ...hidden });

test('each choice says how many titles it would leave; one that would leave none cannot be pressed', async () => {
  openShop('/all?language=fr&pricefrom=20', { titles: gives(all), facets: gives(counted) });
  expect(await choices('Type of title')).toEqual([' eBooks 6', ' Recordings 1', '-Interactive stories 0']);
  expect(await choices('Category')).toEqual([' Fiction 5', '-Craft / Kitchen 0']);
  expect(await choices('Price')).toEqual([' Any price', ' Free 3', ' Up to €4.99 4', ' €5.00 to €9.99 2', '+From €20.00 0']);
  expect(await choices('Language')).toEqual(['+French 7', ' English 2']);
  expect(choice(/^eBooks 6 titles|^eBooks *6 titles/)).toBeTruthy();
});

test('a press on a choice goes into the address, and the focus stays where it was', async () => {
  const asked: ListQuery[] = [];
  const facets = async ({ query }: { query: ListQuery }) => {
    asked.push(query);
    return counted;
  };
  const { user, visited } = openShop('/all?sort=title', { titles: gives(all), facets });
  await group('Language');
  await user.click(choice(/^French/));
  await user.click(choice(/^English/));
  await user.click(choice(/^eBooks/));
  expect(document.activeElement).toBe(choice(/^eBooks/));
  await user.click(choice(/^French/));
  expect(visited).toEqual([
    '/all?sort=title&language=fr',
    '/all?sort=title&language=en%2Cfr',
    '/all?sort=title&language=en%2Cfr&kind=ebook',
    '/all?sort=title&language=en&kind=ebook',
  ]);
  expect(asked.map(({ languages, kinds }) => [languages, kinds])).toEqual([
    [[], []],
    [['fr'], []],
    [['en', 'fr'], []],
    [['en', 'fr'], ['ebook']],
    [['en'], ['ebook']],
  ]);
});

test('a chosen category shows those below it, which narrow it', async () => {
  const below = { ...counted, categories: [...counted.categories, { id: '12', count: 2 }] };
  const { user, visited } = openShop('/all', { titles: gives(all), facets: gives(below) });
  await group('Category');
  await user.click(choice(/^Fiction/));
  expect(await choices('Category')).toEqual(['+Fiction 5', ' Sea Stories 2', '-Craft / Kitchen 0']);
  await user.click(choice(/^Sea Stories/));
  await user.click(choice(/^Sea Stories/));
  expect(visited).toEqual(['/all?category=10', '/all?category=12', '/all?category=10']);
  expect(document.activeElement).toBe(choice(/^Sea Stories/));
});

test('a range of prices takes the place of another', async () => {
  const { user, visited } = openShop('/all/free', { titles: gives(all), facets: gives(counted) });
  await user.click(await screen.findByRole('radio', { name: /^Up to/, ...hidden }));
  await user.click(screen.getByRole('radio', { name: 'Any price', ...hidden }));
  expect(visited).toEqual(['/all?priceto=4.99', '/all']);
});

test('without counts a list narrows by what the store is known to have', async () => {
  openShop('/all?language=fr', { titles: gives(all) });
  expect(await choices('Type of title')).toEqual([' eBooks', ' Recordings', ' Films']);
  expect(await choices('Category')).toEqual([' Fiction', ' Craft / Kitchen']);
  expect(await choices('Price')).toEqual(['+Any price', ' Free']);
  expect(await choices('Language')).toEqual(['+French']);
});

test('the new count is said once the list has come to rest, and again when it is the same', async () => {
  const { user, container } = openShop('/all', { titles: gives(all), facets: gives(counted) });
  await screen.findByText('3 titles', { selector: '[data-flow="facets"]' });
  const heard: string[] = [];
  const region = container.querySelector('[data-flow="facets"]');
  if (region === null) throw new Error('Nothing is said.');
  const listener = new MutationObserver(() => heard.push(region.textContent));
  listener.observe(region, { childList: true, characterData: true, subtree: true });
  await user.click(choice(/^French/));
  await expect.poll(() => heard).toEqual(['', '3 titles']);
});

test('a list that was not counted has the count of its choices', async () => {
  openShop('/all?language=fr', { titles: gives({ ...all, total: null }), facets: gives({ ...counted, total: 1234 }) });
  expect(await screen.findByText('1,234 titles', { selector: 'p' })).toBeTruthy();
});

test('the way to the filters says how many are set, and each has a way to take it away', async () => {
  openShop('/all?search=sea&language=fr,en&kind=audio&category=12&author=Ada&series=Tides', { titles: gives(all) });
  expect(await screen.findByText('Filters (6)', { selector: 'button' })).toBeTruthy();
  const rest = 'search=sea&language=fr%2Cen&kind=audio&category=12&author=Ada&series=Tides';
  const less = (part: string, instead = ''): string => `/all?${rest.replace(part, instead).replace(/^&/, '')}`;
  expect(links('Active filters')).toEqual([
    ['Remove Search: sea', less('search=sea')],
    ['Remove Author: Ada', less('&author=Ada')],
    ['Remove Series: Tides', less('&series=Tides')],
    ['Remove Recordings', less('&kind=audio')],
    ['Remove Sea Stories', less('&category=12')],
    ['Remove French', less('fr%2Cen', 'en')],
    ['Remove English', less('fr%2Cen', 'fr')],
    ['Clear all', '/all'],
  ]);
});

test('the focus goes on to the next filter when one is taken away, and at last to the heading', async () => {
  const { user } = openShop('/all?kind=audio&language=fr', { titles: gives(all) });
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
])('%s is called %s, on the page and in the window', async (path, name) => {
  openShop(path, { titles: gives(all) });
  expect(await screen.findByRole('heading', { level: 1, name })).toBeTruthy();
  expect(document.title).toBe(`${name} · The Lamplight Press`);
});

test('until the list has said which category it is of, no choices are shown that would change at once', async () => {
  const list = Promise.withResolvers<ListAnswer>();
  const below = { ...counted, categories: [...counted.categories, { id: '12', count: 2 }] };
  const { container } = openShop('/all/fiction/10', { titles: () => list.promise, facets: gives(below) });
  const facets = () => container.querySelector('[data-flow="facets"]')?.getAttribute('data-state');
  await vi.waitFor(() => expect(facets()).toContain('"counted"'));
  expect(container.querySelectorAll('fieldset')).toHaveLength(0);
  list.resolve({ ...all, categoryId: '10', categoryName: 'Fiction' });
  expect(await choices('Category')).toEqual([' Sea Stories 2']);
});
