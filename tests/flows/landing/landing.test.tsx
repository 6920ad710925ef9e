import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { landingMachine } from '../../../machines/browsing/landing.ts';
import type { Carousel } from '../../../machines/model/catalogue/shelves.ts';
import type { OwnedTitle } from '../../../machines/model/buying/purchase.ts';
import { fetchContinueChunk } from '../../../src/flows/landing/load-continue-chunk.ts';
import { landingScreens } from '../../../src/flows/landing/LandingView.tsx';
import type { OwnedCopies } from '../../../machines/app/owned-titles.ts';
import { ownershipChanged } from '../../../src/client/library/ownership-changed.ts';
import { openShop } from '../../support/views/shop.tsx';
import { summaries } from '../../support/views/fixtures.ts';
import { resolvesTo, callInTurn, neverSettles, rejectsWith } from '../../support/views/world.ts';

const [, ...nightSignals] = summaries.slice(0, 2);
const recordings = ['2', '5', '6', '7', '8'].flatMap((id) => nightSignals.map((title) => ({ ...title, id })));
const carousels: Carousel[] = [
  { type: 'all', titles: summaries, total: 24 },
  { type: 'audio', titles: recordings, total: null },
];
const restoredUser = resolvesTo({ userId: 'u1', pii: { email: 'reader@example.com' } });

test('every state has a screen', () => {
  expect(Object.keys(landingScreens).toSorted()).toEqual(Object.keys(landingMachine.states).toSorted());
});

test('while the carousels load, the name of the store is already shown', async () => {
  const { readFlowState } = openShop('/', { carousels: neverSettles });
  expect(await screen.findByRole('heading', { level: 1, name: /The Lamplight Press/ })).toBeTruthy();
  expect(screen.getByText('Stocking the shelves…')).toBeTruthy();
  expect(readFlowState('landing')).toMatchObject({ loading: { shelves: 'loading' } });
});

