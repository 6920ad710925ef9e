import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { landingMachine, type Carousel } from '../../../machines/browsing/landing.ts';
import { landingScreens } from '../../../src/flows/landing/LandingView.tsx';
import { tellGranted } from '../../../src/client/grants.ts';
import { openShop } from '../../support/views/shop.tsx';
import { summaries } from '../../support/views/fixtures.ts';
import { gives, inTurn, never, refuses } from '../../support/views/world.ts';

const carousels: Carousel[] = [
  { type: 'all', titles: summaries, total: 24 },
  { type: 'audio', titles: summaries.slice(1, 2), total: null },
];

test('every state has a screen', () => {
  expect(Object.keys(landingScreens).toSorted()).toEqual(Object.keys(landingMachine.states).toSorted());
});

test('while the carousels load, the name of the store is shown already', async () => {
  const { stateOf } = openShop('/', { carousels: never });
  expect(await screen.findByRole('heading', { level: 1, name: /The Lamplight Press/ })).toBeTruthy();
  expect(screen.getByText('Stocking the shelves…')).toBeTruthy();
  expect(stateOf('landing')).toBe('loading');
});

test('the landing page shows a featured title, the carousels and the categories [S2./]', async () => {
  const { stateOf, container } = openShop('/', { carousels: gives(carousels) });
  const newest = await screen.findByRole('region', { name: 'New on the shelves' });
  expect(stateOf('landing')).toBe('shown');
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
  ).toBe('/all');
  const recordings = screen.getByRole('region', { name: 'Recordings' });
  expect(
    within(recordings)
      .getByRole('link', { name: /: Recordings$/ })
      .getAttribute('href'),
  ).toBe('/audio');
  const tiles = screen.getByRole('region', { name: 'Browse by category' });
  expect(
    within(tiles)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual(['/all/fiction/10', '/all/craft-kitchen/11']);
  const first = container.querySelectorAll('img[fetchpriority="high"]');
  expect([...first].map((image) => image.getAttribute('src'))).toEqual(['/covers/1-240.jpg']);
});

test('the customer’s own titles are in the library, wherever they stand, and have no price', async () => {
  const restored = gives({ userId: 'u1', pii: { email: 'reader@example.com' } });
  let asked = 0;
  const owned = async (): Promise<Record<string, string>> => {
    asked += 1;
    return asked === 1 ? { 2: 'copy-2' } : { 1: 'copy-1', 2: 'copy-2' };
  };
  openShop('/', { carousels: gives(carousels), restored, owned });
  const row = async (name: string) =>
    within(await screen.findByRole('region', { name }))
      .getAllByRole('listitem')
      .map((item) => item.textContent);
  await expect.poll(() => row('Recordings')).toEqual(['Night SignalsNight SignalsA. Bell and C. DunnIn your library']);
  expect(await row('New on the shelves')).toEqual([
    'The Ferry LedgerInes Marlow$9.50',
    'Night SignalsNight SignalsA. Bell and C. DunnIn your library',
    'Low TideLow TideNot for sale',
  ]);
  expect(asked).toBe(1);
  tellGranted();
  await expect.poll(async () => (await row('New on the shelves'))[0]).toBe('The Ferry LedgerInes MarlowIn your library');
});

test('a carousel can be reached and scrolled by keyboard', async () => {
  openShop('/', { carousels: gives(carousels) });
  const row = await screen.findByRole('list', { name: 'New on the shelves' });
  expect(row.tabIndex).toBe(0);
});

test('a shop without titles says so', async () => {
  const { stateOf } = openShop('/', { carousels: gives([]) });
  expect(await screen.findByText('The shelves are still empty. Please come back soon.')).toBeTruthy();
  expect(stateOf('landing')).toBe('empty');
});

test('a failure is shown and Retry recovers from it', async () => {
  const { stateOf, user } = openShop('/', { carousels: inTurn<Carousel[]>(refuses({ kind: 'offline' }), gives(carousels)) });
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('We can’t reach the shop.');
  expect(stateOf('landing')).toBe('failed');
  await user.click(within(alert).getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('region', { name: 'New on the shelves' })).toBeTruthy();
});

test('a repeated failure is shown again', async () => {
  const { user } = openShop('/', { carousels: refuses({ kind: 'timeout' }) });
  await user.click(await screen.findByRole('button', { name: 'Retry' }));
  expect((await screen.findByRole('alert')).textContent).toContain('taking too long');
});