test('the landing page shows a featured title, the carousels and the categories [S2./]', async () => {
  const { readFlowState, container } = openShop('/', { carousels: resolvesTo(carousels) });
  const newest = await screen.findByRole('region', { name: 'New on the shelves' });
  expect(readFlowState('landing')).toBe('shown');
  expect(screen.getByRole('link', { name: 'Take a look' }).getAttribute('href')).toBe('/id:1/The-Ferry-Ledger');
  expect(
    within(newest)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual([
    'The Ferry LedgerInes Marlow$9.50',
    'Night SignalsNight SignalsA. Bell and C. DunnFree',
    'Low TideLow TideNot for sale',
  ]);
  expect(
    within(newest)
      .getByRole('link', { name: /^See all 24 titles\s?: Titles$/ })
      .getAttribute('href'),
  ).toBe('/all/new');
  const recordingsRegion = screen.getByRole('region', { name: 'Recordings' });
  expect(
    within(recordingsRegion)
      .getByRole('link', { name: /: Recordings$/ })
      .getAttribute('href'),
  ).toBe('/audio');
  const tiles = screen.getByRole('region', { name: 'Browse by category' });
  expect(
    within(tiles)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual(['/all/fiction/10', '/all/craft-kitchen/11']);
  const preloadedImages = container.querySelectorAll('img[fetchpriority="high"]');
  expect([...preloadedImages].map((image) => image.getAttribute('src'))).toEqual(['/covers/1-240.jpg']);
});

test('owned titles are marked as in the library, in every carousel, and have no price', async () => {
  let requestCount = 0;
  const ownedCopies = async (): Promise<OwnedCopies> => {
    requestCount += 1;
    return requestCount === 1 ? { 2: 'own' } : { 1: 'own', 2: 'own' };
  };
  const { scoped } = openShop('/', { carousels: resolvesTo(carousels), restoredUser, ownedCopies });
  const readRow = async (name: string) =>
    within(await screen.findByRole('region', { name }))
      .getAllByRole('listitem')
      .map((item) => item.textContent);
  await expect
    .poll(async () => (await readRow('Recordings'))[0], { timeout: 3_000 })
    .toBe('Night SignalsNight SignalsA. Bell and C. DunnIn your library');
  expect(await readRow('New on the shelves')).toEqual([
    'The Ferry LedgerInes Marlow$9.50',
    'Night SignalsNight SignalsA. Bell and C. DunnIn your library',
    'Low TideLow TideNot for sale',
  ]);
  expect(requestCount).toBe(1);
  scoped(ownershipChanged).emit();
  await expect.poll(async () => (await readRow('New on the shelves'))[0]).toBe('The Ferry LedgerInes MarlowIn your library');
});

test('no price is shown to a customer before ownership is known, and each has its space reserved', async () => {
  const { promise: owned, resolve } = Promise.withResolvers<OwnedCopies>();
  openShop('/', { carousels: resolvesTo(carousels), restoredUser, ownedCopies: () => owned });
  const [price] = await screen.findAllByText('$9.50');
  if (price === undefined) throw new Error('The title has no price.');
  const readVisibility = (): string => getComputedStyle(price).visibility;
  expect(readVisibility()).toBe('hidden');
  resolve({});
  await expect.poll(readVisibility, { timeout: 3_000 }).not.toBe('hidden');
  expect(price.isConnected).toBe(true);
});

test('a carousel can be focused, so that keys scroll it', async () => {
  openShop('/', { carousels: resolvesTo(carousels) });
  const row = await screen.findByRole('list', { name: 'New on the shelves' });
  expect(row.tabIndex).toBe(0);
});

test('a shop without titles says so', async () => {
  const { readFlowState } = openShop('/', { carousels: resolvesTo([]) });
  expect(await screen.findByText('The shelves are still empty. Please come back soon.')).toBeTruthy();
  expect(readFlowState('landing')).toBe('empty');
});

test('carousels that fail to load are reported, and “Try again” loads them', async () => {
  const { readFlowState, user } = openShop('/', {
    carousels: callInTurn<Carousel[]>(rejectsWith({ kind: 'offline' }), resolvesTo(carousels)),
  });
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('We can’t reach the shop.');
  expect(readFlowState('landing')).toBe('failed');
  await user.click(within(alert).getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('region', { name: 'New on the shelves' })).toBeTruthy();
});

test('a second failure of the carousels is shown again', async () => {
  const { user } = openShop('/', { carousels: rejectsWith({ kind: 'timeout' }) });
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect((await screen.findByRole('alert')).textContent).toContain('taking too long');
});

const ownedTitles = (titles: typeof summaries): OwnedTitle[] =>
  titles.map((title, index) => ({
    instanceId: `copy-${title.id}`,
    purchasedAt: '2026-01-01T00:00:00Z',
    lastOpenedAt: `2026-01-0${9 - index}T00:00:00Z`,
    progress: 0.4234,
    title,
  }));

test('a customer’s landing page starts with their unfinished titles, with links to the viewer', async () => {
  await fetchContinueChunk();
  openShop('/', { carousels: resolvesTo(carousels), restoredUser, startedTitles: resolvesTo(ownedTitles(summaries)) });
  const shelf = await screen.findByRole('region', { name: 'Pick up where you left off' });
  expect(
    within(shelf)
      .getAllByRole('link')
      .map((link) => [link.getAttribute('href'), link.textContent]),
  ).toEqual([
    ['/viewer?instanceid=copy-1', 'The Ferry LedgerInes Marlow42% read'],
    ['/viewer?instanceid=copy-2', 'Night SignalsNight SignalsA. Bell and C. Dunn42% played'],
    ['/viewer?instanceid=copy-3', 'Low TideLow Tide42% played'],
  ]);
  expect(screen.getAllByRole('region')[0]).toBe(shelf);
});

test.each([
  [0, 'Continue reading'],
  [1, 'Continue listening'],
  [2, 'Continue watching'],
])('unfinished titles of one kind have a heading for that kind (%i)', async (index, name) => {
  await fetchContinueChunk();
  openShop('/', {
    carousels: resolvesTo(carousels),
    restoredUser,
    startedTitles: resolvesTo(ownedTitles(summaries.slice(index, index + 1))),
  });
  expect(await screen.findByRole('region', { name })).toBeTruthy();
});

test.each([
  ['a visitor', resolvesTo(null), resolvesTo(ownedTitles(summaries))],
  ['a customer without unfinished titles', restoredUser, resolvesTo([])],
  ['a customer whose library fails to load', restoredUser, rejectsWith({ kind: 'offline' })],
])('no unfinished titles are shown to %s', async (_, restoredUser, answer) => {
  await fetchContinueChunk();
  openShop('/', { carousels: resolvesTo(carousels), restoredUser, startedTitles: answer });
  expect(await screen.findByRole('region', { name: 'New on the shelves' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: /read|played/ })).toBeNull();
});

test('kinds with few titles share a shelf that links to each kind', async () => {
  const createSmallCarousel = (type: 'audio' | 'video', ids: string[]): Carousel => ({
    type,
    titles: recordings.slice(0, ids.length).map((title, index) => ({ ...title, id: ids[index] ?? '' })),
    total: ids.length,
  });
  openShop('/', {
    carousels: resolvesTo([
      ...carousels.slice(0, 1),
      createSmallCarousel('audio', ['4', '5', '6']),
      createSmallCarousel('video', ['7', '8']),
    ]),
  });
  const shelf = await screen.findByRole('region', { name: 'Recordings and Films' });
  expect(within(shelf).getAllByRole('listitem')).toHaveLength(5);
  expect(within(shelf).getByRole('link', { name: 'Recordings' }).getAttribute('href')).toBe('/audio');
  expect(within(shelf).getByRole('link', { name: 'Films' }).getAttribute('href')).toBe('/video');
});
